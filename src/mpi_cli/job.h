/* The ranks of the job: only rank 0 prints, and all end together with one exit status. A failing rank calls exit
 * anywhere, and takes part in the others' next meeting before it ends, so that no rank waits forever. Meetings are
 * job_meet, job_end, and collective calls of wavefold_mpi.h, followed by job_fail on failure; there is no other
 * communication. Up to the first meeting a rank prints the reason by cli_error or argp; text of other ranks is held
 * back, and rank 0 prints that of the lowest failed rank, unless rank 0 failed. */
#ifndef WAVEFOLD_MPI_CLI_JOB_H
#define WAVEFOLD_MPI_CLI_JOB_H

typedef struct job_ranks {
    int own, count;
    int place;          /* among the ranks of this machine */
    const char *engine; /* the first line of MPI's version text */
} job_ranks;

/* Starts MPI. It is finalised when the rank ends. */
const job_ranks *job_begin(int *argc, char ***argv);
/* All ranks meet. If one of them ends instead, the others end, too, and this does not return. */
void job_meet(void);
/* After a call of wavefold_mpi.h that failed on all ranks, or found a failure. All ranks end with a failure; ranks that
 * ended by themselves, which could not take part in the call, join here. */
_Noreturn void job_fail(void);
/* The last meeting: afterwards a rank can only succeed, and rank 0 must not print. */
void job_end(void);

#endif
