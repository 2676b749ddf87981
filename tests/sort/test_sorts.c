/* Every rung that sorts × type × direction, over sizes, tile sizes, offsets and kinds of data, and wf_sort with and
 * without values, on one device.
 *
 * usage: test_sorts [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64)
 *        PATTERN: which tests, such as 'bitonic_f32_*' (default: all)
 *        EVERY FIRST: of the sizes, every so manieth, from that one on
 *
 * Results are compared bit for bit with qsort's, by an order that compares floats as floats. NaN are compared as a
 * multiset of bits, as no order among them is promised. The value that goes with a key says where the key stood: each
 * place must occur once, with its key's bits. */
#include "data.h"

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static wf_context *context;
static data_share share = {1, 0}; /* of the sizes */
static wf_device_info device;

static void *memory_of(size_t bytes) {
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    return memory;
}

/* ---- Keys: their bits, and the order that wavefold.h states --------------------------------------------------------
 */

static const wf_type types[] = {WF_F32, WF_F64, WF_I32, WF_I64, WF_U32, WF_U64};

static uint64_t get(wf_type type, const void *keys, size_t i) {
    return wf_type_size(type) == 4 ? ((const uint32_t *)keys)[i] : ((const uint64_t *)keys)[i];
}

static void put(wf_type type, void *keys, size_t i, uint64_t bits) {
    if (wf_type_size(type) == 4)
        ((uint32_t *)keys)[i] = (uint32_t)bits;
    else
        ((uint64_t *)keys)[i] = bits;
}

static bool is_float(wf_type type) {
    return type == WF_F32 || type == WF_F64;
}

static double as_float(wf_type type, uint64_t bits) {
    const uint32_t half = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return type == WF_F32 ? (double)narrow : wide;
}

static bool is_nan(wf_type type, uint64_t bits) {
    return is_float(type) && isnan(as_float(type, bits));
}

static int compare(wf_type type, uint64_t a, uint64_t b) {
    if (is_float(type)) {
        const double x = as_float(type, a), y = as_float(type, b);
        if (isnan(x) || isnan(y))
            return !!isnan(x) - !!isnan(y);
        return x != y ? (x > y) - (x < y) : !!signbit(y) - !!signbit(x);
    }
    if (type == WF_I32 || type == WF_I64) {
        const int64_t x = type == WF_I32 ? (int32_t)(uint32_t)a : (int64_t)a;
        const int64_t y = type == WF_I32 ? (int32_t)(uint32_t)b : (int64_t)b;
        return (x > y) - (x < y);
    }
    return (a > b) - (a < b);
}

static wf_type compared_type; /* qsort passes nothing on */

static int compare_keys(const void *a, const void *b) {
    return compare(compared_type, get(compared_type, a, 0), get(compared_type, b, 0));
}

static int compare_bits(const void *a, const void *b) {
    return compare(WF_U64, *(const uint64_t *)a, *(const uint64_t *)b);
}

static void sort_keys(wf_type type, void *keys, size_t count, bool descending) {
    compared_type = type;
    if (count != 0)
        qsort(keys, count, wf_type_size(type), compare_keys);
    for (size_t i = 0; descending && i < count / 2; i++) {
        const uint64_t front = get(type, keys, i);
        put(type, keys, i, get(type, keys, count - 1 - i));
        put(type, keys, count - 1 - i, front);
    }
}

/* ---- Data ---------------------------------------------------------------------------------------------------------
 */

enum { RANDOM_BITS, ORDINARY, ALL_EQUAL, SORTED, REVERSED, FEW, SPECIAL, KINDS };

/* Bits of NaN's, infinities, zeros, subnormals and their neighbours, or of what is extreme among integers. */
static uint64_t special(wf_type type, uint64_t random) {
    static const uint32_t narrow[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff,
                                      0x7fc12345, 0xffc54321, 0x7f800000, 0xff800000, 0x00000000, 0x80000000,
                                      0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
                                      0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000};
    static const uint64_t wide[] = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xfff0000000000001,
                                    0x7fffffffffffffff, 0xffffffffffffffff, 0x7ff8000000012345, 0xfff8000000054321,
                                    0x7ff0000000000000, 0xfff0000000000000, 0x0000000000000000, 0x8000000000000000,
                                    0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff,
                                    0x0010000000000000, 0x8010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
                                    0x3ff0000000000000, 0xbff0000000000000};
    return wf_type_size(type) == 4 ? narrow[random % COUNT(narrow)] : wide[random % COUNT(wide)];
}

