/* What one rank does wrong every rank hears of, with its number and the cause, and no result changes. */
#include "ranks.h"
#include "result_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- A call that is right, and what may be wrong with it ---- */

enum { FIELDS = 3, ELEMENTS = 4 };

typedef struct call {
    wf_context *context;
    wf_field fields[FIELDS];
    const wf_field *given;
    size_t n;
    int root;
} call;

static double elements[ELEMENTS];

static void no_context(call *with) {
    with->context = NULL;
}
static void no_fields(call *with) {
    with->given = NULL;
}
static void no_elements(call *with) {
    with->fields[2].in = NULL;
}
static void misaligned(call *with) {
    with->fields[1].in = (char *)elements + 1;
}
static void no_such_type(call *with) {
    with->fields[0].spec.type = (wf_type)99;
}
static void bits_of_floats(call *with) {
    with->fields[0].spec.op = WF_XOR;
}
static void exact_squares(call *with) {
    with->fields[2].spec = (wf_reduce_spec){.type = WF_F64, .op = WF_SUMSQ, .accuracy = WF_ACCURACY_EXACT};
}
static void root_too_large(call *with) {
    with->root = 1000;
}
static void root_below_all(call *with) {
    with->root = -2;
}
static void other_type(call *with) {
    with->fields[1].spec.type = WF_I32;
    with->fields[1].in = NULL;
    with->fields[1].count = 0;
}
static void other_op(call *with) {
    with->fields[2].spec.op = WF_ARGMAX;
}
static void other_accumulator(call *with) {
    with->fields[0].spec.accumulator = WF_ACCUMULATE_F32;
}
static void other_accuracy(call *with) {
    with->fields[0].spec.accuracy = WF_ACCURACY_FAST;
}
static void other_nan(call *with) {
    with->fields[2].spec.nan = WF_NAN_IGNORE;
}
static void description(call *with) {
    with->fields[0].describes = 1;
}
static void other_order(call *with) {
    const wf_field first = with->fields[0];
    with->fields[0] = with->fields[2];
    with->fields[2] = first;
}
static void other_first(call *with) {
    with->fields[2].has_first = 1;
}
static void fewer(call *with) {
    with->n = 2;
}
static void other_root(call *with) {
    with->root = with->root == WF_MPI_ALL ? 0 : WF_MPI_ALL;
}

static const struct {
    const char *name;
    void (*spoil)(call *with);
    bool differs; /* right by itself, but not what the others ask for */
    wf_status status;
    const char *says;
} wrongs[] = {
    {"no context", no_context, false, WF_INVALID_ARGUMENT, "'context' must not be NULL"},
    {"no fields", no_fields, false, WF_INVALID_ARGUMENT, "must not be NULL"},
    {"no elements", no_elements, false, WF_INVALID_ARGUMENT, "must not be NULL"},
    {"misaligned", misaligned, false, WF_INVALID_ARGUMENT, "aligned"},
    {"no such type", no_such_type, false, WF_INVALID_ARGUMENT, "99"},
    {"xor of floats", bits_of_floats, false, WF_UNSUPPORTED, "xor"},
    {"exact squares of f64", exact_squares, false, WF_UNSUPPORTED, "sumsq"},
    {"root too large", root_too_large, false, WF_INVALID_ARGUMENT, "'root' is 1000"},
    {"root below all", root_below_all, false, WF_INVALID_ARGUMENT, "'root' is -2"},
    {"other type", other_type, true, WF_INVALID_ARGUMENT, "field 1: rank 0 requests the affine of "},
    {"other op", other_op, true, WF_INVALID_ARGUMENT, "the argmax of f64"},
    {"other accumulator", other_accumulator, true, WF_INVALID_ARGUMENT, "the sum of f64 in f32"},
    {"other accuracy", other_accuracy, true, WF_INVALID_ARGUMENT, "the sum of f64, fast"},
    {"other rule for NaN", other_nan, true, WF_INVALID_ARGUMENT, "the argmin of f64 without NaN"},
    {"description", description, true, WF_INVALID_ARGUMENT, "the description of f64"},
    {"other order", other_order, true, WF_INVALID_ARGUMENT, "field 0: rank 0 requests the "},
    {"indices by first", other_first, true, WF_INVALID_ARGUMENT, "indices from its first"},
    {"fewer fields", fewer, true, WF_INVALID_ARGUMENT, "rank 0 gives "},
    {"other root", other_root, true, WF_INVALID_ARGUMENT, "results on rank 0"},
};

