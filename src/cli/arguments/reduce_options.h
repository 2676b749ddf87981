/* What `wavefold reduce` is asked for, and the fold that this is of elements of a type, or why there is none. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_REDUCE_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_REDUCE_OPTIONS_H

#include "fold_options.h"
#include "oracle/folded.h"
#include "output_options.h"

/* What can be exact, and has a state. */
#define EXACT_SUMS "sum, mean and asum of f16, bf16, f32 and f64, and for sumsq of f16, bf16 and f32"

typedef struct reduce_options {
    const char *path;  /* NULL: not given */
    fold_options fold; /* describe takes type and nan alone */
    output_options output;
} reduce_options;

bool describes(const reduce_options *options);
/* As --op named it. */
const char *reduced_name(const reduce_options *options);
/* Of one kind with the type, in 64 bits. */
wf_type wide_type(wf_type type);
/* Whether it is a sum that can be exact, and so one that has a state. */
bool has_sum_state(wf_type type, wf_op op);

/* NULL, and the fold; or why there is no such fold of the type, which the caller frees. */
char *reduce_refusal(const reduce_options *options, wf_type type, fold *of);

#endif
