/* wf_sort and wf_argsort: every type × direction × size of values, over sizes, offsets, kinds of data and ranges of
 * bits, on one device.
 *
 * usage: test_wf_sort [DEVICE [PATTERN [EVERY FIRST]]]
 *        DEVICE: what wf_context_create takes (default: host:64)
 *        PATTERN: which tests, such as 'test_misuse'
 *        EVERY FIRST: of the sizes, every so manieth, from that one on
 *
 * Keys, values and positions are compared bit for bit with a stable qsort's (sort_data.c). So all devices and the CPU's
 * own sort agree bit for bit. */
#include "sort_data.h"

#include <wavefold.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

static wf_context *context;
static data_share share = {1, 0}; /* of the sizes */
static wf_device_info device;

/* ---- One sort --------------------------------------------------------------------------------------------------- */

typedef struct sort_case {
    wf_sort_spec spec;
    unsigned kind;
    size_t count;
} sort_case;

static sort_order order_of(const wf_sort_spec *spec) {
    return (sort_order){.type = spec->type,
                        .descending = spec->descending != 0,
                        .begin_bit = spec->begin_bit,
                        .end_bit = spec->end_bit};
}

static void fail_case(const sort_case *of, const char *what, size_t i) {
    fail_msg("%s %zu of %zu is wrong: %s, descending %u, values of %u bytes, flags %u, bits %u to %u, kind %u", what, i,
             of->count, wf_type_name(of->spec.type), of->spec.descending, of->spec.value_bytes, of->spec.flags,
             of->spec.begin_bit, of->spec.end_bit, of->kind);
}

/* Values whose bytes all depend on the position. */
static unsigned char *make_values(size_t count, size_t bytes) {
    unsigned char *values = memory_of(count * bytes);
    for (size_t i = 0; i < count * bytes; i++)
        values[i] = (unsigned char)(data_hash(i / (bytes != 0 ? bytes : 1)) >> 8 * (i % 8 % (bytes != 0 ? bytes : 1)));
    return values;
}

/* Fails unless moved has, at place i, what stood at positions[i], in elements of so many bytes. */
static void check_moved(const sort_case *of, const char *what, const void *before, const void *moved, size_t bytes,
                        const uint64_t *positions) {
    for (size_t i = 0; i < of->count; i++)
        if (memcmp((const char *)moved + i * bytes, (const char *)before + (size_t)positions[i] * bytes, bytes) != 0)
            fail_case(of, what, i);
}

static void check_sort(const sort_case *of) {
    const size_t key_bytes = wf_type_size(of->spec.type), value_bytes = of->spec.value_bytes, count = of->count;
    void *keys = make_keys(of->spec.type, of->kind, count, 2 + count);
    unsigned char *values = make_values(count, value_bytes);
    guarded key_memory = guard(context, count % 3 * key_bytes, count * key_bytes);
    guarded value_memory = guard(context, count % 5 * value_bytes, count * value_bytes);
    require(wf_copy_to_device(context, inside(&key_memory), keys, count * key_bytes));
    require(wf_copy_to_device(context, inside(&value_memory), values, count * value_bytes));
    void *const values_there = value_bytes != 0 ? inside(&value_memory) : NULL;
    if (count % 2 == 0)
        require(wf_sort(context, &of->spec, inside(&key_memory), values_there, count));
    else
        require(wf_sort_async(context, &of->spec, inside(&key_memory), values_there, count, NULL));
    void *got = release(context, &key_memory), *got_values = release(context, &value_memory);
    const sort_order order = order_of(&of->spec);
    uint64_t *positions = stable_positions(&order, keys, count);
    check_moved(of, "key", keys, got, key_bytes, positions);
    check_moved(of, "value", values, got_values, value_bytes, positions);
    free(positions);
    free(got_values);
    free(got);
    free(values);
    free(keys);
}

