#include "widen.h"

#include "half.h"

#define WIDEN(ENUM, ctype, wider, widened)                                                                             \
    case WF_##ENUM:                                                                                                    \
        for (size_t i = 0; i < count; i++)                                                                             \
            wide[i] = (wider)widened(((const ctype *)elements)[i]);                                                    \
        break;

void widen_floats(wf_type type, const void *elements, size_t count, double *wide) {
    switch (type) {
        WIDEN(F16, uint16_t, double, wf_f16_value)
        WIDEN(BF16, uint16_t, double, wf_bf16_value)
        WIDEN(F32, float, double, )
        WIDEN(F64, double, double, )
    case WF_I8:
    case WF_I16:
    case WF_I32:
    case WF_I64:
    case WF_U8:
    case WF_U16:
    case WF_U32:
    case WF_U64:
    case WF_TYPE_COUNT:
        break;
    }
}

void widen_integers(wf_type type, const void *elements, size_t count, uint64_t *wide) {
    switch (type) {
        WIDEN(I8, int8_t, uint64_t, )
        WIDEN(I16, int16_t, uint64_t, )
        WIDEN(I32, int32_t, uint64_t, )
        WIDEN(I64, int64_t, uint64_t, )
        WIDEN(U8, uint8_t, uint64_t, )
        WIDEN(U16, uint16_t, uint64_t, )
        WIDEN(U32, uint32_t, uint64_t, )
        WIDEN(U64, uint64_t, uint64_t, )
    case WF_F16:
    case WF_BF16:
    case WF_F32:
    case WF_F64:
    case WF_TYPE_COUNT:
        break;
    }
}
