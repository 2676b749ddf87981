/* wf_reduce_by_key and wf_scatter_reduce: every result is what wf_reduce gives for the elements of the run or the bin.
 *
 *   test_by_key DEVICE [PATTERN] */
#include "folds.h"
#include "numbers.h"

#include <wavefold_by_key.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define UNWRITTEN 0x5a

static wf_context *context, *host; /* the device under test; the CPU, which has each run by itself */

static void *put(const void *from, size_t bytes) {
    void *there;
    require(wf_malloc(context, &there, bytes + 1));
    require(wf_copy_to_device(context, there, from, bytes));
    return there;
}

static void get(void *to, const void *from, size_t bytes) {
    require(wf_copy_to_host(context, to, from, bytes));
}

/* Memory of which each byte is UNWRITTEN. */
static char *blank(size_t bytes) {
    char *const made = malloc(bytes + 1);
    memset(made, UNWRITTEN, bytes + 1);
    return made;
}

static void require_alike(const wf_reduce_spec *spec, const wf_reduction_info *info, const char *part, uint64_t number,
                          const char *elements, uint64_t count, const char *got) {
    const wf_reduce_spec by = fold_rounded_once(*spec, info);
    char wanted[WF_RESULT_BYTES];
    require(wf_reduce(host, &by, elements, count, wanted, info->result_bytes));
    if (!fold_results_alike(info, wanted, got))
        fail_msg("%s of %s: %s %llu of %llu elements is wrong (%.17g, not %.17g)", wf_op_name(spec->op),
                 wf_type_name(spec->type), part, (unsigned long long)number, (unsigned long long)count,
                 (double)number_value(info->result_type, got, 0), (double)number_value(info->result_type, wanted, 0));
}

