/* A reduction of the library's table, and its result in the layout of wf_rung_run. */
#ifndef WAVEFOLD_ORACLE_FOLDED_H
#define WAVEFOLD_ORACLE_FOLDED_H

#include "value.h"
#include "wavefold_ladder.h"

typedef struct fold {
    wf_reduce_spec spec;
    wf_reduction_info info;
} fold;

/* WF_UNSUPPORTED, with the reason in wf_last_error(), if the table has no such reduction. */
wf_status fold_of(const wf_reduce_spec *spec, fold *made);
/* "propagate", "ignore". */
const char *nan_rule_name(wf_nan rule);
/* "best", "fast", "exact". */
const char *accuracy_name(wf_accuracy accuracy);
/* "reduces", "scans", "sorts", "sorts_pairs", "rows", "columns", "segments". */
const char *rung_kind_name(wf_rung_kind kind);

/* Room for a result of any kind. Unused bytes are 0. */
typedef union result {
    uint64_t words[4];
    unsigned char bytes[32];
} result;

/* Access to value i of the result, and to its index if it has one. */
value result_value(const fold *of, const result *r, size_t i);
void result_put(const fold *of, result *r, size_t i, value v);
uint64_t result_index(const result *r);
void result_put_index(result *r, uint64_t index);
/* The index of argmin and argmax for no elements. */
#define NO_INDEX UINT64_MAX

#endif
