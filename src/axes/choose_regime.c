/* Which kernel reduces along axes. It depends on the shape, the address and the width of waves alone, and no result of
 * integers, extremes or sums depends on it. */
#include "algebra.h"
#include "launches.h"
#include "whole_numbers.h"

enum {
    PACK = 16,                    /* bytes of a load */
    LEAST_RUN = 4096,             /* bytes of a run among several, for which packs are loaded */
    MANY_TILES = 16384,           /* of which the last ones to run leave little of a device idle */
    MANY_COLUMN_TILES = 4096,     /* the same, of columns */
    MANY_WAVES = 8192,            /* that fill a device */
    LEAST_LOADS_OF_A_TILE = 2048, /* of a part of a row */
    LEAST_ROWS_OF_A_LANE = 16,    /* before more lanes share a column */
    ROWS_OF_A_LANE = 64,          /* of a part of a column, at the least */
    PACKS_OF_A_LANE = 8,          /* of a row that lanes of a wave share */
    MOST_PACKS_OF_A_LANE = 64,    /* of a row that one wave reduces */
    MOST_OF_PART = 1 << 30,       /* elements */
    LEAST_ROOM = 1 << 20          /* bytes */
};

static uint64_t next_power_of_two(uint64_t number) {
    uint64_t power = 1;
    while (power < number)
        power *= 2;
    return power;
}

static size_t element_bytes_of(const wf_axes_request *request) {
    return wf_bytes_of_type(request->type) * wf_facts_of_op(request->op).scalars;
}

static const wf_axis *last_of(const wf_axis_list *list) {
    return list->length == 0 ? NULL : &list->axis[list->length - 1];
}

/* Every stride but the last one of `but` is a whole number of packs. */
static bool strides_fit_packs(const wf_axis_list *list, const wf_axis *but, uint64_t in_pack) {
    for (uint32_t d = 0; d < list->length; d++)
        if (&list->axis[d] != but && wf_magnitude_of_stride(list->axis[d].stride) % in_pack != 0)
            return false;
    return true;
}

/* Such operators have kernels without loads of 16 bytes (hip/axes/axes_arguments.hpp). */
static bool is_seldom(const wf_axes_request *request) {
    const wf_op_facts op = wf_facts_of_op(request->op);
    const bool is_integer = !wf_type_is_float(request->type);
    return op.op_class == WF_CLASS_PRODUCT || op.op_class == WF_CLASS_BITWISE ||
           (is_integer && op.op_class == WF_CLASS_SUM && op.term != WF_TERM_ELEMENT);
}

/* Cuts rows into the wanted number of parts, or fewer: a part has at least `least` elements, and the workspace for the
 * values of parts is limited to an eighth of the array, or 1 MiB. Kernels count the elements of a part in 32 bits. */
static void cut_into_parts(wf_axes_request *request, uint64_t wanted, uint64_t least) {
    const uint64_t element = element_bytes_of(request);
    const uint64_t bytes =
        request->length < MOST_OF_PART / request->rows ? request->rows * request->length * element : MOST_OF_PART;
    const uint64_t room = bytes / 8 > LEAST_ROOM ? bytes / 8 : LEAST_ROOM;
    const uint64_t with_room = room / (request->rows * wf_axes_bytes_of_value(request));
    const uint64_t few = wf_smaller(wf_smaller(wanted, with_room), request->length / (least != 0 ? least : 1));
    const uint64_t needed = wf_ceil_div(request->length, MOST_OF_PART), parts = few > needed ? few : needed;
    if (parts < 2)
        return;
    request->part_length = wf_ceil_div(wf_ceil_div(request->length, parts), PACK) * PACK; /* whole packs */
    request->parts = (uint32_t)wf_ceil_div(request->length, request->part_length);
    request->values = request->parts;
    request->all_values = request->rows * request->values;
}

/* ---- Rows of one load, one behind the other ---------------------------------------------------------------------- */

