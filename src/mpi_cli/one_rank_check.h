/* Compares the bits of one rank, with all elements, with the bits of all ranks. */
#ifndef WAVEFOLD_MPI_CLI_ONE_RANK_CHECK_H
#define WAVEFOLD_MPI_CLI_ONE_RANK_CHECK_H

#include "part_fold.h"

/* NULL; or the reason why the bits depend on the division of the elements. Malloc'ed. */
char *one_rank_refusal(const reduce_options *options, const fold *of);
/* Reduces the whole file, and prints the comparison to standard error. Prints the reason and returns false if the bits
 * differ or the check fails. */
bool one_rank_agrees(const answer *of_all, wf_context *context, part_progress shown);

#endif