static const double untouched = -17.25;
static double results[FIELDS][4];

static call right_call(const ranks *of, int root) {
    call with = {.context = of->context, .n = FIELDS, .root = root};
    const wf_op ops[FIELDS] = {WF_SUM, WF_AFFINE, WF_ARGMIN};
    for (size_t i = 0; i < FIELDS; i++) {
        with.fields[i] =
            with_result_bytes((wf_field){.spec = {.type = WF_F64, .op = ops[i]}, .in = elements, .result = results[i]});
        with.fields[i].count = ops[i] == WF_AFFINE ? ELEMENTS / 2 : ELEMENTS;
        for (size_t k = 0; k < 4; k++)
            results[i][k] = untouched;
    }
    for (size_t i = 0; i < ELEMENTS; i++)
        elements[i] = (double)(1 + of->rank);
    return with;
}

static bool no_result_changed(void) {
    for (size_t i = 0; i < FIELDS; i++)
        for (size_t k = 0; k < 4; k++)
            if (memcmp(&results[i][k], &untouched, sizeof untouched) != 0)
                return false;
    return true;
}

static wf_status make(call *with, const ranks *of) {
    if (with->given == NULL)
        return wf_mpi_reduce_many(with->context, NULL, with->n, with->root, of->comm);
    for (size_t i = 0; i < with->n; i++)
        with->fields[i] = with_result_bytes(with->fields[i]);
    with->given = with->fields;
    return wf_mpi_reduce_many(with->context, with->given, with->n, with->root, of->comm);
}

/* After an error the communicator is as good as before. */
static void check_that_all_is_well(const ranks *of) {
    call with = right_call(of, WF_MPI_ALL);
    with.given = with.fields;
    const double sum = (double)(ELEMENTS * of->count * (of->count + 1) / 2);
    check(make(&with, of) == WF_OK, "after an error: %s", wf_last_error());
    check(results[0][0] >= sum && results[0][0] <= sum, "after an error: sum %g, not %g", results[0][0], sum);
}

static void check_failure(const char *name, wf_status status, wf_status expected, const char *rank, const char *says) {
    const char *const error = wf_last_error();
    check(status == expected, "%s: %s, not %s", name, wf_status_name(status), wf_status_name(expected));
    check(strstr(error, rank) != NULL && strstr(error, says) != NULL, "%s: '%s' does not say '%s' and '%s'", name,
          error, rank, says);
    check(no_result_changed(), "%s: a result has changed", name);
}

static void test_one_wrong_rank(const ranks *of) {
    for (size_t w = 0; w < COUNT(wrongs); w++) {
        for (int bad = 0; bad<of->count; bad += of->count> 4 && bad == 1 ? of->count - 2 : 1)
            for (int root = WF_MPI_ALL; root < 1; root++) {
                call with = right_call(of, root);
                with.given = with.fields;
                if (bad == of->rank)
                    wrongs[w].spoil(&with);
                const wf_status status = make(&with, of);
                char rank[32];
                /* Of ranks that differ, the sentence names 0 and the other. */
                snprintf(rank, sizeof rank,
                         wrongs[w].differs ? "rank %d " : "rank %d: ", wrongs[w].differs && bad == 0 ? 1 : bad);
                if (wrongs[w].differs && of->count == 1)
                    check(status == WF_OK, "%s: %s", wrongs[w].name, wf_last_error());
                else
                    check_failure(wrongs[w].name, status, wrongs[w].status, rank, wrongs[w].says);
            }
        check_that_all_is_well(of);
    }
}