static void check_argsort(const sort_case *of) {
    const size_t key_bytes = wf_type_size(of->spec.type), position_bytes = of->spec.value_bytes, count = of->count;
    void *keys = make_keys(of->spec.type, of->kind, count, 3 + count);
    guarded key_memory = guard(context, count % 5 * key_bytes, count * key_bytes);
    guarded position_memory = guard(context, count % 3 * position_bytes, count * position_bytes);
    require(wf_copy_to_device(context, inside(&key_memory), keys, count * key_bytes));
    if (count % 2 != 0)
        require(wf_argsort(context, &of->spec, inside(&key_memory), inside(&position_memory), count));
    else
        require(wf_argsort_async(context, &of->spec, inside(&key_memory), inside(&position_memory), count, NULL));
    void *after = release(context, &key_memory), *got = release(context, &position_memory);
    assert_memory_equal(after, keys, count * key_bytes);
    const sort_order order = order_of(&of->spec);
    uint64_t *positions = stable_positions(&order, keys, count);
    for (size_t i = 0; i < count; i++)
        if (key_at(position_bytes == 4 ? WF_U32 : WF_U64, got, i) != positions[i])
            fail_case(of, "position", i);
    free(positions);
    free(got);
    free(after);
    free(keys);
}

/* ---- Every type ------------------------------------------------------------------------------------------------- */

/* Around waves, around tiles of 3840, 6912 and 7680 keys; primes. */
static const size_t sizes[] = {0,   1,    2,    3,    31,   32,   33,   63,   64,   65,   255,  257,  383, 385,
                               641, 1021, 3839, 3840, 3841, 4096, 6911, 6912, 6913, 7679, 7680, 7681, 8209};
static const uint32_t value_sizes[] = {0, 1, 2, 4, 8, 16};

static void test_type(void **state) {
    const wf_type type = *(const wf_type *)*state;
    size_t number = (size_t)type;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        if (!data_takes(share, s + (size_t)type))
            continue;
        for (size_t v = 0; v < COUNT(value_sizes); v++, number++)
            if (sizes[s] < 1000 || v == s % COUNT(value_sizes))
                check_sort(&(sort_case){.spec = {.type = type, .value_bytes = value_sizes[v], .descending = number % 2},
                                        .kind = (unsigned)(number % KINDS),
                                        .count = sizes[s]});
        check_argsort(&(sort_case){.spec = {.type = type, .value_bytes = s % 2 ? 4 : 8, .descending = number / 2 % 2},
                                   .kind = s % 3 != 0 ? FEW : SPECIAL,
                                   .count = sizes[s]});
    }
}

static const wf_type all_types[] = {WF_F32, WF_F64, WF_F16, WF_BF16, WF_I8,  WF_I16,
                                    WF_I32, WF_I64, WF_U8,  WF_U16,  WF_U32, WF_U64};

/* ---- Several tiles ---------------------------------------------------------------------------------------------- */

/* Larger where it takes no time. */
static size_t scaled(size_t count) {
    return strcmp(device.backend, "host") == 0 ? count : 32 * count;
}

static void test_several_tiles(void **state) {
    (void)state;
    static const sort_case rows[] = {
        {{.type = WF_F32, .value_bytes = 4}, SPECIAL, 50021},
        {{.type = WF_F64, .value_bytes = 8, .descending = 1}, SPECIAL, 20011},
        {{.type = WF_U32, .value_bytes = 8}, FEW, 30011},
        {{.type = WF_I64, .value_bytes = 16}, RANDOM_BITS, 12007},
        {{.type = WF_U32, .value_bytes = 16, .descending = 1}, RANDOM_BITS, 23003},
        {{.type = WF_I16, .value_bytes = 2}, RANDOM_BITS, 40009},
        {{.type = WF_F16, .descending = 1}, SPECIAL, 33001},
        {{.type = WF_BF16, .value_bytes = 1}, SPECIAL, 16001},
        {{.type = WF_U8, .value_bytes = 4}, RANDOM_BITS, 33013},
        {{.type = WF_I8, .descending = 1}, RANDOM_BITS, 40013},
        {{.type = WF_I8, .value_bytes = 16}, FEW, 17011},
        {{.type = WF_I32, .value_bytes = 1}, ALL_EQUAL, 16007},
        {{.type = WF_U64, .value_bytes = 4}, ALL_EQUAL, 16007},
    };
    for (size_t r = 0; r < COUNT(rows); r++)
        if (data_takes(share, r)) {
            sort_case row = rows[r];
            row.count = scaled(row.count);
            check_sort(&row);
        }
    for (size_t t = 0; t < COUNT(all_types); t++)
        if (data_takes(share, t))
            check_argsort(
                &(sort_case){.spec = {.type = all_types[t], .value_bytes = t % 2 ? 8 : 4, .descending = t % 3 != 0},
                             .kind = t % 2 ? FEW : SPECIAL,
                             .count = scaled(15000 + 1237 * t)});
}

