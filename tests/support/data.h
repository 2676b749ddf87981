/* Test data that tells a wrong fold from a right one; what is right, the oracle says. */
#ifndef WAVEFOLD_TESTS_DATA_H
#define WAVEFOLD_TESTS_DATA_H

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct dataset {
    const char *name;
    wf_reduce_spec spec;
    wf_reduction_info info;
    size_t kind;
    size_t count; /* elements */
    void *values;
} dataset;

/* How many kinds of data there are for a fold; the first two tell whether each element counts once, in its place where
 * the operator is ordered, and whether rounding stays in its bound. */
size_t data_kinds(const wf_reduce_spec *spec);
dataset data_make(const wf_reduce_spec *spec, size_t kind, size_t count, uint64_t seed);
void data_free(dataset *data);

/* Whether *got is the fold of the data; the report bounds the error of float arithmetic. If not, *difference says how
 * they differ. */
bool data_agrees(const dataset *data, const void *got, const wf_rung_report *report, char *difference, size_t capacity);

uint64_t data_hash(uint64_t x);

/* Which of a list of sizes a run takes: all of them; or, if two arguments EVERY and FIRST stand at position, number
 * FIRST and every EVERY-th after it. Runs that differ in the schedule alone share the list between them. */
typedef struct data_share {
    size_t every, first;
} data_share;
data_share data_share_of(int argc, char **argv, int position);
bool data_takes(data_share share, size_t number);

/* Whether the oracle, as the library, takes each 16-bit float for what the tests' own arithmetic says (numbers.h). */
bool data_half_floats_agree(char *difference, size_t capacity);

#endif
