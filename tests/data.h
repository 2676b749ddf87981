/* Test data that tells a wrong fold from a right one, and what the right result is. */
#ifndef WAVEFOLD_TESTS_DATA_H
#define WAVEFOLD_TESTS_DATA_H

#include <wavefold.h>

#include <stdbool.h>

typedef struct dataset {
    const char *name;
    wf_type type;
    size_t kind;
    size_t count;
    void *values;
} dataset;

/* How many kinds of data there are for a type. */
size_t data_kinds(wf_type type);
dataset data_make(wf_type type, size_t kind, size_t count, uint64_t seed);
void data_free(dataset *data);

/* Whether *result is the fold of the data; the report bounds the error of a float sum. If not,
 * *difference says how they differ. */
bool data_agrees(const dataset *data, wf_op op, const void *result, const wf_rung_report *report, char *difference,
                 size_t capacity);

uint64_t data_hash(uint64_t x);

#endif