/* Keys alone that are too many for the network. */
static void many_keys(void **state) {
    (void)state;
    enum { MANY = (1 << 20) + 4099 };
    if (data_takes(share, 0))
        check_sort(&(sort_case){.spec = {.type = WF_F32}, .kind = RANDOM_BITS, .count = MANY});
}

/* By threads of the CPU, or many tiles: not for the emulator. */
static void large_arrays(void **state) {
    (void)state;
    static const size_t counts[] = {65535, 65536, 65537, 300007, 1048573};
    for (size_t c = 0; c < COUNT(counts); c++)
        for (size_t t = c % 4; t < COUNT(all_types); t += 4) {
            const uint32_t value_bytes = value_sizes[(t + c) % COUNT(value_sizes)];
            check_sort(&(sort_case){.spec = {.type = all_types[t], .value_bytes = value_bytes, .descending = c % 2},
                                    .kind = (unsigned)((t + c) % KINDS),
                                    .count = counts[c]});
            check_argsort(&(sort_case){.spec = {.type = all_types[t], .value_bytes = c % 2 ? 4 : 8},
                                       .kind = (unsigned)((t + c + 3) % KINDS),
                                       .count = counts[c]});
        }
}

/* ---- Ranges of bits, and in place ------------------------------------------------------------------------------- */

static void test_bits(void **state) {
    (void)state;
    static const struct {
        wf_type type;
        uint32_t begin, end;
    } rows[] = {{WF_U32, 0, 1},  {WF_U32, 31, 32}, {WF_I32, 31, 32}, {WF_I32, 0, 31},  {WF_U32, 3, 12},
                {WF_U32, 0, 32}, {WF_U64, 40, 64}, {WF_I64, 0, 17},  {WF_I64, 33, 64}, {WF_U64, 63, 64},
                {WF_U8, 0, 3},   {WF_I8, 7, 8},    {WF_I8, 2, 8},    {WF_U16, 5, 14},  {WF_I16, 0, 16},
                {WF_U64, 0, 64}, {WF_U64, 1, 64},  {WF_I16, 15, 16}, {WF_U8, 0, 8},    {WF_U32, 4, 20}};
    static const size_t counts[] = {300, 7681, 5, 9001, 1000};
    for (size_t r = 0; r < COUNT(rows); r++) {
        if (!data_takes(share, r))
            continue;
        const uint32_t value_bytes = value_sizes[r % COUNT(value_sizes)];
        const wf_sort_spec spec = {.type = rows[r].type,
                                   .value_bytes = value_bytes,
                                   .descending = r % 3 == 0,
                                   .begin_bit = rows[r].begin,
                                   .end_bit = rows[r].end};
        wf_sort_spec positions = spec;
        positions.value_bytes = r % 2 ? 4 : 8;
        check_sort(&(sort_case){spec, RANDOM_BITS, counts[r % COUNT(counts)]});
        check_argsort(&(sort_case){positions, RANDOM_BITS, counts[(r + 1) % COUNT(counts)]});
    }
}