static bool choose_tiny_rows(wf_axes_request *request) {
    const wf_axis *const kept = last_of(&request->kept), *const reduced = last_of(&request->reduced);
    const uint64_t length = request->length;
    if (length > PACK)
        return false;
    const uint64_t row = length * element_bytes_of(request);
    if (is_seldom(request) || kept == NULL || request->kept.length > 1 || request->reduced.length > 1 || row > PACK ||
        PACK % row != 0)
        return false;
    if ((reduced != NULL && reduced->stride != 1) || kept->stride != (int64_t)length ||
        (uintptr_t)request->source % row != 0)
        return false;
    request->regime = WF_AXES_TINY_ROWS;
    request->tiles = wf_ceil_div(request->rows, (uint64_t)WF_AXES_TILE * (row < WF_AXES_TINY_BYTES ? 8 : 4));
    return true;
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

/* If a row of the array has less than 16 bytes, several rows that fill them become one row of more columns. */
static void interleave(wf_axes_request *request) {
    const size_t element = element_bytes_of(request);
    wf_axis *const kept = &request->kept.axis[0], *const reduced = &request->reduced.axis[0];
    if (request->kept.length != 1 || request->reduced.length != 1 || kept->stride != 1 ||
        reduced->stride != (int64_t)kept->count || (uintptr_t)request->source % PACK != 0)
        return;
    const uint64_t row = kept->count * element;
    if (row >= PACK || PACK % row != 0 || reduced->count % (PACK / row) != 0)
        return;
    request->interleaved = (uint32_t)(PACK / row);
    kept->count = request->rows = PACK / element;
    reduced->count = request->length = request->part_length = reduced->count / request->interleaved;
    reduced->stride = (int64_t)request->rows;
}

static bool choose_columns(wf_axes_request *request) {
    const size_t element = element_bytes_of(request);
    const uint64_t in_pack = PACK / element;
    const wf_axis *const kept = last_of(&request->kept), *const reduced = last_of(&request->reduced);
    if (kept == NULL ||
        (reduced != NULL && wf_magnitude_of_stride(kept->stride) >= wf_magnitude_of_stride(reduced->stride)))
        return false;
    request->regime = WF_AXES_COLUMNS;
    if (!is_seldom(request))
        interleave(request);
    const uint64_t length = request->length;
    request->is_packed = !is_seldom(request) && in_pack > 1 && kept->stride == 1 && kept->count % in_pack == 0 &&
                         (uintptr_t)request->source % PACK == 0 && strides_fit_packs(&request->kept, kept, in_pack) &&
                         strides_fit_packs(&request->reduced, NULL, in_pack);
    const uint64_t blocks = request->is_packed != 0 ? request->rows / in_pack : request->rows;
    uint64_t across = next_power_of_two(wf_smaller(blocks, 32)), lanes = WF_AXES_TILE / across;
    while (lanes > 1 && lanes * LEAST_ROWS_OF_A_LANE > length) {
        lanes /= 2;
        across *= 2;
    }
    request->lanes = (uint32_t)lanes;
    const uint64_t tiles = wf_ceil_div(blocks, across);
    cut_into_parts(request, tiles < MANY_COLUMN_TILES ? wf_ceil_div(MANY_COLUMN_TILES, tiles) : 1,
                   lanes * ROWS_OF_A_LANE);
    if (request->interleaved > 1) {
        request->values = request->parts * request->interleaved;
        request->all_values = request->rows / request->interleaved * request->values;
    }
    request->tiles = tiles * request->parts;
    return true;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* By waves, a part each, where there are enough of them to fill a device; else by tiles. */
static void share_long_rows(wf_axes_request *request, uint64_t *lanes, uint32_t wave_width, uint64_t loads) {
    const uint64_t of_wave = (uint64_t)wave_width * MOST_PACKS_OF_A_LANE, in_load = wf_ceil_div(request->length, loads);
    const uint64_t waves = request->rows * wf_ceil_div(loads, of_wave);
    *lanes = waves >= MANY_WAVES ? wave_width : WF_AXES_TILE;
    const uint64_t wanted = waves >= MANY_WAVES ? MANY_TILES : MANY_WAVES / 4;
    const uint64_t part = waves >= MANY_WAVES ? of_wave : LEAST_LOADS_OF_A_TILE;
    cut_into_parts(request, request->rows < wanted ? wf_ceil_div(wanted, request->rows) : 1, part * in_load);
}

static void choose_rows(wf_axes_request *request, uint32_t wave_width) {
    const size_t element = element_bytes_of(request);
    const wf_axis *const reduced = last_of(&request->reduced);
    const uint64_t length = request->length, bytes = wf_smaller(length, UINT64_MAX / PACK) * element;
    request->regime = WF_AXES_ROWS;
    request->is_packed = !is_seldom(request) && reduced != NULL && reduced->stride == 1 && element < PACK &&
                         (request->reduced.length == 1 || reduced->count * element >= LEAST_RUN);
    request->has_edges = length % (PACK / element) != 0 || (uintptr_t)request->source % PACK != 0 ||
                         !strides_fit_packs(&request->kept, NULL, PACK / element) ||
                         !strides_fit_packs(&request->reduced, reduced, PACK / element) ||
                         (reduced != NULL && reduced->count % (PACK / element) != 0);
    const uint64_t loads = request->is_packed != 0 ? wf_ceil_div(bytes, PACK) : length;
    uint64_t lanes = next_power_of_two(wf_ceil_div(loads, PACKS_OF_A_LANE));
    if (lanes > wave_width)
        share_long_rows(request, &lanes, wave_width, loads);
    request->lanes = (uint32_t)lanes;
    request->tiles = wf_ceil_div(request->rows * request->parts, WF_AXES_TILE / request->lanes);
}

static void choose_ordered(wf_axes_request *request, uint32_t wave_width) {
    request->regime = WF_AXES_ORDERED;
    request->tiles = wf_ceil_div(request->rows, WF_AXES_TILE / wave_width);
}

size_t wf_axes_bytes_of_value(const wf_axes_request *request) {
    const wf_op_facts op = wf_facts_of_op(request->op);
    const bool is_mean_of_pairs = request->second != NULL && request->op == WF_MEAN;
    const bool sums_pairs = is_mean_of_pairs || (op.op_class == WF_CLASS_SUM && wf_type_is_float(request->accumulator));
    return wf_axes_value_bytes(request) + (sums_pairs ? WF_AXES_SLOT_WORDS * sizeof(uint32_t) : 0);
}

void wf_axes_choose(wf_axes_request *request, uint32_t wave_width) {
    request->head.tile_size = WF_AXES_TILE;
    request->head.wave_width = wave_width;
    request->is_packed = 0;
    request->lanes = 1;
    request->parts = 1;
    request->part_length = request->length;
    request->interleaved = 1;
    request->values = 0;
    request->all_values = 0;
    if (wf_op_is_ordered(request->op))
        choose_ordered(request, wave_width);
    else if (request->length == 0)
        choose_rows(request, wave_width);
    else if (!choose_tiny_rows(request) && !choose_columns(request))
        choose_rows(request, wave_width);
}