static void test_several_wrong_ranks(const ranks *of) {
    if (of->count < 3)
        return;
    call with = right_call(of, WF_MPI_ALL);
    with.given = with.fields;
    if (of->rank == 1)
        no_elements(&with);
    else if (of->rank == of->count - 1)
        bits_of_floats(&with);
    else
        other_op(&with); /* of which nothing is said */
    check_failure("two wrong ranks", make(&with, of), WF_INVALID_ARGUMENT, "rank 1 (and 1 more): ", "must not be NULL");
    check_that_all_is_well(of);
}

/* Which of many fields, of ranks that have more in common than is compared at once. */
static void test_many_fields(const ranks *of) {
    static wf_field fields[40];
    static const size_t others[] = {0, 15, 16, 17, 39};
    for (size_t k = 0; k < COUNT(others); k++) {
        for (size_t i = 0; i < COUNT(fields); i++)
            fields[i] = (wf_field){.spec = {.type = WF_I32, .op = WF_SUM}};
        if (of->rank == of->count - 1)
            fields[others[k]].spec.op = WF_PRODUCT;
        const wf_status status = wf_mpi_reduce_many(of->context, fields, COUNT(fields), WF_MPI_ALL, of->comm);
        char says[96];
        snprintf(says, sizeof says, "field %zu: rank 0 requests the sum of i32, rank %d requests the product of i32;",
                 others[k], of->count - 1);
        if (of->count > 1)
            check(status == WF_INVALID_ARGUMENT && strstr(wf_last_error(), says) != NULL, "'%s' does not say '%s'",
                  wf_last_error(), says);
        else
            check(status == WF_OK, "%s", wf_last_error());
    }
    const wf_status none = wf_mpi_reduce_many(of->context, NULL, 0, WF_MPI_ALL, of->comm);
    check(none == WF_OK, "no fields at all: %s", wf_last_error());
}

/* Ranks 0 and others with a pair of fields each, of which wf_message_get_request tells no difference. */
static void test_requests_of_one_number(const ranks *of) {
    enum { NUMBERS = 1 << 20, PAIRS = (int)WF_TYPE_COUNT * (int)WF_OP_COUNT };
    uint32_t *const seen = calloc(NUMBERS, sizeof *seen); /* 1 more than what had the number */
    if (!check(seen != NULL, "no memory for the test") || of->count == 1) {
        free(seen);
        return;
    }
    wf_field mine[2] = {{.count = 0}};
    bool found = false;
    for (uint32_t i = 0; i < PAIRS * PAIRS && !found; i++) {
        const uint32_t places[2] = {i / PAIRS, i % PAIRS};
        wf_field fields[2] = {{.count = 0}};
        uint32_t number;
        for (size_t k = 0; k < 2; k++)
            fields[k].spec =
                (wf_reduce_spec){.type = (wf_type)(places[k] / WF_OP_COUNT), .op = (wf_op)(places[k] % WF_OP_COUNT)};
        if (wf_message_get_request(fields, 2, &number) != WF_OK)
            continue;
        found = seen[number] != 0;
        const uint32_t other = found ? seen[number] - 1 : 0;
        seen[number] = i + 1;
        memcpy(mine, fields, sizeof mine);
        if (found && of->rank == 0) {
            mine[0].spec = (wf_reduce_spec){.type = (wf_type)(other / PAIRS / WF_OP_COUNT),
                                            .op = (wf_op)(other / PAIRS % WF_OP_COUNT)};
            mine[1].spec = (wf_reduce_spec){.type = (wf_type)(other % PAIRS / WF_OP_COUNT),
                                            .op = (wf_op)(other % PAIRS % WF_OP_COUNT)};
        }
    }
    free(seen);
    check(found, "no two pairs of fields have one number");
    right_call(of, WF_MPI_ALL);
    check_failure("requests of one number", wf_mpi_reduce_many(of->context, mine, 2, WF_MPI_ALL, of->comm),
                  WF_INVALID_ARGUMENT, "rank 0 requests ", "all ranks must give the same fields");
}

