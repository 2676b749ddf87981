#include "widen.h"

#include "half.h"

void widen_floats(wf_type type, const void *elements, size_t count, double *wide) {
    const uint16_t *half = elements;
    for (size_t i = 0; i < count; ++i)
        switch (type) {
        case WF_F32:
            wide[i] = (double)((const float *)elements)[i];
            break;
        case WF_F16:
            wide[i] = f16_value(half[i]);
            break;
        case WF_BF16:
            wide[i] = bf16_value(half[i]);
            break;
        default:
            wide[i] = ((const double *)elements)[i];
            break;
        }
}

#define WIDEN(ENUM, ctype)                                                                                             \
    case WF_##ENUM:                                                                                                    \
        for (size_t i = 0; i < count; ++i)                                                                             \
            wide[i] = (uint64_t)((const ctype *)elements)[i];                                                          \
        break;

void widen_integers(wf_type type, const void *elements, size_t count, uint64_t *wide) {
    switch (type) {
        WIDEN(I8, int8_t)
        WIDEN(I16, int16_t)
        WIDEN(I32, int32_t)
        WIDEN(U8, uint8_t)
        WIDEN(U16, uint16_t)
        WIDEN(U32, uint32_t)
    default:
        for (size_t i = 0; i < count; ++i)
            wide[i] = ((const uint64_t *)elements)[i];
        break;
    }
}
