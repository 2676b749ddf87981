/* wf_sort_rows, wf_sort_segments and their argsorts: types × sizes of values × lengths and numbers of rows, on one
 * device.
 *
 * usage: test_sort_rows [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64)
 *        PATTERN: which tests, such as 'test_misuse'
 *        EVERY FIRST: of the cases, one in EVERY, from FIRST on
 *
 * Each row is compared bit for bit with a stable qsort of it (sort_data.c). Arrays lie between margins, and what lies
 * outside of segments must stay as it is. */
#include "sort_data.h"

#include <wavefold_sort.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

static wf_context *context;
static data_share share = {1, 0}; /* of the cases */
static wf_device_info device;

/* ---- One sort of rows or segments ------------------------------------------------------------------------------- */

typedef struct rows_case {
    wf_sort_spec spec; /* value_bytes: of a sort; those of positions follow from it */
    unsigned kind;
    size_t rows, length;    /* of rows of equal lengths */
    const uint64_t *begins; /* segments: rows + 1; NULL: rows */
    size_t count;           /* segments: of the array */
    size_t longest;         /* segments */
} rows_case;

static size_t count_of(const rows_case *of) {
    return of->begins != NULL ? of->count : of->rows * of->length;
}

static uint64_t begin_of(const rows_case *of, size_t row) {
    return of->begins != NULL ? of->begins[row] : row * of->length;
}

static void fail_case(const rows_case *of, const char *what, size_t i) {
    fail_msg("%s %zu of %zu is wrong: %zu %s of %zu, %s, descending %u, values of %u bytes, bits %u to %u, kind %u",
             what, i, count_of(of), of->rows, of->begins != NULL ? "segments" : "rows", of->length,
             wf_type_name(of->spec.type), of->spec.descending, of->spec.value_bytes, of->spec.begin_bit,
             of->spec.end_bit, of->kind);
}

/* The element that belongs at each place; one for each element, and itself outside of segments. */
static uint64_t *expected_elements(const rows_case *of, const void *keys) {
    const sort_order order = {.type = of->spec.type,
                              .descending = of->spec.descending != 0,
                              .begin_bit = of->spec.begin_bit,
                              .end_bit = of->spec.end_bit};
    const size_t count = count_of(of), bytes = wf_type_size(of->spec.type);
    uint64_t *elements = memory_of(count * sizeof *elements);
    for (size_t i = 0; i < count; i++)
        elements[i] = i;
    for (size_t row = 0; row < of->rows; row++) {
        const size_t begin = (size_t)begin_of(of, row), length = (size_t)begin_of(of, row + 1) - begin;
        uint64_t *positions = stable_positions(&order, (const char *)keys + begin * bytes, length);
        for (size_t i = 0; i < length; i++)
            elements[begin + i] = begin + positions[i];
        free(positions);
    }
    return elements;
}

static void check_moved(const rows_case *of, const char *what, const void *before, const void *moved, size_t bytes,
                        const uint64_t *elements) {
    for (size_t i = 0; i < count_of(of); i++)
        if (memcmp((const char *)moved + i * bytes, (const char *)before + (size_t)elements[i] * bytes, bytes) != 0)
            fail_case(of, what, i);
}

/* Positions count from the row's first element; those outside of segments do not change. */
static void check_positions_of_rows(const rows_case *of, const void *before, const void *got, size_t bytes,
                                    const uint64_t *elements) {
    const wf_type type = bytes == 4 ? WF_U32 : WF_U64;
    size_t outside = 0;
    for (size_t row = 0; row < of->rows; row++) {
        const size_t begin = (size_t)begin_of(of, row), end = (size_t)begin_of(of, row + 1);
        for (; outside < begin; outside++)
            if (key_at(type, got, outside) != key_at(type, before, outside))
                fail_case(of, "position before segments", outside);
        for (size_t i = begin; i < end; i++)
            if (key_at(type, got, i) != elements[i] - begin)
                fail_case(of, "position", i);
        outside = end;
    }
    for (; outside < count_of(of); outside++)
        if (key_at(type, got, outside) != key_at(type, before, outside))
            fail_case(of, "position behind segments", outside);
}

