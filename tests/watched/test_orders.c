/* Every kernel of the device "watched", with nothing found: no two lanes touch a word of memory with nothing that
 * orders them. A fence, a barrier or an update in order that is taken away from a kernel must fail here.
 *
 * usage: test_orders DEVICE [PATTERN]
 *        DEVICE: watched[:LANES[:SCHEDULE]]. PATTERN: which tests, such as 'rung_last_block*' or 'exact' (default: all)
 *
 * What comes out is compared elsewhere (test_rungs, test_reduce, ...): here it is enough that the calls succeed, which
 * findings make fail. The shapes are small: several tiles of several waves, some of them not full. */
#include <wavefold.h>
#include <wavefold_ladder.h>
#include <wavefold_message.h>
#include <wavefold_sum.h>
#include <wavefold_watch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST = 40000, MOST_RUNGS = 64 };

static wf_context *context;

static uint64_t hash(uint64_t x) {
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
    return x ^ x >> 29;
}

/* Device memory with values of the type, so many in each element. spread: floats from all over their range, so that an
 * exact sum has terms that fit no window. */
static void *values_of(wf_type type, size_t count, bool spread) {
    uint64_t *const words = calloc(count, sizeof *words);
    assert_non_null(words);
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = hash(i + 1);
        const float narrow = ldexpf((float)(random % 1000) - 500, spread ? (int)(random >> 32) % 200 - 100 : -4);
        uint32_t bits = (uint32_t)random;
        if (type == WF_F32)
            memcpy(&bits, &narrow, sizeof bits);
        if (wf_type_size(type) == sizeof bits)
            memcpy((char *)words + i * sizeof bits, &bits, sizeof bits);
        else
            words[i] = random;
    }
    void *memory;
    require(wf_malloc(context, &memory, count * wf_type_size(type)));
    require(wf_copy_to_device(context, memory, words, count * wf_type_size(type)));
    free(words);
    return memory;
}

/* ---- Rungs ------------------------------------------------------------------------------------------------------- */

static void run_rung(size_t rung, const wf_rung_info *info, wf_rung_options options, size_t count) {
    wf_reduction_info fold;
    const bool sorts = info->kind == WF_RUNG_SORTS || info->kind == WF_RUNG_SORTS_PAIRS;
    require(wf_reduction_get_info(&(wf_reduce_spec){.type = options.type, .op = sorts ? WF_SUM : options.op}, &fold));
    const size_t values = count * fold.element_bytes / wf_type_size(options.type);
    void *in = values_of(options.type, values, false), *out;
    uint64_t result[8];
    require(wf_malloc(context, &out, count * (fold.element_bytes + sizeof(uint32_t))));
    require(wf_rung_run(context, rung, &options, in, count, info->kind == WF_RUNG_REDUCES ? result : out,
                        bytes_of_rung_result(rung, &options, count), NULL));
    if (info->kind == WF_RUNG_SCANS) /* in place */
        require(wf_rung_run(context, rung, &options, in, count, in, bytes_of_rung_result(rung, &options, count), NULL));
    wf_free(context, out);
    wf_free(context, in);
}

static void test_rung(void **state) {
    static const wf_reduce_spec folds[] = {
        {.type = WF_F32}, {.type = WF_I64, .op = WF_MAX}, {.type = WF_I32, .op = WF_MATMUL}};
    static const size_t counts[] = {1, 700, 9001, 33001};
    const size_t rung = *(const size_t *)*state;
    wf_rung_info info;
    require(wf_rung_get_info(rung, &info));
    size_t run = 0;
    for (size_t f = 0; f < COUNT(folds); f++) {
        wf_rung_options options = {.type = folds[f].type, .op = folds[f].op};
        if (wf_rung_supports(rung, &options) != WF_OK)
            continue;
        const bool sorts = info.kind == WF_RUNG_SORTS || info.kind == WF_RUNG_SORTS_PAIRS;
        const size_t most = sorts ? COUNT(counts) - 1 : COUNT(counts); /* whose passes are many */
        for (size_t c = 0; c < most; c++, run++) {
            options.tile_size = (info.parameters & WF_RUNG_TILE) != 0 && c % 2 == 0 ? 64 : 0;
            options.tiles = (info.parameters & WF_RUNG_TILES) != 0 && c == 2 ? 5 : 0;
            options.exclusive = (info.parameters & WF_RUNG_EXCLUSIVE) != 0 && run % 2 == 0;
            run_rung(rung, &info, options, counts[c]);
        }
    }
    assert_true(run != 0);
}

/* ---- wf_reduce, descriptions, exact sums ------------------------------------------------------------------------- */

static const wf_type types[] = {WF_F32, WF_I32, WF_I64, WF_U32};
static const size_t counts[] = {1, 3001, MOST}; /* a tile; a few; many */