static uint64_t ordinary(wf_type type, uint64_t random) {
    const double uniform = (double)(int64_t)random * 0x1p-63; /* in [-1, 1] */
    const float narrow = (float)uniform;
    uint32_t half;
    uint64_t bits;
    memcpy(&half, &narrow, sizeof half);
    memcpy(&bits, &uniform, sizeof bits);
    return type == WF_F32 ? half : type == WF_F64 ? bits : random >> 40;
}

static void *make_keys(wf_type type, unsigned kind, size_t count, uint64_t seed) {
    void *keys = memory_of(count * wf_type_size(type));
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = data_hash(seed ^ (i * 2 + 1));
        uint64_t bits = random;
        if (kind == ORDINARY)
            bits = ordinary(type, random);
        else if (kind == ALL_EQUAL)
            bits = data_hash(seed);
        else if (kind == FEW)
            bits = data_hash(seed + random % 5);
        else if (kind == SPECIAL)
            bits = special(type, random);
        put(type, keys, i, bits);
    }
    if (kind == SORTED || kind == REVERSED)
        sort_keys(type, keys, count, kind == REVERSED);
    return keys;
}

/* ---- What must hold -----------------------------------------------------------------------------------------------
 */

/* The keys are those of the input, in order. */
static void check_keys(wf_type type, const void *in, const void *got, size_t count, bool descending) {
    const size_t bytes = count * wf_type_size(type);
    void *expected = memory_of(bytes);
    memcpy(expected, in, bytes);
    sort_keys(type, expected, count, descending);
    uint64_t *nans[2] = {memory_of(count * sizeof(uint64_t)), memory_of(count * sizeof(uint64_t))};
    size_t nan_count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t want = get(type, expected, i), have = get(type, got, i);
        if (is_nan(type, want) ? !is_nan(type, have) : want != have)
            fail_msg("key %zu of %zu has bits %#llx, not %#llx", i, count, (unsigned long long)have,
                     (unsigned long long)want);
        nans[0][nan_count] = want;
        nans[1][nan_count] = have;
        nan_count += is_nan(type, want);
    }
    for (size_t k = 0; k < 2; k++)
        qsort(nans[k], nan_count, sizeof(uint64_t), compare_bits);
    assert_memory_equal(nans[0], nans[1], nan_count * sizeof(uint64_t));
    free(nans[0]);
    free(nans[1]);
    free(expected);
}

/* Key i stood at place of[i] before, and every place occurs once. */
static void check_places(wf_type type, const void *in, const void *got, const uint64_t *of, size_t count) {
    unsigned char *seen = memory_of(count);
    memset(seen, 0, count);
    for (size_t i = 0; i < count; i++) {
        if (of[i] >= count || seen[of[i]]++)
            fail_msg("key %zu of %zu should have stood at %llu: there is none, or another", i, count,
                     (unsigned long long)of[i]);
        if (get(type, got, i) != get(type, in, of[i]))
            fail_msg("key %zu of %zu is not the one that stood at %llu", i, count, (unsigned long long)of[i]);
    }
    free(seen);
}

/* Memory of the device between margins, which must stay as they are. */
enum { MARGIN = 64, MARGIN_BYTE = 0x5c };

typedef struct guarded {
    unsigned char *memory;
    size_t begin, bytes;
} guarded;

static guarded guard(size_t offset, size_t bytes) {
    guarded made = {.begin = MARGIN + offset, .bytes = bytes};
    const size_t all = made.begin + bytes + MARGIN;
    unsigned char *filled = memory_of(all);
    memset(filled, MARGIN_BYTE, all);
    require(wf_malloc(context, (void **)&made.memory, all));
    require(wf_copy_to_device(context, made.memory, filled, all));
    free(filled);
    return made;
}