/* Offsets in device memory, of 4 or 8 bytes. */
static wf_segments segments_there(const rows_case *of, uint32_t bytes, guarded *memory) {
    void *offsets = memory_of((of->rows + 1) * bytes);
    for (size_t i = 0; i <= of->rows; i++)
        put_key(bytes == 4 ? WF_U32 : WF_U64, offsets, i, of->begins[i]);
    *memory = guard(context, 0, (of->rows + 1) * bytes);
    require(wf_copy_to_device(context, inside(memory), offsets, (of->rows + 1) * bytes));
    free(offsets);
    return (wf_segments){.count = of->rows, .offset_bytes = bytes, .begins = inside(memory)};
}

static wf_status sort_there(const rows_case *of, const wf_sort_spec *spec, const wf_segments *segments, void *keys,
                            void *values, bool is_async) {
    if (of->begins == NULL)
        return is_async ? wf_sort_rows_async(context, spec, keys, values, of->rows, of->length, NULL)
                        : wf_sort_rows(context, spec, keys, values, of->rows, of->length);
    return is_async ? wf_sort_segments_async(context, spec, segments, keys, values, of->count, of->longest, NULL)
                    : wf_sort_segments(context, spec, segments, keys, values, of->count, of->longest);
}

static wf_status argsort_there(const rows_case *of, const wf_sort_spec *spec, const wf_segments *segments,
                               const void *keys, void *positions, bool is_async) {
    if (of->begins == NULL)
        return is_async ? wf_argsort_rows_async(context, spec, keys, positions, of->rows, of->length, NULL)
                        : wf_argsort_rows(context, spec, keys, positions, of->rows, of->length);
    return is_async ? wf_argsort_segments_async(context, spec, segments, keys, positions, of->count, of->longest, NULL)
                    : wf_argsort_segments(context, spec, segments, keys, positions, of->count, of->longest);
}

/* Sorts, and then argsorts the same keys. */
static void check_rows(const rows_case *of) {
    const size_t count = count_of(of), key_bytes = wf_type_size(of->spec.type), value_bytes = of->spec.value_bytes;
    const size_t number = count + of->rows + value_bytes;
    const uint32_t position_bytes = number % 2 ? 4 : 8;
    void *keys = make_keys(of->spec.type, of->kind, count, 5 + number);
    void *values = make_keys(WF_U8, RANDOM_BITS, count * value_bytes, number);
    void *filled = make_keys(WF_U8, RANDOM_BITS, count * position_bytes, number);
    uint64_t *elements = expected_elements(of, keys);
    guarded key_memory = guard(context, number % 3 * key_bytes, count * key_bytes);
    guarded value_memory = guard(context, number % 5 * value_bytes, count * value_bytes);
    guarded position_memory = guard(context, number % 3 * position_bytes, count * position_bytes);
    guarded offset_memory = {.memory = NULL};
    wf_segments segments = {.count = 0};
    if (of->begins != NULL)
        segments = segments_there(of, number / 2 % 2 ? 4 : 8, &offset_memory);
    require(wf_copy_to_device(context, inside(&key_memory), keys, count * key_bytes));
    require(wf_copy_to_device(context, inside(&value_memory), values, count * value_bytes));
    require(wf_copy_to_device(context, inside(&position_memory), filled, count * position_bytes));

    wf_sort_spec with_positions = of->spec;
    with_positions.value_bytes = position_bytes;
    require(
        argsort_there(of, &with_positions, &segments, inside(&key_memory), inside(&position_memory), number % 4 == 0));
    void *const values_there = value_bytes != 0 ? inside(&value_memory) : NULL;
    require(sort_there(of, &of->spec, &segments, inside(&key_memory), values_there, number % 4 == 1));

    void *got = release(context, &key_memory), *got_values = release(context, &value_memory);
    void *positions = release(context, &position_memory);
    if (of->begins != NULL)
        free(release(context, &offset_memory));
    check_positions_of_rows(of, filled, positions, position_bytes, elements);
    check_moved(of, "key", keys, got, key_bytes, elements);
    check_moved(of, "value", values, got_values, value_bytes, elements);
    free(positions);
    free(got_values);
    free(got);
    free(elements);
    free(filled);
    free(values);
    free(keys);
}

