/* The agreement of all ranks before a message: each is well, and each asks for the same. */
#ifndef WAVEFOLD_MPI_AGREE_H
#define WAVEFOLD_MPI_AGREE_H

#include "mpi_request.h"

/* All ranks get the same answer: WF_OK; or the status of the lowest rank that failed, with its cause; or, if some ask
 * for other things than rank 0, WF_INVALID_ARGUMENT and what that is.
 *   mine:     this rank's status; not WF_OK: cause says why, and request is not heeded
 *   memory:   none is allocated, so that a rank that has none left takes part */
wf_status wf_mpi_settle(const wf_mpi_ranks *ranks, wf_status mine, const char *cause, const wf_mpi_request *request);

#endif