static void *inside(const guarded *memory) {
    return memory->memory + memory->begin;
}

/* Frees it; the caller frees what it held. */
static void *release(guarded *memory) {
    const size_t all = memory->begin + memory->bytes + MARGIN;
    unsigned char *held = memory_of(all);
    require(wf_copy_to_host(context, held, memory->memory, all));
    wf_free(context, memory->memory);
    for (size_t i = 0; i < all; i++)
        if ((i < memory->begin || i >= memory->begin + memory->bytes) && held[i] != MARGIN_BYTE)
            fail_msg("a byte beside the result has changed: %zu, of bytes %zu to %zu", i, memory->begin,
                     memory->begin + memory->bytes);
    memmove(held, held + memory->begin, memory->bytes);
    return held;
}

/* ---- Rungs --------------------------------------------------------------------------------------------------------
 */

typedef struct combination {
    size_t rung;
    wf_type type;
    bool descending, is_pairs, heeds_tile;
    size_t number;
} combination;

static void check_rung(const combination *spec, uint32_t tile_size, unsigned kind, size_t count, bool in_place) {
    const size_t element = wf_type_size(spec->type), bytes = count * element;
    const wf_rung_options options = {.type = spec->type, .tile_size = tile_size, .descending = spec->descending};
    const size_t result_bytes = bytes + (spec->is_pairs ? count * sizeof(uint32_t) : 0);
    void *keys = make_keys(spec->type, kind, count, 1 + count);
    guarded in = guard(count % 5 * element, bytes), out = guard(count % 3 * element, result_bytes);
    require(wf_copy_to_device(context, inside(&in), keys, bytes));
    wf_rung_report report;
    require(wf_rung_run(context, spec->rung, &options, inside(&in), count, inside(in_place ? &in : &out),
                        bytes_of_rung_result(spec->rung, &options, count), &report));
    assert_int_equal(report.depth, 0);
    assert_int_equal(report.flushes, 0);
    assert_true(count == 0 ? report.launches == 0 : report.launches > 0 && report.threads > 0);

    void *after = release(&in), *result = release(&out);
    if (!in_place)
        assert_memory_equal(after, keys, bytes);
    check_keys(spec->type, keys, in_place ? after : result, count, spec->descending);
    if (spec->is_pairs) {
        const uint32_t *positions = (const uint32_t *)((const char *)result + bytes);
        uint64_t *of = memory_of(count * sizeof *of);
        for (size_t i = 0; i < count; i++)
            of[i] = positions[i];
        check_places(spec->type, keys, result, of, count);
        free(of);
    }
    free(after);
    free(result);
    free(keys);
}

/* Around powers of two, the networks' tiles of 512 to 8192 elements among them, and primes. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,   16,   17,    31,
                               32,   33,   63,   64,   65,   127,  128,  129,  257,  509,  511,  512,   513,
                               1023, 1024, 1025, 2047, 2048, 2049, 4093, 4096, 4097, 8192, 8193, 12289, 16385};
static const size_t large_sizes[] = {40961, 65521, 65536, 65537, 69997, 70001};

static void test_rung(void **state) {
    const combination *spec = *state;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (unsigned kind = 0; kind < KINDS && data_takes(share, s); kind++)
            if (s % 8 == 1 || kind == s % KINDS || kind == (s + spec->number + 1) % KINDS)
                check_rung(spec, 0, kind, sizes[s], !spec->is_pairs && (s + kind) % 2 == 0);
    if (data_takes(share, spec->number / COUNT(large_sizes) + spec->number))
        check_rung(spec, 0, spec->number % 2 ? RANDOM_BITS : SPECIAL, large_sizes[spec->number % COUNT(large_sizes)],
                   !spec->is_pairs && spec->descending);

    static const uint32_t tile_sizes[] = {2, 4, 32, 64, 1024};
    for (size_t t = 0; spec->heeds_tile && t < COUNT(tile_sizes); t++) {
        const size_t tile = 2 * tile_sizes[t];
        const size_t of_tile[] = {1, tile - 1, tile, tile + 1, 3 * tile - 1, 5 * tile + 1};
        for (size_t s = 0; s < COUNT(of_tile); s++)
            if (data_takes(share, s))
                check_rung(spec, tile_sizes[t], (unsigned)((s + spec->number) % KINDS), of_tile[s], false);
    }
}

/* ---- wf_sort ------------------------------------------------------------------------------------------------------
 */