/* ---- Rows of every type ----------------------------------------------------------------------------------------- */

static const wf_type all_types[] = {WF_F32, WF_F64, WF_F16, WF_BF16, WF_I8,  WF_I16,
                                    WF_I32, WF_I64, WF_U8,  WF_U16,  WF_U32, WF_U64};
static const uint32_t value_sizes[] = {0, 1, 2, 4, 8, 16};

/* Keys of a tile of the radix sort. */
static size_t tile_of(wf_type type) {
    return wf_type_size(type) == 8 ? 3840 : wf_type_size(type) == 4 ? 7680 : 6912;
}

/* A number of rows that follows from the length: few long ones. */
static void check_length(wf_type type, size_t length, size_t number) {
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 31, 33, 65, 129};
    const size_t most = length < 300 ? COUNT(counts) : length < 3000 ? 4 : 3;
    check_rows(&(rows_case){
        .spec = {.type = type, .value_bytes = value_sizes[number % COUNT(value_sizes)], .descending = number / 2 % 2},
        .kind = (unsigned)((number + length) % KINDS),
        .rows = counts[(number + length) % most],
        .length = length});
}

static void test_type(void **state) {
    const wf_type type = *(const wf_type *)*state;
    static const size_t lengths[] = {0,  1,  2,  3,   4,   5,   8,   9,   16,  17,  31,  32,  33,
                                     63, 64, 65, 127, 128, 129, 255, 256, 257, 383, 385, 1021};
    const size_t tile = tile_of(type), long_ones[] = {tile - 1, tile, tile + 1};
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (size_t again = 0; again < 2; again++)
            if (data_takes(share, i + (size_t)type + again))
                check_length(type, lengths[i], 3 * i + (size_t)type + again);
    for (size_t i = 0; i < COUNT(long_ones); i++)
        if (data_takes(share, i + (size_t)type))
            check_length(type, long_ones[i], i + (size_t)type);
}

/* Rows of several tiles: one after the other, or all at once. */
static void test_long_rows(void **state) {
    (void)state;
    static const rows_case cases[] = {
        {.spec = {.type = WF_F32, .value_bytes = 4}, .kind = SPECIAL, .rows = 1, .length = 23041},
        {.spec = {.type = WF_F32}, .kind = RANDOM_BITS, .rows = 2, .length = 9001},
        {.spec = {.type = WF_F64, .value_bytes = 8, .descending = 1}, .kind = FEW, .rows = 2, .length = 4003},
        {.spec = {.type = WF_F64, .value_bytes = 16}, .kind = SPECIAL, .rows = 3, .length = 11521},
        {.spec = {.type = WF_F32, .descending = 1}, .kind = FEW, .rows = 3, .length = 7681},
        {.spec = {.type = WF_BF16, .value_bytes = 2}, .kind = SPECIAL, .rows = 5, .length = 6913},
        {.spec = {.type = WF_U8, .value_bytes = 1}, .kind = RANDOM_BITS, .rows = 4, .length = 7001},
        {.spec = {.type = WF_I32, .begin_bit = 5, .end_bit = 14}, .kind = RANDOM_BITS, .rows = 3, .length = 7800},
        {.spec = {.type = WF_I64, .value_bytes = 4}, .kind = REVERSED, .rows = 3, .length = 3841},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (data_takes(share, i))
            check_rows(&cases[i]);
}

static void test_bits(void **state) {
    (void)state;
    static const struct {
        wf_type type;
        uint32_t begin, end;
    } rows[] = {{WF_U32, 0, 1},  {WF_I32, 31, 32}, {WF_U32, 3, 12},  {WF_U64, 40, 64},
                {WF_I64, 0, 17}, {WF_I8, 2, 8},    {WF_I16, 15, 16}, {WF_U64, 0, 64}};
    static const size_t lengths[] = {5, 40, 200, 300};
    for (size_t r = 0; r < COUNT(rows); r++)
        for (size_t l = 0; l < COUNT(lengths); l++)
            if (data_takes(share, r + l))
                check_rows(&(rows_case){.spec = {.type = rows[r].type,
                                                 .value_bytes = value_sizes[(r + l) % COUNT(value_sizes)],
                                                 .descending = (r + l) % 3 == 0,
                                                 .begin_bit = rows[r].begin,
                                                 .end_bit = rows[r].end},
                                        .kind = RANDOM_BITS,
                                        .rows = 3,
                                        .length = lengths[l]});
}

/* By threads of the CPU, or many tiles: not for the emulator. */
static void large_rows(void **state) {
    (void)state;
    static const size_t shapes[][2] = {{1, 300007}, {2, 150001}, {5, 70001},  {300, 1009}, {40009, 7},
                                       {3000, 129}, {17, 20011}, {3, 262147}, {1000, 257}};
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t t = s % 4; t < COUNT(all_types); t += 4)
            check_rows(&(rows_case){.spec = {.type = all_types[t],
                                             .value_bytes = value_sizes[(t + s) % COUNT(value_sizes)],
                                             .descending = t % 2},
                                    .kind = (unsigned)((t + s) % KINDS),
                                    .rows = shapes[s][0],
                                    .length = shapes[s][1]});
}

