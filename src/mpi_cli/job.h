/* The ranks of the job. Rank 0 alone speaks, and all end together, with the same exit status.
 *
 * A rank that fails calls exit, wherever it is. It takes part in the next meeting of the others before it ends, so that
 * none waits for it without end. Meetings are job_meet, job_end, and collective calls of wavefold_mpi.h, which job_fail
 * follows where they fail; the ranks speak to each other by nothing else. Up to the first meeting it prints why, as it
 * would in a job of one, by cli_error or as argp does. What others than rank 0 print by then is held back, and
 * rank 0 tells it of the lowest rank that failed, unless that is itself. */
#ifndef WAVEFOLD_MPI_CLI_JOB_H
#define WAVEFOLD_MPI_CLI_JOB_H

typedef struct job_ranks {
    int own, count;
    int place;          /* among the ranks of this machine */
    const char *engine; /* the first line of what MPI says of itself */
} job_ranks;

/* Starts MPI. It is finalised when the rank ends. */
const job_ranks *job_begin(int *argc, char ***argv);
/* All ranks meet. Where one of them ends instead, this ends the others, too, and does not return. */
void job_meet(void);
/* After a call of wavefold_mpi.h that has failed on all ranks, or what it has found out. All ranks end, with failure;
 * those that have ended by themselves, with which the call could not agree, take part. */
_Noreturn void job_fail(void);
/* The last meeting, after which a rank can only succeed. On rank 0 nothing can be printed any more. */
void job_end(void);

#endif
