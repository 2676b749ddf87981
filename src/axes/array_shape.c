#include "array_shape.h"

#include "status.h"
#include "whole_numbers.h"

#include <stdint.h>
#include <string.h>

/* The address space in elements of this size. */
static uint64_t most_elements(size_t bytes) {
    return PTRDIFF_MAX / bytes;
}

/* What (count - 1) * stride adds to the offsets that are reached; false: they leave the address space. */
static bool extend(const wf_axis *axis, int64_t stride, uint64_t most, int64_t *lowest, int64_t *highest) {
    if (axis->count <= 1 || stride == 0)
        return true;
    const uint64_t step = wf_magnitude_of_stride(stride);
    const uint64_t last = axis->count - 1;
    if (step > most || last > most / step)
        return false;
    if (last * step >= most - (uint64_t)(*highest - *lowest))
        return false;
    const int64_t reach = (int64_t)(last * step);
    if (stride < 0)
        *lowest -= reach;
    else
        *highest += reach;
    return true;
}

/* In C order without gaps. */
static void make_strides(const wf_axes *axes, uint32_t among, int64_t *strides) {
    uint64_t stride = 1;
    for (uint32_t d = axes->dimensions; d-- > 0;) {
        if ((among >> d & 1) == 0)
            continue;
        strides[d] = (int64_t)stride;
        stride *= axes->counts[d] != 0 ? axes->counts[d] : 1;
    }
}

/* Counts multiply without overflow, also where another count is 0: strides are made of them. */
static wf_status check_counts(const wf_axes *axes, size_t element_bytes) {
    if (axes->dimensions < 1 || axes->dimensions > WF_MOST_DIMENSIONS)
        return wf_fail(WF_INVALID_ARGUMENT, "'axes' has %u dimensions: it must have 1 to %d", axes->dimensions,
                       WF_MOST_DIMENSIONS);
    if (axes->reduced >> axes->dimensions != 0)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'reduced' is 0x%x, which names a dimension that the array lacks: it has %u, and bits 0 to %u",
                       axes->reduced, axes->dimensions, axes->dimensions - 1);
    uint64_t all = 1;
    for (uint32_t d = 0; d < axes->dimensions; d++) {
        const uint64_t count = axes->counts[d] != 0 ? axes->counts[d] : 1;
        if (count > (uint64_t)INT64_MAX / all)
            return wf_fail(WF_INVALID_ARGUMENT, "the counts of the first %u dimensions multiply to more than 2^63",
                           d + 1);
        all *= count;
    }
    if (axes->has_strides == 0 && all > most_elements(element_bytes))
        return wf_fail(WF_INVALID_ARGUMENT,
                       "an array of %llu elements of %zu bytes is more than an address space holds",
                       (unsigned long long)all, element_bytes);
    return WF_OK;
}

/* Results do not overlap if each stride, from the shortest on, is longer than what the shorter ones reach. Shapes that
 * interleave in other ways are refused, too: they are no slices of an array. */
static wf_status check_results(const wf_axis_list *kept) {
    wf_axis sorted[WF_MOST_DIMENSIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < kept->length; i++) {
        if (kept->axis[i].count <= 1)
            continue;
        wf_axis axis = kept->axis[i];
        axis.result_stride = axis.result_stride < 0 ? -axis.result_stride : axis.result_stride;
        uint32_t at = count++;
        for (; at > 0 && sorted[at - 1].result_stride > axis.result_stride; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = axis;
    }
    int64_t reached = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sorted[i].result_stride <= reached)
            return wf_fail(WF_INVALID_ARGUMENT,
                           "results overlap: a result stride of %lld is not longer than the %lld results that shorter "
                           "strides reach",
                           (long long)sorted[i].result_stride, (long long)reached + 1);
        reached += (int64_t)(sorted[i].count - 1) * sorted[i].result_stride;
    }
    return WF_OK;
}

static void append(wf_axis_list *list, uint64_t count, int64_t stride, int64_t result_stride) {
    list->axis[list->length++] = (wf_axis){.count = count, .stride = stride, .result_stride = result_stride};
}

