// HIP's and CUDA's words for a learner's kernel on the host device. Cooperative groups, floats of 16 bits and CUB come
// with their own headers (cooperative_groups.h, cuda_fp16.h, cuda_bf16.h, cub/cub.cuh).
//
// A kernel's accesses to memory are plain C++: the compiler's instrumentation reports them (touches.cpp). The words'
// own accesses must not be reported, so words work on values, or call functions of libwavefold-try.so.
#ifndef WAVEFOLD_HOST_TRY_WORDS_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_WORDS_HPP

#include "atomic_words.hpp"
#include "barrier_words.hpp"
#include "control_words.hpp"
#include "dimensions.hpp"
#include "float_words.hpp"
#include "memory_words.hpp"
#include "number_words.hpp"
#include "qualifiers.hpp"
#include "shuffle_words.hpp"
#include "vectors.hpp"
#include "vote_words.hpp"

#endif
