#ifndef WAVEFOLD_MPI_CLI_MPI_REDUCE_COMMAND_H
#define WAVEFOLD_MPI_CLI_MPI_REDUCE_COMMAND_H

#include "job.h"

/* `wavefold-mpi reduce`, which is argv[0]; on every rank. Returns an exit status, or calls exit. */
int mpi_reduce_main(int argc, char **argv, const job_ranks *ranks);

#endif
