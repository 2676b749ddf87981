/* The device of a rank of `wavefold-mpi`. */
#ifndef WAVEFOLD_MPI_CLI_RANK_DEVICE_H
#define WAVEFOLD_MPI_CLI_RANK_DEVICE_H

#define HELP_RANK_DEVICE                                                                                               \
    "auto (default: the ranks of a machine take its GPUs in turn; without GPUs the host), nvidia or amd (likewise), "  \
    "nvidia:1 (this one on all ranks), host; see wavefold devices"

/* The name of the device that the rank takes, malloc'ed.
 *   asked:    --device's argument; NULL: not given
 *   place:    of the rank, among those of its machine */
char *rank_device(const char *asked, int place);

#endif