wf_status wf_shape_of(const wf_axes *axes, size_t element_bytes, size_t result_bytes, wf_shape *shape) {
    wf_status status = check_counts(axes, element_bytes);
    if (status != WF_OK)
        return status;
    const uint32_t all = (1u << axes->dimensions) - 1, kept = all & ~axes->reduced;
    int64_t strides[WF_MOST_DIMENSIONS], result_strides[WF_MOST_DIMENSIONS];
    memcpy(strides, axes->strides, sizeof strides);
    memcpy(result_strides, axes->result_strides, sizeof result_strides);
    if (axes->has_strides == 0)
        make_strides(axes, all, strides);
    if (axes->has_result_strides == 0)
        make_strides(axes, kept, result_strides);
    wf_shape made = {.rows = 1, .length = 1};
    for (uint32_t d = 0; d < axes->dimensions; d++) {
        const bool is_kept = (kept >> d & 1) != 0;
        const wf_axis axis = {.count = axes->counts[d], .stride = strides[d]};
        if (!extend(&axis, axis.stride, most_elements(element_bytes), &made.lowest, &made.highest))
            return wf_fail(WF_INVALID_ARGUMENT, "dimension %u, of %llu elements %lld apart, leaves the address space",
                           d, (unsigned long long)axis.count, (long long)axis.stride);
        if (is_kept &&
            !extend(&axis, result_strides[d], most_elements(result_bytes), &made.lowest_result, &made.highest_result))
            return wf_fail(WF_INVALID_ARGUMENT, "dimension %u, of %llu results %lld apart, leaves the address space", d,
                           (unsigned long long)axis.count, (long long)result_strides[d]);
        append(is_kept ? &made.kept : &made.reduced, axis.count, axis.stride, is_kept ? result_strides[d] : 0);
        *(is_kept ? &made.rows : &made.length) *= axis.count;
    }
    status = check_results(&made.kept);
    if (status == WF_OK)
        *shape = made;
    return status;
}

/* ---- Fewer axes -------------------------------------------------------------------------------------------------- */

static void remove_ones(wf_axis_list *list) {
    uint32_t length = 0;
    for (uint32_t i = 0; i < list->length; i++)
        if (list->axis[i].count != 1)
            list->axis[length++] = list->axis[i];
    list->length = length;
}

static void sort(wf_axis_list *list) {
    for (uint32_t i = 1; i < list->length; i++) {
        const wf_axis axis = list->axis[i];
        const int64_t stride = axis.stride < 0 ? -axis.stride : axis.stride;
        uint32_t at = i;
        for (; at > 0; at--) {
            const int64_t before = list->axis[at - 1].stride;
            if ((before < 0 ? -before : before) >= stride)
                break;
            list->axis[at] = list->axis[at - 1];
        }
        list->axis[at] = axis;
    }
}

static void join_neighbours(wf_axis_list *list) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < list->length; i++) {
        wf_axis *const outer = &list->axis[last], inner = list->axis[i];
        /* Unsigned: the product may leave 64 bits, and is then no stride. */
        if ((uint64_t)outer->stride == (uint64_t)inner.stride * inner.count &&
            (uint64_t)outer->result_stride == (uint64_t)inner.result_stride * inner.count)
            *outer = (wf_axis){outer->count * inner.count, inner.stride, inner.result_stride};
        else
            list->axis[++last] = inner;
    }
    if (list->length > 0)
        list->length = last + 1;
}

/* The same elements from the other end: the offset of the first. */
static int64_t turn_round(wf_axis_list *list) {
    int64_t offset = 0;
    for (uint32_t i = 0; i < list->length; i++) {
        wf_axis *const axis = &list->axis[i];
        if (axis->stride >= 0)
            continue;
        offset += (int64_t)(axis->count - 1) * axis->stride;
        axis->stride = -axis->stride;
    }
    return offset;
}

int64_t wf_shape_collapse(wf_shape *shape, bool keeps_order) {
    if (shape->rows == 0 || shape->length == 0) {
        shape->reduced = (wf_axis_list){.length = shape->length == 0, .axis = {{.count = 0}}};
        if (shape->rows == 0)
            shape->kept = (wf_axis_list){.length = 1, .axis = {{.count = 0}}};
    }
    int64_t offset = 0;
    remove_ones(&shape->kept);
    remove_ones(&shape->reduced);
    sort(&shape->kept);
    if (!keeps_order) {
        offset = turn_round(&shape->reduced);
        sort(&shape->reduced);
    }
    join_neighbours(&shape->kept);
    join_neighbours(&shape->reduced);
    return offset;
}
