/* The agreement of all ranks before a message: no rank has failed, and all request the same. */
#ifndef WAVEFOLD_MPI_AGREE_H
#define WAVEFOLD_MPI_AGREE_H

#include "mpi_request.h"

/* All ranks return the same status: WF_OK; or that of the lowest rank that failed, with its cause; or
 * WF_INVALID_ARGUMENT if a rank's request differs from rank 0's.
 *   mine:     this rank's status; if it is not WF_OK, cause is used and request is ignored
 *   memory:   allocates nothing, so that a rank without memory can take part */
wf_status wf_mpi_settle(const wf_mpi_ranks *ranks, wf_status mine, const char *cause, const wf_mpi_request *request);

#endif