/* ---- Segments --------------------------------------------------------------------------------------------------- */

/* Segments of random lengths up to most, one in three empty, and one longer one in the middle; elements before and
 * behind them. longest: exact, an upper bound, or not known. */
static void check_segments(wf_sort_spec spec, unsigned kind, size_t segments, size_t most, size_t longer,
                           size_t number) {
    uint64_t *begins = memory_of((segments + 1) * sizeof *begins);
    uint64_t longest = 0;
    begins[0] = number % 3 * 37;
    for (size_t i = 0; i < segments; i++) {
        const uint64_t random = data_hash(i + number);
        uint64_t length = random % 3 == 0 ? 0 : (random >> 8) % (most + 1);
        if (i == segments / 2)
            length = longer;
        longest = length > longest ? length : longest;
        begins[i + 1] = begins[i] + length;
    }
    const uint64_t bound = number % 3 == 0 ? 0 : number % 3 == 1 ? longest : 2 * longest + 1;
    check_rows(&(rows_case){.spec = spec,
                            .kind = kind,
                            .rows = segments,
                            .begins = begins,
                            .count = (size_t)begins[segments] + number % 4 * 11,
                            .longest = (size_t)bound});
    free(begins);
}

static void test_segments(void **state) {
    const wf_type type = *(const wf_type *)*state;
    const size_t tile = tile_of(type);
    const struct {
        size_t segments, most, longer;
    } shapes[] = {{1, 0, 0},     {1, 0, 1},         {1, 0, 300},     {5, 0, 0},     {40, 3, 5},
                  {40, 30, 33},  {9, 64, 128},      {9, 200, 255},   {7, 300, 257}, {5, 500, 1000},
                  {3, 40, tile}, {20, 9, tile + 1}, {1, 0, tile + 3}};
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t again = 0; again < 3; again++) {
            const size_t number = 3 * s + again + (size_t)type;
            if ((shapes[s].longer < tile || again == (size_t)type % 3) && data_takes(share, number))
                check_segments((wf_sort_spec){.type = type,
                                              .value_bytes = value_sizes[number % COUNT(value_sizes)],
                                              .descending = number / 2 % 2},
                               (unsigned)(number % KINDS), shapes[s].segments, shapes[s].most, shapes[s].longer,
                               number);
        }
}

/* A long one among many tiny ones, and many of some tiles. */
static void test_uneven_segments(void **state) {
    (void)state;
    for (size_t number = 0; number < 3; number++)
        if (data_takes(share, number)) {
            check_segments((wf_sort_spec){.type = WF_F32, .value_bytes = 4}, FEW, 2000, 3, 9001, number);
            check_segments((wf_sort_spec){.type = WF_U64, .value_bytes = 16}, RANDOM_BITS, 7, 3000, 4001, number);
        }
    if (data_takes(share, 0))
        check_segments((wf_sort_spec){.type = WF_I16}, RANDOM_BITS, 300, 100, 7001, 1);
}

static void large_segments(void **state) {
    (void)state;
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const wf_sort_spec spec = {.type = all_types[t], .value_bytes = value_sizes[t % COUNT(value_sizes)]};
        check_segments(spec, (unsigned)(t % KINDS), 30011, 20, 100003, t);
        check_segments(spec, (unsigned)(t % KINDS), 301, 2000, 2500, t);
    }
}