static void test_reduce(void **state) {
    const wf_op op = *(const wf_op *)*state;
    for (size_t t = 0; t < COUNT(types); t++) {
        const wf_reduce_spec what = {.type = types[t], .op = op, .accuracy = WF_ACCURACY_FAST};
        wf_reduction_info info;
        if (wf_reduction_get_info(&what, &info) != WF_OK)
            continue;
        const size_t values = info.element_bytes / wf_type_size(what.type);
        char *const in = values_of(what.type, values * MOST, false);
        for (size_t c = 0; c < COUNT(counts); c++) {
            uint64_t result[8];
            void *there;
            const size_t count = counts[c] - (c != 0); /* behind its first element: at no aligned address */
            const char *const from = in + (c != 0 ? info.element_bytes : 0);
            require(wf_reduce(context, &what, from, count, result, bytes_of_result(&what)));
            require(wf_malloc(context, &there, sizeof result));
            require(wf_reduce_async(context, &what, from, count, there, bytes_of_result(&what), NULL));
            wf_free(context, there);
        }
        wf_free(context, in);
    }
}

static void test_describe(void **state) {
    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        char *const in = values_of(types[t], MOST, t % 2 == 0);
        for (size_t c = 0; c < COUNT(counts); c++) {
            wf_description result;
            require(wf_describe(context, &(wf_describe_spec){.type = types[t]}, in, counts[c], &result));
        }
        wf_free(context, in);
    }
}

static void test_exact(void **state) {
    (void)state;
    static const wf_op ops[] = {WF_SUM, WF_MEAN, WF_ASUM, WF_SUMSQ};
    for (size_t run = 0; run < 2 * COUNT(ops); run++) {
        const wf_reduce_spec what = {.type = WF_F32, .op = ops[run / 2], .accuracy = WF_ACCURACY_EXACT};
        const bool spread = run % 2 != 0;
        char *const in = values_of(WF_F32, MOST, spread);
        for (size_t c = 0; c < (what.op == WF_SUM ? COUNT(counts) : COUNT(counts) - 1); c++) {
            uint64_t result[8];
            require(wf_reduce(context, &what, in, counts[c], result, bytes_of_result(&what)));
            wf_sum_state sum, *there;
            wf_sum_state_init(&sum);
            require(wf_malloc(context, (void **)&there, sizeof *there));
            require(wf_copy_to_device(context, there, &sum, sizeof sum));
            require(wf_sum_state_accumulate_async(context, &what, in, counts[c], there, NULL));
            require(wf_sum_state_accumulate(context, &what, in, counts[c], &sum));
            wf_free(context, there);
        }
        wf_free(context, in);
    }
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static void test_message(void **state) {
    (void)state;
    uint64_t *results;
    require(wf_malloc(context, (void **)&results, 4 * 128));
    void *const floats = values_of(WF_F32, 5000, true), *const integers = values_of(WF_I32, 5000, false);
    const wf_field fields[] = {{.in = floats, .count = 5000, .result = results, .result_bytes = 4},
                               {.spec = {.type = WF_I32, .op = WF_MINMAX},
                                .in = integers,
                                .count = 5000,
                                .result = results + 16,
                                .result_bytes = 8},
                               {.spec = {.type = WF_I32, .op = WF_ARGMAX},
                                .in = integers,
                                .count = 4999,
                                .result = results + 32,
                                .result_bytes = 16},
                               {.spec = {.type = WF_I32},
                                .describes = 1,
                                .in = integers,
                                .count = 3,
                                .result = results + 48,
                                .result_bytes = sizeof(wf_description)}};
    wf_message_size size;
    require(wf_message_get_size(fields, COUNT(fields), &size));
    uint64_t *message;
    require(wf_malloc(context, (void **)&message, (size.sums + size.maxima + size.records + 1) * sizeof *message));
    uint64_t *const records = message + size.sums + size.maxima;
    require(wf_message_write_async(context, fields, COUNT(fields), message, NULL));
    require(wf_message_read_async(context, fields, COUNT(fields), 1, message, records, records + size.records, NULL));
    wf_free(context, message);
    wf_free(context, integers);
    wf_free(context, floats);
    wf_free(context, results);
}

/* ---- The calls that watch ---------------------------------------------------------------------------------------- */

static void test_watching(void **state) {
    (void)state;
    const float values[] = {1, 2, 4};
    float *there, sum;
    wf_watch watch = {0}, same;
    require(wf_malloc(context, (void **)&there, sizeof values));
    require(wf_copy_to_device(context, there, values, sizeof values));
    require(wf_watch_start(context, 0));
    require(wf_reduce(context, &(wf_reduce_spec){.type = WF_F32}, there, 3, &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_F32})));
    require(wf_watch_get(context, &watch));
    assert_true(sum == 7 && watch.launch_count == 1 && watch.launches[0].loads.bytes >= sizeof values);
    require(wf_watch_start(context, 0)); /* from nothing again */
    require(wf_watch_get(context, &watch));
    assert_int_equal(watch.launch_count, 0);

    memset(&watch, 0x5a, sizeof watch);
    same = watch;
    wf_context *host;
    require(wf_context_create(&host, "host:32"));
    refuses(wf_watch_start(host, 0), WF_UNSUPPORTED, "'host:32' is not watched: open \"watched:32\"");
    refuses(wf_watch_get(host, &watch), WF_UNSUPPORTED, "is not watched");
    refuses(wf_watch_start(NULL, 0), WF_INVALID_ARGUMENT, "context");
    refuses(wf_watch_get(NULL, &watch), WF_INVALID_ARGUMENT, "context");
    refuses(wf_watch_get(context, NULL), WF_INVALID_ARGUMENT, "'watch' must not be NULL");
    assert_memory_equal(&watch, &same, sizeof watch);
    wf_context_destroy(host);
    wf_free(context, there);
}