/* True if the order in which elements combine shows in the result, so that wf_reduce may give other bits. */
static bool rounds_at_each_step(const wf_reduce_spec *spec) {
    return number_is_float(spec->type) ? spec->op == WF_PRODUCT || spec->op == WF_MATMUL || spec->op == WF_AFFINE
                                       : spec->op == WF_MEAN;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

typedef enum run_lengths { ONE_RUN, NO_RUNS_OF_TWO, SHORT_RUNS, LONG_RUNS } run_lengths;

static bool begins_run(run_lengths lengths, uint64_t i, uint64_t *seed) {
    switch (lengths) {
    case ONE_RUN:
        return i == 0;
    case NO_RUNS_OF_TWO:
        return true;
    case SHORT_RUNS:
        return fold_random(seed) % 4 == 0;
    case LONG_RUNS:
        return fold_random(seed) % 20000 == 0;
    }
    return false;
}

typedef struct run_case {
    const wf_reduce_spec *spec; /* NULL: lengths */
    wf_type key_type;
    run_lengths lengths;
    uint64_t count;
    uint64_t left_out; /* runs that result has no room for */
    bool is_async;
} run_case;

/* Keys that differ from their left neighbour in one bit, and the indices at which runs begin; returns their number. */
static uint64_t make_runs(const run_case *of, char *keys, uint64_t *begins, uint64_t *seed) {
    const uint64_t bits = 8 * wf_type_size(of->key_type);
    uint64_t runs = 0, key = fold_random(seed);
    for (uint64_t i = 0; i < of->count; i++) {
        if (i == 0 || begins_run(of->lengths, i, seed)) {
            key ^= UINT64_C(1) << fold_random(seed) % bits;
            begins[runs++] = i;
        }
        number_put_integer(of->key_type, keys, i, key);
    }
    begins[runs] = of->count;
    return runs;
}

static void check_runs(const run_case *of) {
    uint64_t seed = 88172645463325252u + of->count * 64 + (uint64_t)of->lengths;
    wf_reduction_info info = {.element_bytes = 0, .result_bytes = sizeof(uint64_t)};
    if (of->spec != NULL)
        require(wf_reduction_get_info(of->spec, &info));
    const size_t key_bytes = wf_type_size(of->key_type), count = of->count;
    char *const keys = malloc(count * key_bytes + 1), *const values = malloc(count * info.element_bytes + 1);
    uint64_t *const begins = malloc((count + 2) * sizeof *begins), runs = make_runs(of, keys, begins, &seed), found;
    if (of->spec != NULL)
        fold_fill(of->spec->type, values, count * info.element_bytes / wf_type_size(of->spec->type), count % 3 == 0,
                  &seed);
    const uint64_t room = runs > of->left_out ? runs - of->left_out : 0;
    char *const unique = blank(runs * key_bytes), *const results = blank(runs * info.result_bytes);
    void *const keys_there = put(keys, count * key_bytes), *const values_there =
                                                               put(values, count * info.element_bytes);
    void *const unique_there = put(unique, runs * key_bytes), *const there = put(results, runs * info.result_bytes);
    uint64_t *const runs_there = put(&seed, sizeof seed);
    const void *const given = of->spec != NULL ? values_there : NULL;
    if (of->is_async) {
        require(wf_reduce_by_key_async(context, of->spec, of->key_type, keys_there, given, count, unique_there, there,
                                       room * info.result_bytes, runs_there, NULL));
        get(&found, runs_there, sizeof found);
    } else {
        require(wf_reduce_by_key(context, of->spec, of->key_type, keys_there, given, count, unique_there, there,
                                 room * info.result_bytes, &found));
    }
    get(unique, unique_there, runs * key_bytes);
    get(results, there, runs * info.result_bytes);
    assert_int_equal(found, runs);
    for (uint64_t r = 0; r < room; r++) {
        const uint64_t length = begins[r + 1] - begins[r];
        assert_memory_equal(unique + r * key_bytes, keys + begins[r] * key_bytes, key_bytes);
        if (of->spec == NULL)
            assert_int_equal(((uint64_t *)(void *)results)[r], length);
        else
            require_alike(of->spec, &info, "run", r, values + begins[r] * info.element_bytes, length,
                          results + r * info.result_bytes);
    }
    for (uint64_t i = room * key_bytes; i < runs * key_bytes; i++)
        assert_int_equal(unique[i], UNWRITTEN);
    for (uint64_t i = room * info.result_bytes; i < runs * info.result_bytes; i++)
        assert_int_equal(results[i], UNWRITTEN);
    void *const blocks[] = {keys_there, values_there, unique_there, there, runs_there};
    for (size_t i = 0; i < COUNT(blocks); i++)
        require(wf_free(context, blocks[i]));
    free(keys);
    free(values);
    free(begins);
    free(unique);
    free(results);
}

static void test_runs(void **state) {
    (void)state;
    static const wf_op ops[] = {WF_SUM, WF_MEAN, WF_MAX, WF_MINMAX, WF_ARGMIN, WF_XOR, WF_MATMUL};
    static const uint64_t counts[] = {0, 1, 2, 3, 31, 33, 63, 65, 255, 257, 1023, 1025, 2053, 5000};
    size_t tests = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t op = 0; op < COUNT(ops); op++) {
            const wf_reduce_spec spec = {.type = (wf_type)type, .op = ops[op]};
            wf_reduction_info info;
            if (wf_reduction_get_info(&spec, &info) != WF_OK || rounds_at_each_step(&spec))
                continue;
            check_runs(&(run_case){&spec, (wf_type)(tests % WF_TYPE_COUNT), (run_lengths)(tests % 3),
                                   counts[tests % COUNT(counts)], tests % 5, tests % 2 != 0});
            tests++;
        }
    assert_true(tests > 50);
    for (size_t i = 0; i < COUNT(counts); i++)
        for (uint64_t left_out = 0; left_out < 3; left_out++)
            check_runs(&(run_case){NULL, (wf_type)(i % WF_TYPE_COUNT), (run_lengths)((i + left_out) % 3), counts[i],
                                   left_out, i % 2 != 0});
}