/* ---- Misuse ----------------------------------------------------------------------------------------------------- */

enum { BYTES = 4096 };

static void check_bad_rows(char *memory) {
    const wf_sort_spec keys = {.type = WF_U32}, pairs = {.type = WF_U64, .value_bytes = 8};
    const struct {
        wf_sort_spec spec;
        void *keys, *values;
        size_t rows, length;
        wf_status status;
        const char *says;
    } bad[] = {
        {keys, NULL, NULL, 1, 1, WF_INVALID_ARGUMENT, "'keys' must not be NULL"},
        {pairs, memory, NULL, 2, 1, WF_INVALID_ARGUMENT, "'values' must not be NULL"},
        {keys, memory, memory + 1024, 1, 1, WF_INVALID_ARGUMENT, "'value_bytes' is 0"},
        {keys, memory + 2, NULL, 1, 1, WF_INVALID_ARGUMENT, "'keys' must be aligned to its type's 4 bytes"},
        {pairs, memory, memory + 64, 3, 3, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {{.value_bytes = 3}, memory, memory + 1024, 1, 1, WF_INVALID_ARGUMENT, "must be 0 (keys alone)"},
        {{.flags = WF_SORT_IN_PLACE}, memory, NULL, 1, 1, WF_UNSUPPORTED, "no WF_SORT_IN_PLACE"},
        {{.flags = 2}, memory, NULL, 1, 1, WF_INVALID_ARGUMENT, "have no flags"},
        {{.end_bit = 4}, memory, NULL, 1, 1, WF_INVALID_ARGUMENT, "floats are sorted by all bits"},
        {{.reserved = {0, 1}}, memory, NULL, 1, 1, WF_INVALID_ARGUMENT, "reserved"},
        {{.type = WF_TYPE_COUNT}, memory, NULL, 1, 1, WF_INVALID_ARGUMENT, "unknown element type"},
        {keys, memory, NULL, SIZE_MAX / 2, 4, WF_INVALID_ARGUMENT, "more than an address space"},
        {keys, memory, NULL, 2, SIZE_MAX / 8, WF_INVALID_ARGUMENT, "more than an address space"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(wf_sort_rows(context, &bad[i].spec, bad[i].keys, bad[i].values, bad[i].rows, bad[i].length),
                bad[i].status, bad[i].says);
        refuses(wf_sort_rows_async(context, &bad[i].spec, bad[i].keys, bad[i].values, bad[i].rows, bad[i].length, NULL),
                bad[i].status, bad[i].says);
    }
    refuses(wf_sort_rows(NULL, &keys, memory, NULL, 1, 1), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_sort_rows(context, NULL, memory, NULL, 1, 1), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    refuses(wf_argsort_rows(context, &keys, memory, memory + 1024, 1, 1), WF_INVALID_ARGUMENT, "must be 4 or 8");
    refuses(wf_argsort_rows(context, &pairs, memory, memory + 8, 2, 2), WF_INVALID_ARGUMENT,
            "'keys' and 'positions' overlap");
    refuses(wf_argsort_rows_async(context, &(wf_sort_spec){.value_bytes = 4, .flags = 1}, memory, memory + 1024, 1, 1,
                                  NULL),
            WF_INVALID_ARGUMENT, "have no flags");
    refuses(wf_argsort_rows(context, &(wf_sort_spec){.type = WF_U8, .value_bytes = 4}, memory, memory + 1024, 1,
                            (size_t)UINT32_MAX + 2),
            WF_UNSUPPORTED, "more than 32 bits");
    for (size_t rows = 0; rows <= 9 && strcmp(device.backend, "host") == 0; rows += 9)
        refuses(wf_sort_rows_async(context, &keys, memory, NULL, rows, 2, memory), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");
}

static void check_bad_segments(char *memory) {
    const wf_sort_spec keys = {.type = WF_U32}, positions = {.type = WF_U32, .value_bytes = 4};
    const void *const offsets = memory + 2048;
    const struct {
        wf_segments segments;
        wf_status status;
        const char *says;
    } bad[] = {
        {{.count = 1, .begins = offsets}, WF_INVALID_ARGUMENT, "offsets have 4 or 8 bytes"},
        {{.count = 1, .offset_bytes = 4}, WF_INVALID_ARGUMENT, "'begins' must not be NULL"},
        {{.count = 1, .offset_bytes = 8, .begins = memory + 2052}, WF_INVALID_ARGUMENT, "'begins' must be aligned"},
        {{.count = 1, .offset_bytes = 4, .begins = offsets, .ends = offsets}, WF_UNSUPPORTED, "'ends' must be NULL"},
        {{.count = 1, .offset_bytes = 4, .begins = offsets, .flags = WF_CHECK_OFFSETS},
         WF_UNSUPPORTED,
         "do not check offsets"},
        {{.count = 1, .offset_bytes = 4, .begins = offsets, .reserved = {1}}, WF_INVALID_ARGUMENT, "reserved"},
        {{.count = SIZE_MAX / 4, .offset_bytes = 4, .begins = offsets}, WF_INVALID_ARGUMENT, "address space"},
        {{.count = 1, .offset_bytes = 4, .begins = memory}, WF_INVALID_ARGUMENT, "'begins' and 'keys' overlap"},
        {{.count = 2, .offset_bytes = 4, .begins = memory + 1020}, WF_INVALID_ARGUMENT, "'positions' overlap"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(wf_argsort_segments(context, &positions, &bad[i].segments, memory, memory + 1024, 4, 0), bad[i].status,
                bad[i].says);
        if (i + 1 != COUNT(bad))
            refuses(wf_sort_segments_async(context, &keys, &bad[i].segments, memory, NULL, 4, 0, NULL), bad[i].status,
                    bad[i].says);
    }
    refuses(wf_sort_segments(context, &keys, NULL, memory, NULL, 4, 0), WF_INVALID_ARGUMENT,
            "'segments' must not be NULL");
    require(wf_sort_segments(context, &keys, &(wf_segments){.offset_bytes = 4}, memory, NULL, 4, 0));
    require(wf_sort_segments(context, &keys, &(wf_segments){.offset_bytes = 4}, NULL, NULL, 0, 0));
}

static void test_misuse(void **state) {
    (void)state;
    unsigned char before[BYTES], after[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        before[i] = (unsigned char)data_hash(i);
    char *memory;
    require(wf_malloc(context, (void **)&memory, BYTES));
    require(wf_copy_to_device(context, memory, before, BYTES));
    check_bad_rows(memory);
    check_bad_segments(memory);
    const wf_sort_spec keys = {.type = WF_U32}, pairs = {.type = WF_U64, .value_bytes = 8};
    require(wf_sort_rows(context, &keys, NULL, NULL, 0, 5));
    require(wf_sort_rows(context, &keys, NULL, NULL, 5, 0));
    require(wf_argsort_rows(context, &pairs, NULL, NULL, 0, 0));
    require(wf_copy_to_host(context, after, memory, BYTES));
    assert_memory_equal(before, after, BYTES);
    wf_free(context, memory);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, name) != WF_OK || wf_context_get_device(context, &device) != WF_OK) {
        fprintf(stderr, "test_sort_rows: %s\n", wf_last_error());
        return 1;
    }
    printf("on %s\n", name);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_long_rows),       cmocka_unit_test(test_bits),      cmocka_unit_test(large_rows),
        cmocka_unit_test(test_uneven_segments), cmocka_unit_test(large_segments), cmocka_unit_test(test_misuse),
    };
    struct CMUnitTest tests[2 * COUNT(all_types) + COUNT(others)];
    char names[2 * COUNT(all_types)][64];
    for (size_t t = 0; t < 2 * COUNT(all_types); t++) {
        const wf_type *const type = &all_types[t / 2];
        snprintf(names[t], sizeof names[t], t % 2 ? "test_segments_%s" : "test_rows_%s", wf_type_name(*type));
        tests[t] = (struct CMUnitTest){
            .name = names[t], .test_func = t % 2 ? test_segments : test_type, .initial_state = (void *)(uintptr_t)type};
    }
    memcpy(tests + 2 * COUNT(all_types), others, sizeof others);
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("sort_rows", tests, COUNT(tests), NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
