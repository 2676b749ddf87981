/* CPUs of a machine whose ranks fold on the host device: without this each rank would start a thread for every CPU. */
#ifndef WAVEFOLD_MPI_CLI_RANK_CPUS_H
#define WAVEFOLD_MPI_CLI_RANK_CPUS_H

#include <mpi.h>

/* Finds this rank's share. All ranks of the machine's communicator call it, once. */
void rank_cpus_divide(MPI_Comm machine);
/* Has this thread, and those that it starts, run there alone. */
void rank_cpus_take(void);

#endif
