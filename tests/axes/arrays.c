/* Arrays of every shape, with random elements. */
#include "axes_tests.h"
#include "numbers.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

void fill_array(wf_type type, void *array, size_t count, data kind, uint64_t *seed) {
    const bool wild = kind == WILD;
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = next_random(seed);
        if (!number_is_float(type)) {
            number_put_integer(type, array, i, random);
            continue;
        }
        if (kind == NEAR_ONE) {
            const double near_one = 0.9375 + (double)(random % 9) / 64;
            number_put_float(type, array, i, random / 9 % 2 == 0 ? near_one : -near_one);
            continue;
        }
        if (kind == NEAR_HALF) {
            number_put_float(type, array, i, 0.46875 + (double)(random % 9) / 128);
            continue;
        }
        const double unit = (double)(random >> 11) * 0x1p-53;
        static const double specials[] = {0.0, -0.0, 1e-41, -3e-6, 65504.0, 1e30};
        double value = (unit - 0.5) * (double)(1u << (random % 9));
        if (random % 29 == 0)
            value = specials[random / 29 % (wild ? 6 : 2)];
        number_put_float(type, array, i, value);
        if (wild && random % 197 == 0) {
            uint64_t infinity = number_extreme(type, random / 197 % 2 == 0);
            if (random % 3 == 0)
                infinity++; /* a NaN, of either sign */
            memcpy((char *)array + i * wf_type_size(type), &infinity, wf_type_size(type));
        }
    }
}

array_shape shape_of_axes(const wf_axes *axes) {
    array_shape of = {.axes = *axes};
    int64_t lowest = 0, highest = 0, lowest_result = 0, highest_result = 0;
    int64_t stride = 1, result_stride = 1;
    bool is_empty = false;
    for (uint32_t d = axes->dimensions; d-- > 0;) {
        const int64_t count = (int64_t)axes->counts[d];
        const bool is_kept = (axes->reduced >> d & 1) == 0;
        if (axes->has_strides == 0)
            of.axes.strides[d] = stride;
        if (axes->has_result_strides == 0 && is_kept)
            of.axes.result_strides[d] = result_stride;
        stride *= count;
        result_stride *= is_kept ? count : 1;
        is_empty |= is_kept && count == 0;
        if (count == 0)
            continue;
        const int64_t reach = (count - 1) * of.axes.strides[d];
        *(reach < 0 ? &lowest : &highest) += reach;
        const int64_t result_reach = is_kept ? (count - 1) * of.axes.result_strides[d] : 0;
        *(result_reach < 0 ? &lowest_result : &highest_result) += result_reach;
    }
    of.first = (size_t)-lowest;
    of.span = (size_t)(highest - lowest + 1);
    of.first_result = (size_t)-lowest_result;
    of.result_span = is_empty ? 0 : (size_t)(highest_result - lowest_result + 1);
    return of;
}

bool step_index(const wf_axes *axes, uint32_t among, uint64_t *index) {
    for (uint32_t d = axes->dimensions; d-- > 0;) {
        if ((among >> d & 1) == 0)
            continue;
        if (++index[d] < axes->counts[d])
            return true;
        index[d] = 0;
    }
    return false;
}

int64_t offset_along(const wf_axes *axes, const uint64_t *index, const int64_t *strides, uint32_t among) {
    int64_t offset = 0;
    for (uint32_t d = 0; d < axes->dimensions; d++)
        if ((among >> d & 1) != 0)
            offset += (int64_t)index[d] * strides[d];
    return offset;
}

static uint64_t below(uint64_t *seed, uint64_t limit) {
    return next_random(seed) % limit;
}

wf_axes random_axes(uint64_t *seed) {
    static const uint64_t counts[] = {1, 2, 3, 4, 7, 8, 13, 33};
    wf_axes axes = {.dimensions = 1 + (uint32_t)below(seed, 5)};
    uint64_t all = 1;
    uint32_t order[WF_MOST_DIMENSIONS] = {0};
    for (uint32_t d = 0; d < axes.dimensions; d++) {
        axes.counts[d] = counts[below(seed, COUNT(counts))];
        if (all * axes.counts[d] > 4000)
            axes.counts[d] = 1 + below(seed, 2);
        all *= axes.counts[d];
        const uint32_t at = (uint32_t)below(seed, d + 1);
        order[d] = order[at];
        order[at] = d;
    }
    axes.reduced = (uint32_t)below(seed, 1u << axes.dimensions);
    axes.has_strides = below(seed, 4) != 0;
    axes.has_result_strides = below(seed, 2) != 0;
    int64_t stride = 1, result_stride = 1;
    for (uint32_t i = 0; i < axes.dimensions; i++) {
        const uint32_t d = order[i];
        const int64_t count = (int64_t)axes.counts[d];
        stride += (int64_t)(below(seed, 3) == 0 ? below(seed, 3) : 0);
        axes.strides[d] = below(seed, 9) == 0 ? 0 : below(seed, 4) == 0 ? -stride : stride;
        stride *= count;
        if ((axes.reduced >> d & 1) != 0)
            continue;
        result_stride += (int64_t)(below(seed, 4) == 0 ? 1 : 0);
        axes.result_strides[d] = below(seed, 4) == 0 ? -result_stride : result_stride;
        result_stride *= count;
    }
    return axes;
}
