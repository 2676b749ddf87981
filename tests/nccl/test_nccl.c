/* Reductions over ranks by NCCL, or by what stands in for it on the host device, where ranks are threads: results have
 * the bits of wf_reduce for the whole array, whatever the number of ranks; nobody waits for a rank that failed.
 *
 * test_nccl [RANKS]: on GPUs up to so many of them, at most as many as there are. */
#include <wavefold_nccl.h>

#if defined(WF_ENGINE_STANDIN)
#include "standin_nccl.h"
#else
#include <cuda_runtime.h>
#include <nccl.h>
#endif

#include "data.h"
#include "numbers.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

/* ---- The platform ---- */

#if defined(WF_ENGINE_STANDIN)

enum { IS_STANDIN = 1 };
static void name_device(char *name, size_t room, int number) {
    (void)number;
    snprintf(name, room, "host");
}
static bool choose_device(int number) {
    (void)number;
    return true;
}
static bool open_stream(void **stream) {
    *stream = NULL;
    return true;
}
static bool close_stream(void *stream) {
    (void)stream;
    return true;
}
static int count_devices(void) {
    return 8;
}

#else

enum { IS_STANDIN = 0 };
static void name_device(char *name, size_t room, int number) {
    snprintf(name, room, "nvidia:%d", number);
}
static bool choose_device(int number) {
    return cudaSetDevice(number) == cudaSuccess;
}
static bool open_stream(void **stream) {
    return cudaStreamCreate((cudaStream_t *)stream) == cudaSuccess;
}
static bool close_stream(void *stream) {
    return cudaStreamDestroy((cudaStream_t)stream) == cudaSuccess;
}
static int count_devices(void) {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

#endif

/* ---- Data ---- */

enum { MOST_RANKS = 8, N = 20011, SPECS = 14 };

/* Sums that cancel over all exponents, an extreme, indices, bits, an ordered operator, a description. */
static const wf_field asked[SPECS] = {
    {.spec = {.type = WF_F32}},
    {.spec = {.type = WF_F64, .op = WF_MEAN}},
    {.spec = {.type = WF_F16, .op = WF_ASUM}},
    {.spec = {.type = WF_BF16, .op = WF_SUMSQ, .accumulator = WF_ACCUMULATE_F64}},
    {.spec = {.type = WF_I32, .op = WF_SUM, .accumulator = WF_ACCUMULATE_I64}},
    {.spec = {.type = WF_U8, .op = WF_MEAN}},
    {.spec = {.type = WF_F64, .op = WF_MINMAX, .nan = WF_NAN_IGNORE}},
    {.spec = {.type = WF_F32, .op = WF_ARGMIN, .nan = WF_NAN_IGNORE}},
    {.spec = {.type = WF_I16, .op = WF_ARGMAX}, .has_first = 1},
    {.spec = {.type = WF_U64, .op = WF_XOR}},
    {.spec = {.type = WF_I32, .op = WF_MATMUL}},
    {.spec = {.type = WF_U32, .op = WF_PRODUCT}},
    {.spec = {.type = WF_F32, .nan = WF_NAN_IGNORE}, .describes = 1},
    {.spec = {.type = WF_I64}, .describes = 1},
};

static int most_ranks = MOST_RANKS;
static char *values[SPECS];
static uint64_t expected[SPECS][8];

static size_t element_bytes(const wf_field *field) {
    wf_reduction_info info;
    if (field->describes)
        return wf_type_size(field->spec.type);
    require(wf_reduction_get_info(&field->spec, &info));
    return info.element_bytes;
}

static size_t result_bytes(const wf_field *field) {
    wf_reduction_info info;
    require(wf_reduction_get_info(&field->spec, &info));
    return info.result_bytes;
}

/* Of what is multiplied all products are odd, those of matrices' determinants too: even ones soon come to 0. */
static uint64_t factor(wf_op op, size_t i, uint64_t number) {
    if (op == WF_PRODUCT || (op == WF_MATMUL && (i % 4 == 0 || i % 4 == 3)))
        return number | 1;
    return op == WF_MATMUL && i % 4 == 1 ? number & ~UINT64_C(1) : number;
}

static void make_values(void) {
    wf_context *host;
    require(wf_context_create(&host, "host"));
    for (size_t f = 0; f < SPECS; f++) {
        const wf_type type = asked[f].spec.type;
        const size_t numbers = N * element_bytes(&asked[f]) / wf_type_size(type);
        values[f] = malloc(N * element_bytes(&asked[f]));
        assert_non_null(values[f]);
        for (size_t i = 0; i < numbers; i++) {
            const uint64_t h = data_hash(i * SPECS + f);
            if (number_is_float(type))
                number_put_float(type, values[f], i,
                                 h % 1000 == 0 && asked[f].spec.nan == WF_NAN_IGNORE
                                     ? strtod("nan", NULL)
                                     : (double)(int64_t)h * (h % 7 == 0 ? 0x1p-80 : 0x1p-58));
            else
                number_put_integer(type, values[f], i, factor(asked[f].spec.op, i, h));
        }
        const wf_describe_spec described = {.type = asked[f].spec.type, .nan = asked[f].spec.nan};
        if (asked[f].describes)
            require(wf_describe(host, &described, values[f], N, (wf_description *)(void *)expected[f]));
        else
            require(wf_reduce(host, &asked[f].spec, values[f], N, expected[f], bytes_of_result(&asked[f].spec)));
    }
    wf_context_destroy(host);
}

/* ---- Ranks ---- */

typedef struct rank {
    int number, ranks;
    ncclComm_t comm;
    wf_context *context;
    wf_nccl *over;
    void *stream;
    char *memory[SPECS]; /* this rank's parts, on its device */
    uint64_t *results;   /* 8 words a field */
    wf_field fields[SPECS];
    wf_status status;
    char error[1024];
} rank;

static void open_rank(rank *r, int number, int ranks, ncclComm_t comm) {
    char device[32];
    name_device(device, sizeof device, number);
    *r = (rank){.number = number, .ranks = ranks, .comm = comm};
    assert_true(choose_device(number));
    require(wf_context_create(&r->context, device));
    assert_true(open_stream(&r->stream));
    require(wf_nccl_create(&r->over, r->context, comm));
    void *results;
    require(wf_malloc(r->context, &results, SPECS * 64));
    r->results = results;
}

static void close_rank(rank *r) {
    assert_true(choose_device(r->number));
    wf_nccl_destroy(r->over);
    assert_true(close_stream(r->stream));
    wf_context_destroy(r->context);
    assert_int_equal(ncclCommDestroy(r->comm), ncclSuccess);
}

typedef struct team {
    int ranks;
    rank rank[MOST_RANKS];
} team;

static void gather_team(team *t, int ranks) {
    ncclComm_t comms[MOST_RANKS];
    assert_int_equal(ncclCommInitAll(comms, ranks, NULL), ncclSuccess);
    t->ranks = ranks;
    for (int r = 0; r < ranks; r++)
        open_rank(&t->rank[r], r, ranks, comms[r]);
}

static void dismiss_team(team *t) {
    for (int r = 0; r < t->ranks; r++)
        close_rank(&t->rank[r]);
}

/* A thread for each rank; cmocka's own calls are left to this one. */
static void run_threads(team *t, void *(*run)(void *)) {
    pthread_t threads[MOST_RANKS];
    for (int r = 0; r < t->ranks; r++)
        assert_int_equal(pthread_create(&threads[r], NULL, run, &t->rank[r]), 0);
    for (int r = 0; r < t->ranks; r++)
        pthread_join(threads[r], NULL);
}

/* The first and the last rank of some have nothing. */
static size_t begin_of(int number, int ranks, unsigned seed) {
    if (number == 0 || number == ranks)
        return number == 0 ? 0 : N;
    if (seed % 3 == 0)
        return (size_t)N * (size_t)number / (size_t)ranks;
    if (seed % 3 == 1)
        return number == 1 ? 0 : number == ranks - 1 ? N : 7919;
    return (size_t)(data_hash(seed) % N) / 8 * (size_t)number;
}

static void place_parts(rank *r, unsigned seed) {
    for (size_t f = 0; f < SPECS; f++) {
        const size_t bytes = element_bytes(&asked[f]);
        const size_t begin = begin_of(r->number, r->ranks, seed), end = begin_of(r->number + 1, r->ranks, seed);
        void *part;
        require(wf_malloc(r->context, &part, (end - begin) * bytes));
        if (end > begin)
            require(wf_copy_to_device(r->context, part, values[f] + begin * bytes, (end - begin) * bytes));
        r->memory[f] = part;
        r->fields[f] = asked[f];
        r->fields[f].in = part;
        r->fields[f].count = end - begin;
        r->fields[f].first = begin;
        r->fields[f].result = r->results + 8 * f;
        r->fields[f] = with_result_bytes(r->fields[f]);
    }
    uint64_t empty[8 * SPECS];
    memset(empty, 0, sizeof empty);
    require(wf_copy_to_device(r->context, r->results, empty, sizeof empty));
}

static void free_parts(rank *r) {
    for (size_t f = 0; f < SPECS; f++)
        wf_free(r->context, r->memory[f]);
}

/* What is rounded in the order of ranks is not compared: a description's variance, and the mean of integers. */
static void check_results(rank *r, unsigned seed) {
    uint64_t got[SPECS][8];
    require(wf_copy_to_host(r->context, got, r->results, sizeof got));
    for (size_t f = 0; f < SPECS; f++) {
        const size_t told = number_is_float(asked[f].spec.type) ? 56 : 48;
        const size_t bytes = asked[f].describes ? told : result_bytes(&asked[f]);
        if (asked[f].spec.op == WF_ARGMIN)
            got[f][0] &= UINT32_MAX; /* what lies between value and index is nobody's */
        if (asked[f].spec.op == WF_ARGMAX)
            got[f][0] &= UINT16_MAX;
        if (memcmp(got[f], expected[f], bytes) != 0)
            fail_msg("field %zu, rank %d of %d, seed %u: %016llx %016llx, expected %016llx %016llx", f, r->number,
                     r->ranks, seed, (unsigned long long)got[f][0], (unsigned long long)got[f][1],
                     (unsigned long long)expected[f][0], (unsigned long long)expected[f][1]);
    }
}

static void keep(rank *r, wf_status status) {
    if (r->status == WF_OK && status != WF_OK) {
        r->status = status;
        snprintf(r->error, sizeof r->error, "%s", wf_last_error());
    }
}

static void require_all(const team *t) {
    for (int r = 0; r < t->ranks; r++)
        if (t->rank[r].status != WF_OK)
            fail_msg("rank %d: %s", r, t->rank[r].error);
}

/* ---- Results ---- */

static void *reduce_all(void *argument) {
    rank *r = argument;
    (void)choose_device(r->number);
    for (size_t f = 0; f < SPECS; f++) {
        const wf_field *field = &r->fields[f];
        const wf_describe_spec described = {.type = field->spec.type, .nan = field->spec.nan};
        if (field->has_first)
            keep(r, wf_nccl_reduce_many_async(r->over, field, 1, r->stream));
        else if (field->describes)
            keep(r, wf_nccl_describe_async(r->over, &described, field->in, field->count, field->result, r->stream));
        else
            keep(r, wf_nccl_reduce_async(r->over, &field->spec, field->in, field->count, field->result,
                                         bytes_of_result(&field->spec), r->stream));
    }
    keep(r, wf_nccl_wait(r->over, r->stream));
    return NULL;
}

static void *reduce_many(void *argument) {
    rank *r = argument;
    (void)choose_device(r->number);
    keep(r, wf_nccl_agree(r->over, WF_OK, NULL, r->fields, SPECS, r->stream));
    keep(r, wf_nccl_reduce_many_async(r->over, r->fields, SPECS, r->stream));
    keep(r, wf_nccl_wait(r->over, r->stream));
    return NULL;
}

static void test_bits(void **state) {
    (void)state;
    for (size_t f = 0; f < SPECS; f++)
        assert_true(expected[f][0] != 0); /* which parts that lack some would come to as well */
    for (int ranks = 1; ranks <= most_ranks; ranks++)
        for (unsigned seed = 0; seed < 3; seed++) {
            team t;
            gather_team(&t, ranks);
            for (int way = 0; way < 2; way++) {
                for (int r = 0; r < ranks; r++)
                    place_parts(&t.rank[r], seed);
                run_threads(&t, way == 0 ? reduce_all : reduce_many);
                require_all(&t);
                for (int r = 0; r < ranks; r++) {
                    check_results(&t.rank[r], seed);
                    free_parts(&t.rank[r]);
                }
            }
            dismiss_team(&t);
        }
}

static void test_one_thread(void **state) {
    (void)state;
    team t;
    gather_team(&t, most_ranks);
    wf_nccl *overs[MOST_RANKS];
    void *streams[MOST_RANKS];
    for (int r = 0; r < t.ranks; r++) {
        place_parts(&t.rank[r], 2);
        overs[r] = t.rank[r].over;
        streams[r] = t.rank[r].stream;
    }
    for (int round = 0; round < 3; round++) {
        require(wf_nccl_group_start());
        require(wf_nccl_group_start());
        for (int r = 0; r < t.ranks; r++)
            require(wf_nccl_reduce_many_async(overs[r], t.rank[r].fields, SPECS, streams[r]));
        refuses(wf_nccl_reduce_many_async(overs[0], t.rank[0].fields, 1, streams[0]), WF_INVALID_ARGUMENT, "already");
        require(wf_nccl_group_end());
        require(wf_nccl_group_end());
    }
    require(wf_nccl_wait_all(overs, (size_t)t.ranks, streams));
    for (int r = 0; r < t.ranks; r++) {
        check_results(&t.rank[r], 2);
        free_parts(&t.rank[r]);
    }
    refuses(wf_nccl_group_end(), WF_INVALID_ARGUMENT, "group_start");
    dismiss_team(&t);
}

/* ---- Failures ---- */

/* Rank 1 has no array where it says that it has elements, in the second of three calls. */
static void *fail_once(void *argument) {
    rank *r = argument;
    (void)choose_device(r->number);
    for (int call = 0; call < 3; call++) {
        wf_field bad[2] = {r->fields[0], r->fields[7]};
        const bool is_bad = call == 1 && r->number == 1;
        if (is_bad)
            bad[1].in = NULL;
        const wf_status status = wf_nccl_reduce_many_async(r->over, bad, 2, r->stream);
        if ((status != WF_OK) != is_bad)
            keep(r, status != WF_OK ? status : WF_DEVICE_ERROR);
    }
    const wf_status told = wf_nccl_wait(r->over, r->stream);
    if (told != WF_INVALID_ARGUMENT || strstr(wf_last_error(), "rank 1: field 1 of 2: 'in'") == NULL)
        keep(r, told == WF_OK ? WF_DEVICE_ERROR : told);
    reduce_many(r);
    return NULL;
}

/* In one call the result of one rank is out of line, and another has no array: neither leaves the others waiting. */
static void *fail_twice(void *argument) {
    rank *r = argument;
    (void)choose_device(r->number);
    wf_field bad = r->fields[0];
    if (r->number == 0)
        bad.result = (char *)bad.result + 1;
    if (r->number == 1)
        bad.in = NULL;
    const wf_status status = wf_nccl_reduce_many_async(r->over, &bad, 1, r->stream);
    if ((status != WF_OK) != (r->number < 2))
        keep(r, status != WF_OK ? status : WF_DEVICE_ERROR);
    const wf_status told = wf_nccl_wait(r->over, r->stream);
    if (told != WF_INVALID_ARGUMENT ||
        strstr(wf_last_error(), "rank 0, as others, failed: 'result' must be aligned") == NULL)
        keep(r, told == WF_OK ? WF_DEVICE_ERROR : told);
    reduce_many(r);
    return NULL;
}

/* Rank 0 asks for something else, of as long a message. */
static void *differ(void *argument) {
    rank *r = argument;
    (void)choose_device(r->number);
    const wf_reduce_spec other = {.type = WF_F32, .op = r->number == 0 ? WF_MEAN : WF_SUM};
    keep(r, wf_nccl_reduce_async(r->over, &other, r->fields[0].in, r->fields[0].count, r->results,
                                 bytes_of_result(&other), r->stream));
    const wf_status told = wf_nccl_wait(r->over, r->stream);
    if (told != WF_INVALID_ARGUMENT ||
        strstr(wf_last_error(), "rank 0 requests mean of f32, rank 1 requests sum") == NULL)
        keep(r, told == WF_OK ? WF_DEVICE_ERROR : told);
    uint64_t untouched = 1;
    keep(r, wf_copy_to_host(r->context, &untouched, r->results, sizeof untouched));
    if (untouched != 0)
        keep(r, WF_KERNEL_FAULT);
    const wf_field field = {.spec = {.type = WF_F32, .op = r->number == 1 ? WF_XOR : WF_SUM}};
    const wf_status refused = wf_nccl_agree(r->over, WF_OK, NULL, &field, 1, r->stream);
    if (refused != WF_UNSUPPORTED || strstr(wf_last_error(), "rank 1: xor") == NULL)
        keep(r, refused == WF_OK ? WF_DEVICE_ERROR : refused);
    const wf_status ill =
        wf_nccl_agree(r->over, r->number == 1 ? WF_OUT_OF_MEMORY : WF_OK, "no room at all", NULL, 0, r->stream);
    if (ill != WF_OUT_OF_MEMORY || strstr(wf_last_error(), "rank 1: no room at all") == NULL)
        keep(r, ill == WF_OK ? WF_DEVICE_ERROR : ill);
    return NULL;
}

static void test_failures(void **state) {
    (void)state;
    if (most_ranks < 2)
        skip();
    team t;
    gather_team(&t, most_ranks);
    void *(*const ways[])(void *) = {fail_once, fail_twice, differ};
    for (int way = 0; way < 3; way++) {
        for (int r = 0; r < t.ranks; r++)
            place_parts(&t.rank[r], 0);
        run_threads(&t, ways[way]);
        require_all(&t);
        for (int r = 0; r < t.ranks; r++) {
            if (ways[way] != differ)
                check_results(&t.rank[r], 0);
            free_parts(&t.rank[r]);
        }
    }
    dismiss_team(&t);
}

static void test_bad_input(void **state) {
    (void)state;
    team t;
    gather_team(&t, 1);
    rank *r = &t.rank[0];
    place_parts(r, 0);
    wf_nccl *made = NULL;
    refuses(wf_nccl_create(NULL, r->context, r->comm), WF_INVALID_ARGUMENT, "ranks");
    refuses(wf_nccl_create(&made, NULL, r->comm), WF_INVALID_ARGUMENT, "context");
    refuses(wf_nccl_create(&made, r->context, NULL), WF_INVALID_ARGUMENT, "comm");
    if (!IS_STANDIN) {
        wf_context *host;
        require(wf_context_create(&host, "host"));
        refuses(wf_nccl_create(&made, host, r->comm), WF_INVALID_ARGUMENT, "context");
        wf_context_destroy(host);
        refuses(wf_nccl_reduce_many_async(r->over, r->fields, 1, NULL), WF_INVALID_ARGUMENT, "stream");
    }
    assert_null(made);
    refuses(wf_nccl_reduce_many_async(NULL, r->fields, 1, r->stream), WF_INVALID_ARGUMENT, "ranks");
    refuses(wf_nccl_reduce_many_async(r->over, NULL, 1, r->stream), WF_INVALID_ARGUMENT, "fields");
    refuses(wf_nccl_reduce_async(r->over, NULL, NULL, 0, r->results, 0, r->stream), WF_INVALID_ARGUMENT, "spec");
    refuses(wf_nccl_describe_async(r->over, NULL, NULL, 0, NULL, r->stream), WF_INVALID_ARGUMENT, "spec");
    refuses(wf_nccl_reduce_async(r->over, &(wf_reduce_spec){.type = WF_F32, .op = WF_AND}, NULL, 0, r->results,
                                 bytes_of_result(&(wf_reduce_spec){.type = WF_F32, .op = WF_AND}), r->stream),
            WF_UNSUPPORTED, "bitwise");
    refuses(wf_nccl_reduce_async(r->over, &(wf_reduce_spec){.type = WF_F32}, r->memory[0], 4, (char *)r->results + 2,
                                 bytes_of_result(&(wf_reduce_spec){.type = WF_F32}), r->stream),
            WF_INVALID_ARGUMENT, "aligned");
    refuses(wf_nccl_wait(r->over, r->stream), WF_INVALID_ARGUMENT, "rank 0: 'result' must be aligned");
    refuses(wf_nccl_wait_all(&r->over, 0, &r->stream), WF_INVALID_ARGUMENT, "n must");
    refuses(wf_nccl_wait(NULL, r->stream), WF_INVALID_ARGUMENT, "ranks");
    wf_nccl_destroy(NULL);
#if defined(WF_ENGINE_STANDIN)
    standin_fail(r->comm, ncclSystemError);
    refuses(wf_nccl_reduce_many_async(r->over, r->fields, SPECS, r->stream), WF_ENGINE_ERROR,
            "adding up the ranks' messages: a made-up system error: of the stand-in");
    require(wf_nccl_reduce_many_async(r->over, r->fields, SPECS, r->stream));
    require(wf_nccl_wait(r->over, r->stream));
    check_results(r, 0);

    /* Of a communicator that does not block, what follows a call waits until it has been made. */
    uint64_t empty[8 * SPECS] = {0};
    require(wf_copy_to_device(r->context, r->results, empty, sizeof empty));
    standin_put_off(r->comm, 3);
    require(wf_nccl_reduce_many_async(r->over, r->fields, SPECS, r->stream));
    require(wf_nccl_wait(r->over, r->stream));
    check_results(r, 0);
    standin_put_off(r->comm, 2);
    refuses(wf_nccl_agree(r->over, WF_OUT_OF_MEMORY, "none left", NULL, 0, r->stream), WF_OUT_OF_MEMORY, "none left");
    standin_put_off(r->comm, 2);
    require(wf_nccl_create(&made, r->context, r->comm));
    wf_nccl_destroy(made);
#endif
    free_parts(r);
    dismiss_team(&t);
}

int main(int argc, char **argv) {
    if (argc > 1)
        most_ranks = atoi(argv[1]);
    const int devices = count_devices();
    if (devices == 0) {
        fprintf(stderr, "no CUDA device: skipped\n");
        return 77;
    }
    most_ranks = devices < most_ranks ? devices : most_ranks;
    make_values();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_failures),
    };
    const int failed = cmocka_run_group_tests_name("reductions over ranks", tests, NULL, NULL);
    for (size_t f = 0; f < SPECS; f++)
        free(values[f]);
    return failed;
}