/* The network's values: each stays with its key, in any order of equal keys. */
static void check_in_place(wf_type type, uint32_t value_bytes, bool descending, unsigned kind, size_t count) {
    const wf_sort_spec spec = {
        .type = type, .value_bytes = value_bytes, .descending = descending, .flags = WF_SORT_IN_PLACE};
    const wf_type value_type = value_bytes == 4 ? WF_U32 : WF_U64;
    if (value_bytes == 0) {
        check_sort(&(sort_case){spec, kind, count});
        return;
    }
    const size_t key_bytes = count * wf_type_size(type);
    void *keys = make_keys(type, kind, count, 4 + count), *values = memory_of(count * value_bytes);
    for (size_t i = 0; i < count; i++)
        put_key(value_type, values, i, i);
    guarded key_memory = guard(context, 0, key_bytes), value_memory = guard(context, 0, count * value_bytes);
    require(wf_copy_to_device(context, inside(&key_memory), keys, key_bytes));
    require(wf_copy_to_device(context, inside(&value_memory), values, count * value_bytes));
    require(wf_sort(context, &spec, inside(&key_memory), inside(&value_memory), count));
    void *got = release(context, &key_memory), *got_values = release(context, &value_memory);
    check_keys(&(sort_order){.type = type, .descending = descending}, keys, got, count);
    uint64_t *positions = memory_of(count * sizeof *positions);
    for (size_t i = 0; i < count; i++)
        positions[i] = key_at(value_type, got_values, i);
    check_positions(type, keys, got, positions, count);
    free(positions);
    free(got_values);
    free(got);
    free(values);
    free(keys);
}

static void test_in_place(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F32, WF_F64, WF_I32, WF_I64, WF_U32, WF_U64};
    static const size_t some[] = {0, 1, 2, 3, 17, 1000, 2047, 2049, 4097, 8193, 10007};
    for (size_t t = 0; t < COUNT(types); t++)
        for (uint32_t value_bytes = 0; value_bytes <= 8; value_bytes += 4)
            for (size_t s = 0; s < COUNT(some); s++) {
                const size_t number = s + t + value_bytes / 4;
                if (data_takes(share, number))
                    check_in_place(types[t], value_bytes, number % 2, (unsigned)(number % KINDS), some[s]);
            }
    /* Merges so long that their passes across tiles take eight steps, and twice. */
    if (data_takes(share, 0))
        check_in_place(WF_F64, 8, true, SPECIAL, scaled(527003));
    if (data_takes(share, 1))
        check_in_place(WF_U32, 4, false, FEW, scaled(70001));
    if (data_takes(share, 2))
        check_in_place(WF_F32, 0, false, RANDOM_BITS, scaled(150001));
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
        {WF_U64, false, UINT64_MAX}, {WF_I64, false, INT64_MAX}, {WF_F32, false, 0xff800001},
        {WF_U8, false, UINT8_MAX},   {WF_F16, false, 0xfc01},    {WF_F64, false, 0xfff0000000000001},
    };
    for (size_t r = 0; r < COUNT(rows); r++)
        for (uint32_t flags = 0; flags <= (wf_type_size(rows[r].type) >= 4 ? WF_SORT_IN_PLACE : 0); flags++) {
            const size_t element = wf_type_size(rows[r].type);
            void *keys = memory_of(COUNT_OF_KEYS * element);
            uint64_t values[COUNT_OF_KEYS], got[COUNT_OF_KEYS];
            for (size_t i = 0; i < COUNT_OF_KEYS; i++) {
                put_key(rows[r].type, keys, i, rows[r].last);
                values[i] = i;
            }
            guarded key_memory = guard(context, 0, COUNT_OF_KEYS * element);
            guarded value_memory = guard(context, 0, sizeof values);
            require(wf_copy_to_device(context, inside(&key_memory), keys, COUNT_OF_KEYS * element));
            require(wf_copy_to_device(context, inside(&value_memory), values, sizeof values));
            const wf_sort_spec spec = {
                .type = rows[r].type, .descending = rows[r].descending, .value_bytes = 8, .flags = flags};
            require(wf_sort(context, &spec, inside(&key_memory), inside(&value_memory), COUNT_OF_KEYS));
            void *sorted = release(context, &key_memory), *moved = release(context, &value_memory);
            assert_memory_equal(sorted, keys, COUNT_OF_KEYS * element);
            memcpy(got, moved, sizeof got);
            check_positions(rows[r].type, keys, sorted, got, COUNT_OF_KEYS);
            if (flags == 0)
                assert_memory_equal(got, values, sizeof values);
            free(sorted);
            free(moved);
            free(keys);
        }
}