/* Runs that several tiles share, in which segments are reduced by chunks. */
static void test_long_runs(void **state) {
    (void)state;
    static const wf_reduce_spec specs[] = {{.type = WF_F32}, {.type = WF_F64, .op = WF_MEAN}, {.type = WF_U8}};
    for (size_t i = 0; i < COUNT(specs); i++) {
        check_runs(&(run_case){&specs[i], WF_U32, LONG_RUNS, 70001, 0, false});
        check_runs(&(run_case){&specs[i], WF_U8, LONG_RUNS, 66000, 1, true});
        check_runs(&(run_case){&specs[i], WF_U64, ONE_RUN, 70001, 0, i % 2 == 0});
    }
}

/* ---- Bins ------------------------------------------------------------------------------------------------------- */

typedef enum index_kind { ALL_EQUAL, PERMUTATION, POWER_LAW, SOME_OUTSIDE } index_kind;

static uint64_t index_of(index_kind kind, uint64_t i, uint64_t bins, uint64_t *seed) {
    const uint64_t random = fold_random(seed) >> 11;
    if (bins == 0)
        return random;
    switch (kind) {
    case ALL_EQUAL:
        return bins / 2;
    case PERMUTATION:
        return i * 7 % bins;
    case POWER_LAW:
        return random % (1 + random / 64 % bins);
    case SOME_OUTSIDE:
        return random % 5 == 0 ? UINT64_MAX - random % 3 : random % (bins + 3);
    }
    return 0;
}

typedef struct bin_case {
    const wf_reduce_spec *spec; /* NULL: counts */
    wf_type index_type;
    index_kind kind;
    uint64_t count, bins;
    uint32_t flags;
    bool is_async;
} bin_case;

/* The bin of index i, as the index's type holds it; bins: it is outside of them. */
static uint64_t bin_of(const bin_case *of, const char *indices, uint64_t i) {
    const uint64_t index = number_integer(of->index_type, indices, i); /* negative ones are large */
    return index < of->bins ? index : of->bins;
}

static void check_bins(const bin_case *of) {
    uint64_t seed = 88172645463325252u + of->count * 64 + (uint64_t)of->kind;
    wf_reduction_info info = {.element_bytes = 0, .result_bytes = sizeof(uint64_t)};
    if (of->spec != NULL)
        require(wf_reduction_get_info(of->spec, &info));
    const size_t index_bytes = wf_type_size(of->index_type), element = info.element_bytes;
    const bool onto = (of->flags & WF_SCATTER_ONTO) != 0;
    char *const indices = malloc(of->count * index_bytes + 1), *const values = malloc(of->count * element + 1);
    for (uint64_t i = 0; i < of->count; i++)
        number_put_integer(of->index_type, indices, i, index_of(of->kind, i, of->bins, &seed));
    char *const old = blank(of->bins * info.result_bytes), *const results = blank(of->bins * info.result_bytes);
    if (of->spec != NULL) {
        const size_t numbers = element / wf_type_size(of->spec->type);
        fold_fill(of->spec->type, values, of->count * numbers, of->count % 3 == 0, &seed);
        if (onto)
            fold_fill(of->spec->type, old, of->bins * numbers, false, &seed);
    }
    void *const indices_there = put(indices, of->count * index_bytes);
    void *const values_there = put(values, of->count * element), *const there = put(old, of->bins * info.result_bytes);
    const wf_scatter scatter = {.bins = of->bins, .index_type = of->index_type, .flags = of->flags};
    const void *const given = of->spec != NULL ? values_there : NULL;
    if (of->is_async)
        require(wf_scatter_reduce_async(context, of->spec, &scatter, indices_there, given, of->count, there,
                                        of->bins * info.result_bytes, NULL));
    else
        require(wf_scatter_reduce(context, of->spec, &scatter, indices_there, given, of->count, there,
                                  of->bins * info.result_bytes));
    get(results, there, of->bins * info.result_bytes);
    char *const own = malloc((of->count + 1) * element + 1);
    for (uint64_t b = 0; b < of->bins; b++) {
        uint64_t length = 0;
        if (onto && of->spec != NULL)
            memcpy(own + length++ * element, old + b * element, element);
        for (uint64_t i = 0; i < of->count; i++)
            if (bin_of(of, indices, i) == b) {
                memcpy(own + length * element, values + i * element, element);
                length++;
            }
        if (of->spec != NULL)
            require_alike(of->spec, &info, "bin", b, own, length, results + b * info.result_bytes);
        else
            assert_int_equal(((uint64_t *)(void *)results)[b], length + (onto ? ((uint64_t *)(void *)old)[b] : 0));
    }
    void *const blocks[] = {indices_there, values_there, there};
    for (size_t i = 0; i < COUNT(blocks); i++)
        require(wf_free(context, blocks[i]));
    free(indices);
    free(values);
    free(old);
    free(results);
    free(own);
}

