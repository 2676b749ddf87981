#include "folds.h"

#include "numbers.h"

#include <string.h>

uint64_t fold_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void fold_fill(wf_type type, char *array, size_t count, bool wild, uint64_t *seed) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = fold_random(seed);
        if (!number_is_float(type) || (wild && random % 5 == 0))
            number_put_integer(type, array, i, fold_random(seed));
        else
            number_put_float(type, array, i, random % 17 == 0 ? -0.0 : ((double)(random >> 40) - 8388608) * 0x1p-20);
        if (number_is_float(type) && !wild && number_is_nan(type, array, i))
            number_put_float(type, array, i, 3);
    }
}

wf_reduce_spec fold_rounded_once(wf_reduce_spec spec, const wf_reduction_info *info) {
    if (number_is_float(spec.type) && (spec.op == WF_SUM || spec.op == WF_MEAN || spec.op == WF_ASUM)) {
        spec.accuracy = WF_ACCURACY_EXACT;
        if (info->accumulator != spec.type)
            spec.accumulator = info->accumulator == WF_F64 ? WF_ACCUMULATE_F64 : WF_ACCUMULATE_F32;
    }
    return spec;
}

bool fold_results_alike(const wf_reduction_info *info, const char *a, const char *b) {
    if (memcmp(a, b, info->result_bytes) == 0)
        return true;
    for (uint32_t v = 0; v < info->result_values; v++)
        if (!number_is_float(info->result_type) || !number_is_nan(info->result_type, a, v) ||
            !number_is_nan(info->result_type, b, v))
            if (number_bits(info->result_type, a, v) != number_bits(info->result_type, b, v))
                return false;
    return info->has_index == 0 || memcmp(a + 8, b + 8, 8) == 0;
}