/* ---- Misuse ----------------------------------------------------------------------------------------------------- */

enum { BYTES = 4096 };

static void check_bad_sorts(char *memory) {
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
        {{.value_bytes = 16}, memory, memory + 1032, 1, WF_INVALID_ARGUMENT, "'values' must be aligned"},
        {pairs, memory, memory + 8, 2, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {pairs, memory + 80, memory, 11, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {pairs, memory, memory, 1, WF_INVALID_ARGUMENT, "'keys' and 'values' overlap"},
        {{.value_bytes = 3}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "must be 0 (keys alone), 1, 2, 4, 8 or 16"},
        {{.value_bytes = 32},
         memory,
         memory + 1024,
         1,
         WF_INVALID_ARGUMENT,
         "must be 0 (keys alone), 1, 2, 4, 8 or 16"},
        {{.flags = 2}, memory, NULL, 1, WF_INVALID_ARGUMENT, "it must be 0 or WF_SORT_IN_PLACE"},
        {{.flags = 1, .type = WF_I8}, memory, NULL, 1, WF_UNSUPPORTED, "keys of 4 and 8 bytes, not i8"},
        {{.flags = 1, .value_bytes = 16}, memory, memory + 1024, 1, WF_UNSUPPORTED, "'value_bytes' is 0, 4 or 8"},
        {{.flags = 1, .type = WF_U32, .end_bit = 4}, memory, NULL, 1, WF_UNSUPPORTED, "compares all bits"},
        {{.end_bit = 4}, memory, NULL, 1, WF_INVALID_ARGUMENT, "floats are sorted by all bits"},
        {{.type = WF_F16, .begin_bit = 1}, memory, NULL, 1, WF_INVALID_ARGUMENT, "floats are sorted by all bits"},
        {{.type = WF_U32, .begin_bit = 4, .end_bit = 4}, memory, NULL, 1, WF_INVALID_ARGUMENT, "less than the second"},
        {{.type = WF_U32, .begin_bit = 4}, memory, NULL, 1, WF_INVALID_ARGUMENT, "less than the second"},
        {{.type = WF_I8, .end_bit = 9}, memory, NULL, 1, WF_INVALID_ARGUMENT, "at most 8, the bits of i8"},
        {{.reserved = {0, 1}}, memory, NULL, 1, WF_INVALID_ARGUMENT, "reserved"},
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
}

static void check_bad_argsorts(char *memory) {
    const wf_sort_spec good = {.type = WF_U32, .value_bytes = 4};
    const struct {
        wf_sort_spec spec;
        void *keys, *positions;
        size_t count;
        wf_status status;
        const char *says;
    } bad[] = {
        {good, NULL, memory, 1, WF_INVALID_ARGUMENT, "'keys' must not be NULL"},
        {good, memory, NULL, 1, WF_INVALID_ARGUMENT, "'positions' must not be NULL"},
        {good, memory, memory + 4, 2, WF_INVALID_ARGUMENT, "'keys' and 'positions' overlap"},
        {{.type = WF_U8, .value_bytes = 4},
         memory,
         memory + 1026,
         1,
         WF_INVALID_ARGUMENT,
         "'positions' must be aligned"},
        {{.type = WF_U8}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "'value_bytes' must be 4 or 8"},
        {{.type = WF_U8, .value_bytes = 16}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "must be 4 or 8"},
        {{.value_bytes = 4, .flags = 1}, memory, memory + 1024, 1, WF_INVALID_ARGUMENT, "wf_argsort has no flags"},
        {{.type = WF_U8, .value_bytes = 4},
         memory,
         memory + 1024,
         (size_t)UINT32_MAX + 2,
         WF_UNSUPPORTED,
         "positions of more than 32 bits"},
        {{.type = WF_TYPE_COUNT, .value_bytes = 4}, memory, memory, 1, WF_INVALID_ARGUMENT, "unknown element type"},
        {{.end_bit = 4, .value_bytes = 4},
         memory,
         memory + 1024,
         1,
         WF_INVALID_ARGUMENT,
         "floats are sorted by all bits"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(wf_argsort(context, &bad[i].spec, bad[i].keys, bad[i].positions, bad[i].count), bad[i].status,
                bad[i].says);
        refuses(wf_argsort_async(context, &bad[i].spec, bad[i].keys, bad[i].positions, bad[i].count, NULL),
                bad[i].status, bad[i].says);
    }
    refuses(wf_argsort(NULL, &good, memory, memory, 1), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_argsort(context, NULL, memory, memory, 1), WF_INVALID_ARGUMENT, "'spec' must not be NULL");
}

static void test_misuse(void **state) {
    (void)state;
    unsigned char before[BYTES], after[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        before[i] = (unsigned char)data_hash(i);
    char *memory;
    require(wf_malloc(context, (void **)&memory, BYTES));
    require(wf_copy_to_device(context, memory, before, BYTES));
    check_bad_sorts(memory);
    check_bad_argsorts(memory);
    require(wf_copy_to_host(context, after, memory, BYTES));
    assert_memory_equal(before, after, BYTES);

    /* Nothing to sort, and arrays that touch. */
    const wf_sort_spec keys = {.type = WF_U32}, pairs = {.type = WF_U64, .value_bytes = 8};
    require(wf_sort(context, &keys, NULL, NULL, 0));
    require(wf_sort(context, &pairs, NULL, NULL, 0));
    require(wf_argsort(context, &pairs, NULL, NULL, 0));
    require(wf_sort(context, &pairs, memory, memory + 80, 10));
    require(wf_sort(context, &pairs, memory + 80, memory, 10));
    require(wf_argsort(context, &pairs, memory + 80, memory, 10));
    wf_free(context, memory);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "host:64";
    if (wf_context_create(&context, name) != WF_OK || wf_context_get_device(context, &device) != WF_OK) {
        fprintf(stderr, "test_wf_sort: %s\n", wf_last_error());
        return 1;
    }
    printf("on %s\n", name);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    share = data_share_of(argc, argv, 3);
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_several_tiles), cmocka_unit_test(many_keys),
        cmocka_unit_test(large_arrays),       cmocka_unit_test(test_bits),
        cmocka_unit_test(test_in_place),      cmocka_unit_test(test_largest_keys_keep_their_values),
        cmocka_unit_test(test_misuse),
    };
    struct CMUnitTest tests[COUNT(all_types) + COUNT(others)];
    char names[COUNT(all_types)][64];
    for (size_t t = 0; t < COUNT(all_types); t++) {
        snprintf(names[t], sizeof names[t], "test_type_%s", wf_type_name(all_types[t]));
        tests[t] =
            (struct CMUnitTest){.name = names[t], .test_func = test_type, .initial_state = (void *)&all_types[t]};
    }
    memcpy(tests + COUNT(all_types), others, sizeof others);
    /* cmocka's macro counts a static array; the function behind it takes a table of any length. */
    const int failed = _cmocka_run_group_tests("wf_sort", tests, COUNT(tests), NULL, NULL);
    wf_context_destroy(context);
    return failed != 0;
}