/* A value tells its key's place, and has bits of its own all over. */
static const uint64_t factor = 0x9e3779b97f4a7c15u, inverse = 0xf1de83e19937733du;

static void check_sort(wf_type type, uint32_t value_bytes, bool descending, unsigned kind, size_t count) {
    const wf_sort_spec spec = {.type = type, .descending = descending, .value_bytes = value_bytes};
    const size_t bytes = count * wf_type_size(type);
    void *keys = make_keys(type, kind, count, 2 + count);
    guarded key_memory = guard(count % 3 * wf_type_size(type), bytes);
    require(wf_copy_to_device(context, inside(&key_memory), keys, bytes));
    if (value_bytes == 0) {
        require(wf_sort(context, &spec, inside(&key_memory), NULL, count));
        void *got = release(&key_memory);
        check_keys(type, keys, got, count, descending);
        free(got);
        free(keys);
        return;
    }

    const wf_type value_type = value_bytes == 4 ? WF_U32 : WF_U64;
    void *values = memory_of(count * value_bytes);
    for (size_t i = 0; i < count; i++)
        put(value_type, values, i, i * factor + 12345);
    guarded value_memory = guard(count % 5 * value_bytes, count * value_bytes);
    require(wf_copy_to_device(context, inside(&value_memory), values, count * value_bytes));
    require(wf_sort_async(context, &spec, inside(&key_memory), inside(&value_memory), count, NULL));
    void *got = release(&key_memory), *got_values = release(&value_memory); /* copies wait for the sort */
    check_keys(type, keys, got, count, descending);
    uint64_t *of = memory_of(count * sizeof *of);
    for (size_t i = 0; i < count; i++) {
        of[i] = (get(value_type, got_values, i) - 12345) * inverse;
        if (value_bytes == 4)
            of[i] = (uint32_t)of[i];
    }
    check_places(type, keys, got, of, count);
    free(of);
    free(values);
    free(got);
    free(got_values);
    free(keys);
}

static void test_sort(void **state) {
    (void)state;
    static const size_t some[] = {0, 1, 2, 3, 17, 1000, 2047, 2049, 4097, 8193, 10007};
    enum { SANITIZED = 40 }; /* runs of so small a share are slow; all others take everything */
    const data_share taken = share.every < SANITIZED ? (data_share){1, 0} : share;
    assert_true(factor * inverse == 1);
    for (size_t t = 0; t < COUNT(types); t++)
        for (uint32_t value_bytes = 0; value_bytes <= 8; value_bytes += 4)
            for (size_t s = 0; s < COUNT(some); s++) {
                const size_t number = s + t + value_bytes / 4;
                if (data_takes(taken, number))
                    check_sort(types[t], value_bytes, number % 2, (unsigned)(number % KINDS), some[s]);
            }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (!data_takes(taken, kind))
            continue;
        check_sort(WF_F32, 4, kind % 2, kind, 5003);
        check_sort(WF_F64, 8, kind % 2, kind, 5003);
    }
}

/* Merges so long that their passes across tiles take eight steps, and twice; larger ones where it takes no time. */
static void test_long_merges(void **state) {
    (void)state;
    static const struct {
        wf_type type;
        uint32_t value_bytes;
        bool descending;
        unsigned kind;
        size_t count;
    } rows[] = {{WF_F32, 0, false, RANDOM_BITS, 150001},
                {WF_I64, 0, true, RANDOM_BITS, 135007},
                {WF_U32, 4, false, FEW, 70001},
                {WF_F64, 8, true, SPECIAL, 527003}};
    const size_t scale = strcmp(device.backend, "host") == 0 ? 1 : 32;
    for (size_t r = 0; r < COUNT(rows); r++)
        if (data_takes(share, r))
            check_sort(rows[r].type, rows[r].value_bytes, rows[r].descending, rows[r].kind, rows[r].count * scale);
}

