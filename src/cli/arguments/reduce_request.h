/* The request of `wavefold reduce`, and the reduction of a type that it means, or the reason why there is none. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_REDUCE_REQUEST_H
#define WAVEFOLD_CLI_ARGUMENTS_REDUCE_REQUEST_H

#include "axis_options.h"
#include "fold_options.h"
#include "oracle/folded.h"
#include "output_options.h"

/* The sums that can be exact and have a state. */
#define EXACT_SUMS "sum, mean and asum of f16, bf16, f32 and f64, and for sumsq of f16, bf16 and f32"

typedef struct reduce_options {
    const char *path;  /* NULL: not given */
    fold_options fold; /* describe uses only type and nan */
    axis_options axes; /* of wavefold reduce alone, not of wavefold-mpi */
    output_options output;
} reduce_options;

bool describes(const reduce_options *options);
/* The name in --op. */
const char *reduced_name(const reduce_options *options);
/* The 64-bit type of the same kind. */
wf_type wide_type(wf_type type);
/* Whether the sum can be exact, and so has a state. */
bool has_sum_state(wf_type type, wf_op op);

/* NULL, and the reduction; or the reason why the type has none, which the caller frees. */
char *reduce_refusal(const reduce_options *options, wf_type type, fold *of);

#endif