/* A message that nobody has written for these fields, on one rank: of a maximum no word of the check is sent. */
static void test_foreign_message(const ranks *of) {
    const wf_op ops[] = {WF_MAX, WF_ARGMAX, WF_SUM};
    for (size_t i = 0; i < COUNT(ops); i++)
        for (int root = WF_MPI_ALL; root < 1; root++) {
            uint64_t message[128] = {0};
            call with = right_call(of, root);
            with.fields[0].spec.op = ops[i];
            with.fields[0] = with_result_bytes(with.fields[0]);
            check(wf_message_write(of->context, with.fields, 1, message) == WF_OK, "%s", wf_last_error());
            message[0] += of->rank == of->count - 1;
            check_failure("a foreign message", wf_mpi_join(WF_OK, with.fields, 1, message, root, of->comm),
                          WF_INVALID_ARGUMENT, "message", "");
        }
}

/* A message that the caller has written; none, on one rank; and a rank that could not write its own. */
static void test_joining(const ranks *of) {
    const int bad = of->count - 1;
    const double sum = (double)(ELEMENTS * of->count * (of->count + 1) / 2);
    char rank[32];
    snprintf(rank, sizeof rank, "rank %d: ", bad);
    for (int root = WF_MPI_ALL; root < 1; root++) {
        uint64_t message[128] = {0}, before[128];
        call with = right_call(of, root);
        const bool is_reader = root == WF_MPI_ALL || root == of->rank;
        check(wf_message_write(of->context, with.fields, 1, message) == WF_OK, "%s", wf_last_error());
        memcpy(before, message, sizeof before);
        check_failure("no message",
                      wf_mpi_join(WF_OK, with.fields, 1, bad == of->rank ? NULL : message, root, of->comm),
                      WF_INVALID_ARGUMENT, rank, "'message' must not be NULL");
        if (bad == of->rank)
            wf_message_fail(WF_OUT_OF_MEMORY, "no room for a message");
        check_failure("not written",
                      wf_mpi_join(bad == of->rank ? WF_OUT_OF_MEMORY : WF_OK, with.fields, 1, message, root, of->comm),
                      WF_OUT_OF_MEMORY, rank, "no room for a message");
        check(memcmp(before, message, sizeof before) == 0, "a message that was not joined has changed");
        check(wf_mpi_join(WF_OK, with.fields, 1, message, root, of->comm) == WF_OK, "%s", wf_last_error());
        check(is_reader ? results[0][0] >= sum && results[0][0] <= sum : no_result_changed(), "joined: sum %g, not %g",
              results[0][0], sum);
        double again = 0; /* of the joined message, where there is one */
        with.fields[0].result = &again;
        const wf_status status = wf_message_read(with.fields, 1, is_reader ? (uint64_t)of->count : 1, message, NULL);
        const double expected = is_reader ? sum : (double)(ELEMENTS * (1 + of->rank));
        check(status == WF_OK && again >= expected && again <= expected, "what was joined: %g, not %g", again,
              expected);
    }
}

/* ---- Arguments of the calls of one field ---- */

static void test_no_spec(const ranks *of) {
    const int bad = of->count / 2;
    const wf_reduce_spec sum = {.type = WF_F64};
    const wf_describe_spec f64 = {.type = WF_F64};
    wf_description result;
    char rank[32];
    snprintf(rank, sizeof rank, "rank %d: ", bad);
    right_call(of, WF_MPI_ALL);
    check_failure("no spec",
                  wf_mpi_reduce(of->context, bad == of->rank ? NULL : &sum, elements, 1, results[0],
                                bytes_of_result(bad == of->rank ? NULL : &sum), 0, of->comm),
                  WF_INVALID_ARGUMENT, rank, "'spec' must not be NULL");
    check_failure("no spec of a description",
                  wf_mpi_describe(of->context, bad == of->rank ? NULL : &f64, elements, 1, &result, 0, of->comm),
                  WF_INVALID_ARGUMENT, rank, "'spec' must not be NULL");
}

