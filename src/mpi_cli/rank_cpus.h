/* Divides a machine's CPUs among ranks on the host device: otherwise each rank would start a thread for every CPU. */
#ifndef WAVEFOLD_MPI_CLI_RANK_CPUS_H
#define WAVEFOLD_MPI_CLI_RANK_CPUS_H

#include <mpi.h>

/* Finds this rank's share. All ranks of the machine's communicator call it, once. */
void rank_cpus_divide(MPI_Comm machine);
/* Binds this thread, and threads that it starts, to the share. */
void rank_cpus_take(void);

#endif