/* Keys that are all as large as what stands behind the end: they must not change places with it, or their values are
 * lost. */
static void test_largest_keys_keep_their_values(void **state) {
    (void)state;
    enum { COUNT_OF_KEYS = 3000 };
    static const struct {
        wf_type type;
        bool descending;
        uint64_t last; /* the key with the largest code: that of what stands behind the end */
    } rows[] = {
        {WF_U32, false, UINT32_MAX}, {WF_U32, true, 0},          {WF_I32, false, INT32_MAX},
        {WF_U64, false, UINT64_MAX}, {WF_I64, false, INT64_MAX}, {WF_F32, false, 0xffffffff},
        {WF_F64, false, UINT64_MAX},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        const size_t element = wf_type_size(rows[r].type);
        void *keys = memory_of(COUNT_OF_KEYS * element);
        uint64_t values[COUNT_OF_KEYS], got[COUNT_OF_KEYS];
        for (size_t i = 0; i < COUNT_OF_KEYS; i++) {
            put(rows[r].type, keys, i, rows[r].last);
            values[i] = i;
        }
        guarded key_memory = guard(0, COUNT_OF_KEYS * element), value_memory = guard(0, sizeof values);
        require(wf_copy_to_device(context, inside(&key_memory), keys, COUNT_OF_KEYS * element));
        require(wf_copy_to_device(context, inside(&value_memory), values, sizeof values));
        const wf_sort_spec spec = {.type = rows[r].type, .descending = rows[r].descending, .value_bytes = 8};
        require(wf_sort(context, &spec, inside(&key_memory), inside(&value_memory), COUNT_OF_KEYS));
        void *sorted = release(&key_memory), *moved = release(&value_memory);
        assert_memory_equal(sorted, keys, COUNT_OF_KEYS * element);
        memcpy(got, moved, sizeof got);
        check_places(rows[r].type, keys, sorted, got, COUNT_OF_KEYS);
        free(sorted);
        free(moved);
        free(keys);
    }
}