/* ---- The agreement alone ---- */

static void test_agreement(const ranks *of) {
    char rank[32], long_cause[700];
    const int bad = of->count - 1;
    const bool here = bad == of->rank;
    snprintf(rank, sizeof rank, "rank %d: ", bad);
    memset(long_cause, 'x', sizeof long_cause - 1);
    long_cause[sizeof long_cause - 1] = '\0';
    memcpy(long_cause, "out of paper", 12);
    right_call(of, WF_MPI_ALL);
    check(wf_mpi_agree(WF_OK, "not heeded", of->comm) == WF_OK, "agreement: %s", wf_last_error());
    check_failure("a cause", wf_mpi_agree(here ? WF_OUT_OF_MEMORY : WF_OK, here ? "no room" : NULL, of->comm),
                  WF_OUT_OF_MEMORY, rank, "no room");
    check_failure("a long cause", wf_mpi_agree(here ? WF_DEVICE_ERROR : WF_OK, long_cause, of->comm), WF_DEVICE_ERROR,
                  rank, "out of paperxxx");
    if (here)
        wf_message_fail(WF_NO_DEVICE, "the device is on the moon");
    check_failure("the last error", wf_mpi_agree(here ? WF_NO_DEVICE : WF_OK, NULL, of->comm), WF_NO_DEVICE, rank,
                  "the device is on the moon");
    if (of->count == 1)
        return;
    /* Some ranks reduce, others only agree. */
    call with = right_call(of, WF_MPI_ALL);
    with.given = with.fields;
    check_failure("not the same call", here ? wf_mpi_agree(WF_OK, NULL, of->comm) : make(&with, of),
                  WF_INVALID_ARGUMENT, "rank 0 gives 3 fields", "0; all ranks must give the same fields");
}

/* ---- Communicators ---- */

static void test_communicators(const ranks *of) {
    right_call(of, WF_MPI_ALL);
    const wf_reduce_spec sum = {.type = WF_F64};
    calls = (mpi_calls){.made = 0};
    if (of->rank == of->count / 2) /* alone */
        check_failure(
            "no communicator",
            wf_mpi_reduce(of->context, &sum, elements, 1, results[0], bytes_of_result(&sum), WF_MPI_ALL, MPI_COMM_NULL),
            WF_INVALID_ARGUMENT, "MPI_COMM_NULL", "only ranks of the group");
    check(calls.made == 0, "%d calls for no communicator", calls.made);
    calls = (mpi_calls){.feigned = WF_MOST_RANKS + 1};
    check_failure(
        "too many ranks",
        wf_mpi_reduce(of->context, &sum, elements, 1, results[0], bytes_of_result(&sum), WF_MPI_ALL, of->comm),
        WF_INVALID_ARGUMENT, "1048577 ranks", "at most 1048576 are supported; split it");
    check(calls.made == 0, "%d calls for too many ranks", calls.made);
    calls = (mpi_calls){.feigned = WF_MOST_RANKS}; /* as many may agree */
    check(wf_mpi_agree(WF_OK, NULL, of->comm) == WF_OK, "most ranks: %s", wf_last_error());
    calls = (mpi_calls){.feigned = 0};
    if (of->count == 1)
        return;
    MPI_Comm half, both;
    MPI_Comm_split(of->comm, of->rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, of->comm, of->rank % 2 == 0, 1, &both);
    calls = (mpi_calls){.made = 0};
    check_failure("two groups",
                  wf_mpi_reduce(of->context, &sum, elements, 1, results[0], bytes_of_result(&sum), WF_MPI_ALL, both),
                  WF_INVALID_ARGUMENT, "intercommunicator", "MPI_Intercomm_merge");
    check_failure("agreement of two groups", wf_mpi_agree(WF_OK, NULL, both), WF_INVALID_ARGUMENT, "intercommunicator",
                  "");
    check(calls.made == 0, "%d calls for two groups", calls.made);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

void test_without_mpi(wf_context *context, const char *says) {
    double result = untouched;
    const wf_status status =
        wf_mpi_reduce(context, &(wf_reduce_spec){.type = WF_F64}, NULL, 0, &result,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_F64}), WF_MPI_ALL, MPI_COMM_WORLD);
    check(status == WF_INVALID_ARGUMENT && strstr(wf_last_error(), says) != NULL, "'%s' does not say '%s'",
          wf_last_error(), says);
    check(memcmp(&result, &untouched, sizeof result) == 0, "without MPI: the result has changed");
    check(wf_mpi_agree(WF_OK, NULL, MPI_COMM_WORLD) == WF_INVALID_ARGUMENT, "agreement without MPI");
}

