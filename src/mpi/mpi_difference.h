/* What ranks ask for that do not ask for the same, in words. */
#ifndef WAVEFOLD_MPI_DIFFERENCE_H
#define WAVEFOLD_MPI_DIFFERENCE_H

#include "mpi_agree.h"

/* Collective: every rank fails with WF_INVALID_ARGUMENT, and the same sentence about rank 0 and the lowest rank that
 * asks for something else. Allocates nothing. */
wf_status wf_mpi_tell_difference(const wf_mpi_ranks *ranks, const wf_mpi_request *request);

#endif