/* What was watched since: no element of device memory is without a name, and of so many in an array none is beyond.
 * least: how often they were touched, at the least. */
static void check_events(size_t count, size_t least) {
    wf_watch watch;
    require(wf_watch_get(context, &watch));
    size_t elements = 0;
    for (size_t i = 0; i < watch.event_count; i++) {
        const wf_watch_event *event = &watch.events[i];
        if (strcmp(event->what, "load") != 0 && strcmp(event->what, "store") != 0)
            continue;
        if (strcmp(event->array, "memory") == 0)
            fail_msg("%s by lane %u: of no array", event->what, event->lane);
        if (strncmp(event->array, "source", 6) != 0 && strncmp(event->array, "result", 6) != 0)
            continue;
        elements++;
        assert_true(event->index < count);
    }
    assert_true(elements >= least);
}

/* Of elements of several numbers, of keys with values, and of results that are more than an element. */
static void test_places(void **state) {
    (void)state;
    enum { MAPS = 700 };
    void *const maps = values_of(WF_I32, 2 * MAPS, false), *const values = values_of(WF_I64, MAPS, false);
    void *result;
    require(wf_malloc(context, &result, MAPS * 2 * sizeof(int32_t)));
    require(wf_watch_start(context, 1));
    require(wf_scan(context, &(wf_scan_spec){.reduce = {.type = WF_I32, .op = WF_AFFINE}}, maps, MAPS, result));
    check_events(MAPS, 2 * (size_t)MAPS);
    require(wf_watch_start(context, 1));
    require(wf_sort(context, &(wf_sort_spec){.type = WF_I32, .value_bytes = 8}, maps, values, MAPS));
    check_events(MAPS, 2 * (size_t)MAPS);
    wf_description described;
    void *const floats = values_of(WF_F32, MAPS, false);
    require(wf_watch_start(context, 1));
    require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, floats, MAPS, &described));
    check_events(MAPS, MAPS);
    wf_sum_state sum;
    wf_sum_state_init(&sum);
    require(wf_watch_start(context, 1));
    require(wf_sum_state_accumulate(context, &(wf_reduce_spec){.type = WF_F32}, floats, MAPS, &sum));
    check_events(MAPS, MAPS);
    require(wf_watch_start(context, 0));
    wf_free(context, floats);
    wf_free(context, result);
    wf_free(context, values);
    wf_free(context, maps);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: test_orders DEVICE [PATTERN]\n");
        return 2;
    }
    if (wf_context_create(&context, argv[1]) != WF_OK) {
        fprintf(stderr, "test_orders: %s\n", wf_last_error());
        return 1;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    static size_t rungs[MOST_RUNGS];
    static wf_op ops[WF_OP_COUNT];
    static char names[MOST_RUNGS + (int)WF_OP_COUNT][48];
    static struct CMUnitTest tests[MOST_RUNGS + (int)WF_OP_COUNT + 5];
    size_t n = 0;
    for (size_t i = 0; i < wf_rung_count() && i < MOST_RUNGS; i++, n++) {
        wf_rung_info info;
        rungs[i] = i;
        (void)wf_rung_get_info(i, &info);
        snprintf(names[n], sizeof names[n], "rung_%s", info.name);
        tests[n] = (struct CMUnitTest){.name = names[n], .test_func = test_rung, .initial_state = &rungs[i]};
    }
    for (int op = 0; op < (int)WF_OP_COUNT; op++, n++) {
        ops[op] = (wf_op)op;
        snprintf(names[n], sizeof names[n], "reduce_%s", wf_op_name(ops[op]));
        tests[n] = (struct CMUnitTest){.name = names[n], .test_func = test_reduce, .initial_state = &ops[op]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_describe);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_exact);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_message);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_watching);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_places);
    tests[n - 5].name = "describe";
    tests[n - 4].name = "exact";
    tests[n - 3].name = "message";
    tests[n - 2].name = "watching";
    tests[n - 1].name = "places";
    const int failed = _cmocka_run_group_tests("orders", tests, n, NULL, NULL);
    wf_context_destroy(context);
    return failed;
}
