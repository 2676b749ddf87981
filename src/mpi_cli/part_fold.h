/* Reduces a rank's part into its message in pieces, so that rank 0 can show its progress and a copy has the size of a
 * piece. The pieces, and so the bits, do not depend on the progress bar. */
#ifndef WAVEFOLD_MPI_CLI_PART_FOLD_H
#define WAVEFOLD_MPI_CLI_PART_FOLD_H

#include "cli/answer/answer.h"
#include "wavefold_message.h"

/* Whether a bar is shown. */
typedef enum part_progress { PROGRESS_NEVER, PROGRESS_ON_TERMINAL, PROGRESS_ALWAYS } part_progress;

typedef struct part_fold {
    const answer *of;
    part_progress shown;
    uint64_t first, count; /* elements of the part */
    size_t piece_count;    /* elements of a piece, at most */
    wf_field field;
    wf_message_size size;
    uint64_t *message, *piece; /* of the part, and of one piece */
    void *copy;                /* NULL: elements are reduced in the mapped file */
} part_fold;

/* Part `own` of `count` parts, whose lengths differ by at most 1. Prints the reason and returns false without memory;
 * call part_fold_free in any case. */
bool part_fold_prepare(part_fold *part, const answer *of, int own, int count, part_progress shown);
wf_status part_fold_run(part_fold *part, wf_context *context);
void part_fold_free(part_fold *part);
/* The field's result goes to the answer. */
void part_fold_give_result(wf_field *field, answer *to);

#endif