static void test_bins(void **state) {
    (void)state;
    static const wf_op ops[] = {WF_SUM, WF_MEAN, WF_MIN, WF_MINMAX, WF_OR, WF_PRODUCT, WF_AFFINE};
    static const wf_type index_types[] = {WF_I32, WF_I64, WF_U32, WF_U64, WF_I8, WF_I16, WF_U8, WF_U16};
    static const uint64_t counts[] = {0, 1, 2, 3, 65, 257, 1025, 3001}, bins[] = {0, 1, 2, 3, 31, 127, 300};
    size_t tests = 0;
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t op = 0; op < COUNT(ops); op++) {
            const wf_reduce_spec spec = {.type = (wf_type)type,
                                         .op = ops[op],
                                         .accuracy = op == 0 && number_is_float((wf_type)type) ? WF_ACCURACY_EXACT
                                                                                               : WF_ACCURACY_BEST};
            wf_reduction_info info;
            if (wf_reduction_get_info(&spec, &info) != WF_OK || rounds_at_each_step(&spec))
                continue;
            const bool can_be_onto =
                info.result_type == spec.type && info.result_bytes == info.element_bytes && ops[op] != WF_MEAN;
            check_bins(&(bin_case){&spec, index_types[tests % COUNT(index_types)], (index_kind)(tests % 4),
                                   counts[tests % COUNT(counts)], bins[tests % COUNT(bins)],
                                   can_be_onto && tests % 3 != 0 ? WF_SCATTER_ONTO : 0, tests % 2 != 0});
            tests++;
        }
    assert_true(tests > 50);
    for (size_t i = 0; i < 56; i++)
        check_bins(&(bin_case){NULL, index_types[i % COUNT(index_types)], (index_kind)(i % 4),
                               counts[i % COUNT(counts)], bins[i % COUNT(bins)], i % 3 == 0 ? WF_SCATTER_ONTO : 0,
                               i % 2 != 0});
}

/* More elements than one tile sorts, and more bins than tile memory holds counts of. */
static void test_many(void **state) {
    (void)state;
    static const wf_reduce_spec sum = {.type = WF_F32}, max = {.type = WF_BF16, .op = WF_MAX};
    check_bins(&(bin_case){&sum, WF_I32, POWER_LAW, 30000, 200, 0, false});
    check_bins(&(bin_case){&sum, WF_U16, ALL_EQUAL, 40001, 3, WF_SCATTER_ONTO, true});
    check_bins(&(bin_case){&max, WF_I64, SOME_OUTSIDE, 20000, 100, WF_SCATTER_ONTO, false});
    check_bins(&(bin_case){NULL, WF_U32, POWER_LAW, 3000, 13000, 0, false});
    check_bins(&(bin_case){NULL, WF_I64, SOME_OUTSIDE, 40000, 60, 0, true});
}

