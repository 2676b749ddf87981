/* The ranks of a communicator, and MPI's errors. */
#ifndef WAVEFOLD_MPI_RANKS_H
#define WAVEFOLD_MPI_RANKS_H

#include <wavefold_mpi.h>

enum { WF_MPI_SENTENCE = 512 };

typedef struct wf_mpi_ranks {
    MPI_Comm comm;
    int rank, count;
} wf_mpi_ranks;

/* Refuses a communicator on which ranks cannot communicate. Sends nothing. */
wf_status wf_mpi_find_ranks(MPI_Comm comm, wf_mpi_ranks *ranks);

/* WF_OK for MPI_SUCCESS, else WF_ENGINE_ERROR with MPI's message; call is the function's name. */
wf_status wf_mpi_check(int code, const char *call);

/* wf_message_fail with a formatted sentence, cut to WF_MPI_SENTENCE characters. */
wf_status wf_mpi_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