static void test_misuse(void **state) {
    (void)state;
    enum { BYTES = 4096 };
    unsigned char before[BYTES], after[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        before[i] = (unsigned char)data_hash(i);
    char *memory;
    require(wf_malloc(context, (void **)&memory, BYTES));
    require(wf_copy_to_device(context, memory, before, BYTES));
    const wf_sort_spec keys = {.type = WF_U32}, pairs = {.type = WF_U64, .value_bytes = 8};

    const struct {
        wf_sort_spec spec;
        void *keys, *values;
        size_t count;
        wf_status status;
        const char *says;
    } bad[] = {
        {keys, NULL, NULL, 1, WF_INVALID_ARGUMENT, "'keys' must not be NULL"},
        {pairs, memory, NULL, 1, WF_INVALID_ARGUMENT, "'values' must not be NULL"},
        {keys, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "'value_bytes' is 0"},
        {keys, NULL, memory, 0, WF_INVALID_ARGUMENT, "'value_bytes' is 0"},
        {keys, memory + 2, NULL, 1, WF_INVALID_ARGUMENT, "'keys' must be aligned to its type's 4 bytes"},
        {pairs, memory + 4, memory + 1024, 1, WF_INVALID_ARGUMENT, "'keys' must be aligned to its type's 8 bytes"},
        {pairs, memory, memory + 1028, 1, WF_INVALID_ARGUMENT, "'values' must be aligned to its type's 8 bytes"},
        {pairs, memory, memory + 8, 2, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {pairs, memory + 80, memory, 11, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {pairs, memory, memory, 1, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {{.value_bytes = 2}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "must be 0 (keys alone), 4 or 8"},
        {{.value_bytes = 16}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "must be 0 (keys alone), 4 or 8"},
        {{.type = WF_I8}, memory, NULL, 1, WF_UNSUPPORTED, "keys of 4 and 8 bytes, not i8"},
        {{.type = WF_BF16}, memory, NULL, 1, WF_UNSUPPORTED, "keys of 4 and 8 bytes, not bf16"},
        {{.type = WF_TYPE_COUNT}, memory, NULL, 1, WF_INVALID_ARGUMENT, "unknown element type"},
        {{.type = (wf_type)-1}, memory, NULL, 1, WF_INVALID_ARGUMENT, "unknown element type"},
        {keys, memory, NULL, SIZE_MAX / 2, WF_INVALID_ARGUMENT, "more than an address space"},
        {{.value_bytes = 8}, memory, memory + 1024, SIZE_MAX / 8, WF_INVALID_ARGUMENT, "more than an address space"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(wf_sort(context, &bad[i].spec, bad[i].keys, bad[i].values, bad[i].count), bad[i].status, bad[i].says);
        refuses(wf_sort_async(context, &bad[i].spec, bad[i].keys, bad[i].values, bad[i].count, NULL), bad[i].status,
                bad[i].says);
    }
    refuses(wf_sort(NULL, &keys, memory, NULL, 1), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_sort(context, NULL, memory, NULL, 1), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
    refuses(wf_sort_async(NULL, &keys, memory, NULL, 1, NULL), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    for (size_t count = 0; count <= 9 && strcmp(device.backend, "host") == 0; count += 9)
        refuses(wf_sort_async(context, &keys, memory, NULL, count, memory), WF_INVALID_ARGUMENT,
                "'stream' must be NULL");
    require(wf_copy_to_host(context, after, memory, BYTES));
    assert_memory_equal(before, after, BYTES);

    /* Nothing to sort, and arrays that touch. */
    require(wf_sort(context, &keys, NULL, NULL, 0));
    require(wf_sort(context, &pairs, NULL, NULL, 0));
    require(wf_sort(context, &pairs, memory, memory + 80, 10));
    require(wf_sort(context, &pairs, memory + 80, memory, 10));
    wf_free(context, memory);
}

static void test_rung_misuse(void **state) {
    (void)state;
    size_t keys, pairs;
    require(wf_rung_find("bitonic", &keys));
    require(wf_rung_find("bitonic_pairs", &pairs));
    char *memory;
    require(wf_malloc(context, (void **)&memory, 4096));
    const wf_rung_options good = {.type = WF_U32};
    refuses(wf_rung_run(context, keys, &good, memory, 8, memory + 4, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_rung_run(context, pairs, &good, memory, 8, memory, bytes_of_rung_result(pairs, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    refuses(wf_rung_run(context, keys, &good, memory + 24, 8, memory, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "overlap");
    const uint32_t values[8] = {3, 1, 2};
    require(wf_copy_to_device(context, memory + 32, values, sizeof values));
    require(wf_rung_run(context, keys, &good, memory + 32, 8, memory, bytes_of_rung_result(keys, &good, 8),
                        NULL)); /* one behind the other */
    refuses(wf_rung_run(context, keys, &good, memory, 8, NULL, 0, NULL), WF_INVALID_ARGUMENT,
            "'result' must not be NULL");
    refuses(wf_rung_run(context, keys, &good, NULL, 8, memory, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "'in' must not be NULL");
    refuses(wf_rung_run(context, keys, &good, memory, 8, memory + 1026, bytes_of_rung_result(keys, &good, 8), NULL),
            WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_rung_run(context, keys, &(wf_rung_options){.type = WF_U8}, memory, 8, memory,
                        bytes_of_rung_result(keys, &(wf_rung_options){.type = WF_U8}, 8), NULL),
            WF_UNSUPPORTED, "bitonic takes keys of 4 and 8 bytes, not u8");
    refuses(wf_rung_run(context, keys, &(wf_rung_options){.tile_size = 48}, memory, 8, memory,
                        bytes_of_rung_result(keys, &(wf_rung_options){.tile_size = 48}, 8), NULL),
            WF_INVALID_ARGUMENT, "power of two");
    refuses(wf_rung_run(context, pairs, &good, memory, (size_t)UINT32_MAX + 2, memory + 4,
                        bytes_of_rung_result(pairs, &good, (size_t)UINT32_MAX + 2), NULL),
            WF_UNSUPPORTED, "positions in 32 bits");
    require(wf_rung_run(context, keys, &(wf_rung_options){.op = (wf_op)99}, NULL, 0, NULL, 0, NULL));
    wf_free(context, memory);
}

/* Launches, as the networks have them. */
static void test_reports(void **state) {
    (void)state;
    static const struct {
        const char *rung;
        wf_rung_options options;
        size_t count;
        uint32_t launches, tile_size;
        uint64_t threads;
    } rows[] = {
        {"bitonic", {.tile_size = 0}, 512, 1, 256, 256},
        {"bitonic", {.tile_size = 0}, 513, 1 + 2, 256, 512},
        /* blocks of 1024 to 8192: 1 to 4 long strides each, and the tiles */
        {"bitonic_pairs", {.tile_size = 0}, 8000, 1 + 2 + 3 + 4 + 5, 256, 4096},
        {"bitonic", {.tile_size = 2, .type = WF_F64}, 16, 1 + 2 + 3, 2, 8},
        {"bitonic_registers", {.tile_size = 0}, 8192, 1, 512, 512},
        {"bitonic_registers", {.tile_size = 0}, 8193, 1 + 2, 512, 1024},
        {"bitonic_registers", {.type = WF_F64}, 8193, 1 + 2 + 2, 256, 1024},
    };
    void *memory, *result;
    require(wf_malloc(context, &memory, 8193 * 12));
    require(wf_malloc(context, &result, 8193 * 12));
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t rung;
        wf_rung_report report;
        require(wf_rung_find(rows[i].rung, &rung));
        require(wf_rung_run(context, rung, &rows[i].options, memory, rows[i].count, result,
                            bytes_of_rung_result(rung, &rows[i].options, rows[i].count), &report));
        if (device.max_tiles > 1000 && (report.launches != rows[i].launches || report.threads != rows[i].threads))
            fail_msg("%s, row %zu: %u launches, %llu threads", rows[i].rung, i, report.launches,
                     (unsigned long long)report.threads);
        assert_int_equal(report.tile_size, rows[i].tile_size);
        assert_true(report.device_seconds > 0 && report.total_seconds > 0 && report.total_seconds < 60);
    }
    wf_free(context, memory);
    wf_free(context, result);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, name) != WF_OK || wf_context_get_device(context, &device) != WF_OK) {
        fprintf(stderr, "test_sorts: %s\n", wf_last_error());
        return 1;
    }
    printf("on %s\n", name);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_sort),        cmocka_unit_test(test_long_merges),
        cmocka_unit_test(test_misuse),      cmocka_unit_test(test_largest_keys_keep_their_values),
        cmocka_unit_test(test_rung_misuse), cmocka_unit_test(test_reports),
    };
    const size_t most = wf_rung_count() * COUNT(types) * 2 + COUNT(others);
    combination *combinations = calloc(most, sizeof *combinations);
    struct CMUnitTest *tests = calloc(most, sizeof *tests);
    char(*names)[64] = calloc(most, sizeof *names);
    if (combinations == NULL || tests == NULL || names == NULL)
        return 1;
    size_t count = COUNT(others);
    memcpy(tests, others, sizeof others);
    for (size_t rung = 0; rung < wf_rung_count(); rung++) {
        wf_rung_info info;
        if (wf_rung_get_info(rung, &info) != WF_OK)
            return 1;
        if (info.kind != WF_RUNG_SORTS && info.kind != WF_RUNG_SORTS_PAIRS)
            continue;
        for (size_t t = 0; t < 2 * COUNT(types); t++, count++) {
            combinations[count] = (combination){.rung = rung,
                                                .type = types[t / 2],
                                                .descending = t % 2,
                                                .is_pairs = info.kind == WF_RUNG_SORTS_PAIRS,
                                                .heeds_tile = (info.parameters & WF_RUNG_TILE) != 0,
                                                .number = count};
            snprintf(names[count], sizeof names[count], "%s_%s%s", info.name, wf_type_name(types[t / 2]),
                     t % 2 ? "_descending" : "");
            tests[count] = (struct CMUnitTest){
                .name = names[count], .test_func = test_rung, .initial_state = &combinations[count]};
        }
    }
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("sorts", tests, count, NULL, NULL);
    free(names);
    free(tests);
    free(combinations);
    wf_context_destroy(context);
    return failed != 0;
}