/* Sums of wild floats have the same bits in any order of the elements. */
static void test_any_order(void **state) {
    (void)state;
    enum { ELEMENTS = 9000, BINS = 17 };
    const wf_scatter scatter = {.bins = BINS, .index_type = WF_U32};
    const wf_reduce_spec sum = {.type = WF_F64};
    uint64_t seed = 12345;
    uint32_t indices[ELEMENTS];
    double *const values = malloc(ELEMENTS * sizeof *values), sums[2][BINS] = {{0}};
    double *const there = put(sums, sizeof sums[0]);
    for (size_t i = 0; i < ELEMENTS; i++) {
        indices[i] = (uint32_t)(fold_random(&seed) % BINS);
        number_put_float(WF_F64, values, i, ((double)(fold_random(&seed) >> 12) - 2e15) * (i % 2 != 0 ? 1e-30 : 1e30));
    }
    for (int pass = 0; pass < 2; pass++) {
        void *const indices_there = put(indices, sizeof indices);
        void *const values_there = put(values, ELEMENTS * sizeof *values);
        require(
            wf_scatter_reduce(context, &sum, &scatter, indices_there, values_there, ELEMENTS, there, sizeof sums[0]));
        get(sums[pass], there, sizeof sums[0]);
        for (size_t i = ELEMENTS - 1; i > 0; i--) { /* shuffles both */
            const size_t j = fold_random(&seed) % (i + 1);
            const uint32_t index = indices[i];
            const double value = values[i];
            indices[i] = indices[j];
            values[i] = values[j];
            indices[j] = index;
            values[j] = value;
        }
        require(wf_free(context, indices_there));
        require(wf_free(context, values_there));
    }
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    require(wf_free(context, there));
    free(values);
}

/* ---- Refused ---------------------------------------------------------------------------------------------------- */

static void test_refused_runs(void **state) {
    (void)state;
    const wf_reduce_spec sum = {.type = WF_F32};
    char *const memory = put("", 0), *block;
    uint64_t runs = 7;
    require(wf_malloc(context, (void **)&block, 400));
#define REFUSES(status, says, spec, type, keys, values, unique, result, bytes, out)                                    \
    refuses(wf_reduce_by_key(context, spec, type, keys, values, 10, unique, result, bytes, out), status, says)
    REFUSES(WF_INVALID_ARGUMENT, "without 'spec'", NULL, WF_U32, block, block + 40, NULL, block + 80, 80, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "multiple of 4", &sum, WF_U32, block, block + 40, NULL, block + 80, 6, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "'keys'", &sum, WF_U32, NULL, block + 40, NULL, block + 80, 40, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "'values'", &sum, WF_U32, block, NULL, NULL, block + 80, 40, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "'runs'", &sum, WF_U32, block, block + 40, NULL, block + 80, 40, NULL);
    REFUSES(WF_INVALID_ARGUMENT, "'keys' and 'unique_keys' overlap", &sum, WF_U32, block, block + 40, block + 36,
            block + 80, 40, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "'unique_keys' and 'result' overlap", &sum, WF_U32, block, block + 40, block + 80,
            block + 116, 40, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "aligned", &sum, WF_U64, block + 4, block + 100, NULL, block + 200, 40, &runs);
    REFUSES(WF_INVALID_ARGUMENT, "unknown", &sum, (wf_type)99, block, block + 40, NULL, block + 80, 40, &runs);
#undef REFUSES
    assert_int_equal(runs, 7);
    require(wf_free(context, memory));
    require(wf_free(context, block));
}

