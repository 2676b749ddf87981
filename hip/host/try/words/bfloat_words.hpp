// The words of cuda_bf16.h and hip/hip_bf16.h.
#ifndef WAVEFOLD_HOST_TRY_WORDS_BFLOAT_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_BFLOAT_WORDS_HPP

#include "half_words.hpp"

using __nv_bfloat16 = wf::tried::narrow_float<wf::tried::bfloat_format>;
using __nv_bfloat162 = wf::tried::narrow_pair<wf::tried::bfloat_format>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
using __hip_bfloat16 = __nv_bfloat16;
using __hip_bfloat162 = __nv_bfloat162;
using hip_bfloat16 = __nv_bfloat16;

WF_TRY_CONVERSIONS(__nv_bfloat16, bfloat16, bfloat16)

WF_TRY_INLINE nv_bfloat162 __halves2bfloat162(nv_bfloat16 a, nv_bfloat16 b) {
    return {a, b};
}
WF_TRY_INLINE nv_bfloat162 __bfloat162bfloat162(nv_bfloat16 a) {
    return {a, a};
}
WF_TRY_INLINE nv_bfloat162 make_bfloat162(nv_bfloat16 a, nv_bfloat16 b) {
    return {a, b};
}

#endif
