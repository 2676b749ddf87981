/* Whether one rank, with all of the elements, comes to the same bits as all ranks did with their parts. */
#ifndef WAVEFOLD_MPI_CLI_ONE_RANK_CHECK_H
#define WAVEFOLD_MPI_CLI_ONE_RANK_CHECK_H

#include "part_fold.h"

/* NULL; or why the bits depend on how the elements are divided, so that there is nothing to check. Malloc'ed. */
char *one_rank_refusal(const reduce_options *options, const fold *of);
/* Folds the whole file, and says on standard error what came of it. False, with the reason printed, if the bits differ
 * or it cannot be done. */
bool one_rank_agrees(const answer *of_all, wf_context *context, part_progress shown);

#endif