static void test_refused_bins(void **state) {
    (void)state;
    static const int32_t indices[] = {1, 0, -1, 2, 3};
    static const float values[] = {1, 2, 3, 4, 5}, old[] = {9, 8, 7};
    const wf_reduce_spec sum = {.type = WF_F32}, argmax = {.type = WF_F32, .op = WF_ARGMAX},
                         mean = {.type = WF_F32, .op = WF_MEAN}, affine = {.type = WF_F32, .op = WF_AFFINE},
                         matmul = {.type = WF_F64, .op = WF_MATMUL};
    void *const indices_there = put(indices, sizeof indices), *const values_there = put(values, sizeof values);
    void *const there = put(old, sizeof old);
    float kept[3];
    wf_scatter scatter = {.bins = 3, .index_type = WF_I32, .flags = WF_CHECK_INDICES};
#define REFUSES(status, says, spec, bytes)                                                                             \
    refuses(wf_scatter_reduce(context, spec, &scatter, indices_there, values_there, 5, there, bytes), status, says)
    REFUSES(WF_INVALID_ARGUMENT, "indices[2] is outside of the 3 bins", &sum, 12);
    scatter.flags = 4;
    REFUSES(WF_INVALID_ARGUMENT, "'flags' is 0x4", &sum, 12);
    scatter.flags = WF_SCATTER_ONTO;
    REFUSES(WF_UNSUPPORTED, "WF_SCATTER_ONTO with mean of f32", &mean, 12);
    scatter.flags = 0;
    REFUSES(WF_UNSUPPORTED, "argmax", &argmax, 48);
    REFUSES(WF_UNSUPPORTED, "32 bytes", &matmul, 96);
    REFUSES(WF_INVALID_ARGUMENT, "12 bytes", &sum, 8);
    scatter.index_type = WF_F32;
    REFUSES(WF_INVALID_ARGUMENT, "'index_type' must be an integer type", &sum, 12);
    scatter.index_type = WF_I32;
    scatter.reserved[1] = 1;
    REFUSES(WF_INVALID_ARGUMENT, "reserved field 1 of 'scatter'", &sum, 12);
    scatter.reserved[1] = 0;
    scatter.bins = (UINT64_C(1) << 31) + 1;
    REFUSES(WF_UNSUPPORTED, "2147483649 bins", &sum, 12);
    scatter.bins = 0;
    scatter.flags = WF_CHECK_INDICES;
    refuses(wf_scatter_reduce(context, &sum, &scatter, indices_there, values_there, 5, NULL, 0), WF_INVALID_ARGUMENT,
            "indices[0] is outside of the 0 bins");
    scatter.flags = 0;
    require(wf_scatter_reduce(context, &sum, &scatter, indices_there, values_there, 5, values_there, 0));
    scatter.bins = 3;
    refuses(wf_scatter_reduce(context, &affine, &scatter, indices_there, (char *)values_there + 4, 2, there, 24),
            WF_INVALID_ARGUMENT, "'values' must be aligned to its type's 8 bytes");
    refuses(wf_scatter_reduce(context, &sum, &scatter, indices_there, values_there, 5, values_there, 12),
            WF_INVALID_ARGUMENT, "'values' and 'result' overlap");
    refuses(wf_scatter_reduce(context, &sum, NULL, indices_there, values_there, 5, there, 12), WF_INVALID_ARGUMENT,
            "'scatter'");
#undef REFUSES
    get(kept, there, sizeof kept);
    assert_memory_equal(kept, old, sizeof old);
    require(wf_free(context, indices_there));
    require(wf_free(context, values_there));
    require(wf_free(context, there));
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "test_by_key DEVICE [PATTERN]\n");
        return 2;
    }
    if (wf_context_create(&context, argv[1]) != WF_OK || wf_context_create(&host, "host") != WF_OK) {
        fprintf(stderr, "test_by_key: %s\n", wf_last_error());
        return 1;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs),        cmocka_unit_test(test_long_runs),
                                       cmocka_unit_test(test_bins),        cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_any_order),   cmocka_unit_test(test_refused_runs),
                                       cmocka_unit_test(test_refused_bins)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    wf_context_destroy(host);
    return failed;
}
