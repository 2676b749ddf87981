/* What a rank asks for, and what is said where ranks do not ask for the same. */
#ifndef WAVEFOLD_MPI_REQUEST_H
#define WAVEFOLD_MPI_REQUEST_H

#include "mpi_ranks.h"

/* Zero-initialised, but for root: the agreement alone. */
typedef struct wf_mpi_request {
    const wf_field *fields;
    size_t n;
    int root;
    const uint64_t *check; /* the first words of this rank's message; NULL: the agreement alone */
} wf_mpi_request;

/* A number of 63 bits for all of that. The 20 bits of wf_message_get_request are too few to rely on: ranks that differ
 * in fields and root, of which some pairs have the same, would wait for each other without end. */
uint64_t wf_mpi_number_request(const wf_mpi_request *request);

/* Collective: every rank fails with WF_INVALID_ARGUMENT, and the same sentence about rank 0 and the lowest rank that
 * asks for something else. Allocates nothing. */
wf_status wf_mpi_tell_difference(const wf_mpi_ranks *ranks, const wf_mpi_request *request);

#endif
