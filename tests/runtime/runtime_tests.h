/* What the parts of test_runtime_faults share. */
#ifndef WAVEFOLD_TESTS_RUNTIME_TESTS_H
#define WAVEFOLD_TESTS_RUNTIME_TESTS_H

#include "standin_runtime.h"

#include <stdint.h>
#include <wavefold.h>
#include <wavefold_sum.h>

enum { COUNT = 1000, PATTERN = 0x5C };

extern const char *device;
extern standin_runtime *standin;
extern standin_reset_function *reset;
extern int (*stream_create)(void **stream), (*stream_destroy)(void *stream);

typedef struct bench {
    wf_context *context;
    void *stream; /* NULL on the host device */
    int32_t integers[COUNT];
    float floats[COUNT];
    int32_t *there; /* the same integers, and behind them the floats, on the device */
    char *out;      /* on the device */
    unsigned char result[16 * COUNT];
} bench;

typedef struct operation {
    const char *name;
    wf_status (*run)(bench *b);
    size_t result_bytes, out_bytes;
    int rung; /* that it runs */
} operation;

/* operations.c. Results that stand on the device are in out, or are what was sorted. */
enum { SORTED = -1, NO_RUNG = -2 };
extern const operation operations[];
extern const size_t operation_count;
extern const operation *running;
extern const wf_reduce_spec sum, exact;
extern const wf_describe_spec described;
wf_status reduce(bench *b);
wf_status reduce_captured(bench *b);
wf_status reduce_from_host(bench *b);
wf_status reduce_on_stream(bench *b);
wf_status describe(bench *b);
wf_status describe_on_stream(bench *b);
wf_status scan(bench *b);
wf_status scan_on_stream(bench *b);
wf_status sort(bench *b);
wf_status sort_pairs_on_stream(bench *b);
wf_status read_ceiling(bench *b);
wf_status run_rung(bench *b);
const float *floats_of(const bench *b);

/* faults.c: one run. */
void make_bench(bench *b, const char *of);
void prepare(bench *b);
void collect(bench *b);
size_t bytes_of(const operation *spec);
void expect(const operation *spec, unsigned char *expected);
void succeed(bench *b, const unsigned char *expected);

/* faults.c: one failure. */
enum { KINDS = 5 };
extern const struct kind {
    const char *name;
    int error;
    bool later;
} kinds[KINDS];
extern unsigned long tried;
bool is_only_asking(const char *call);
bool names(const char *said, const char *call);
void check_failure(wf_status status, const struct kind *kind);
void check_untouched(const bench *b);
void end_bench(bench *b);
void set_fault(unsigned long at, const char *name, const struct kind *kind);
void clear_fault(void);
void fail_every_call(const operation *spec, bool each_kind);

/* The tests of contexts.c, allocations.c and answers.c. */
void every_call_of_a_context(void **unused);
void every_call_of_the_first(void **unused);
void cancelled_in_the_first(void **unused);
void cancelled_in_a_call(void **unused);
void every_allocation(void **unused);
void destroyed_streams(void **unused);
void other_devices(void **unused);
void device_of_the_program(void **unused);
void errors_of_the_program(void **unused);
void queries_of_the_program(void **unused);
void polled_memory(void **unused);
void early_starts(void **unused);
void failing_captures(void **unused);

#endif