/* ---- Memory and MPI that fail ---- */

/* One rank has no room for its message. */
static void test_no_memory(const ranks *of) {
    enum { MANY = 150000 };
    const int bad = of->count / 2;
    wf_field *const fields = calloc(MANY, sizeof *fields);
    struct rlimit before = {0, 0};
    unsigned long pages = 0;
    FILE *const used = fopen("/proc/self/statm", "r");
    if (!check(fields != NULL && used != NULL && fscanf(used, "%lu", &pages) == 1, "no memory for the test")) {
        free(fields);
        return;
    }
    fclose(used);
    for (size_t i = 0; i < MANY; i++)
        fields[i].spec.type = WF_F32;
    getrlimit(RLIMIT_AS, &before);
    if (bad == of->rank)
        setrlimit(RLIMIT_AS,
                  &(struct rlimit){(rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20), before.rlim_max});
    const wf_status status = wf_mpi_reduce_many(of->context, fields, MANY, WF_MPI_ALL, of->comm);
    setrlimit(RLIMIT_AS, &before);
    char rank[32];
    snprintf(rank, sizeof rank, "rank %d: ", bad);
    right_call(of, WF_MPI_ALL);
    check_failure("no memory", status, WF_OUT_OF_MEMORY, rank, "150000 fields");
    free(fields);
    check_that_all_is_well(of);
}

/* Each of MPI's calls in turn, on all ranks: of a reduction, of one that a rank fails, of one that ranks differ in. */
static void test_mpi_that_fails(const ranks *of) {
    static void (*const spoils[])(call *) = {NULL, no_elements, other_op};
    for (size_t s = 0; s < COUNT(spoils); s++)
        for (int root = WF_MPI_ALL; root < 1; root++) {
            int at = 1;
            for (bool failed = true; failed; at++) {
                call with = right_call(of, root);
                with.given = with.fields;
                if (spoils[s] != NULL && of->rank == of->count - 1)
                    spoils[s](&with);
                calls = (mpi_calls){.fails_at = at};
                const wf_status status = make(&with, of);
                failed = calls.made >= at;
                if (failed)
                    check_failure("MPI fails", status, WF_ENGINE_ERROR, "MPI_", ": ");
            }
            calls = (mpi_calls){.made = 0};
            check(at > 3, "%d calls of MPI could fail", at - 2);
        }
    check_that_all_is_well(of);
}

void test_errors(const ranks *of) {
    test_one_wrong_rank(of);
    test_several_wrong_ranks(of);
    test_many_fields(of);
    test_requests_of_one_number(of);
    test_foreign_message(of);
    test_joining(of);
    test_no_spec(of);
    test_agreement(of);
    test_communicators(of);
    test_no_memory(of);
    test_mpi_that_fails(of);
}
