/* A rank's request, and the error if requests differ. */
#ifndef WAVEFOLD_MPI_REQUEST_H
#define WAVEFOLD_MPI_REQUEST_H

#include "mpi_ranks.h"

/* Zero-initialised except for root: the agreement alone. */
typedef struct wf_mpi_request {
    const wf_field *fields;
    size_t n;
    int root;
    const uint64_t *check; /* the check words of this rank's message; NULL: the agreement alone */
} wf_mpi_request;

/* A hash of the request, of 63 bits. The 20 bits of wf_message_get_request are too few: ranks with different requests
 * but equal hashes would wait for each other forever. */
uint64_t wf_mpi_number_request(const wf_mpi_request *request);

/* Collective: every rank fails with WF_INVALID_ARGUMENT and the same sentence, about rank 0 and the lowest rank whose
 * request differs. Allocates nothing. */
wf_status wf_mpi_tell_difference(const wf_mpi_ranks *ranks, const wf_mpi_request *request);

#endif
