#include "mpi_agree.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CAUSE = 500 };

/* Sends the cause of the lowest rank that failed to all others; every rank fails with it. */
static wf_status tell_failure(const wf_mpi_ranks *ranks, wf_status mine, const char *cause) {
    int failures = mine != WF_OK, lowest = mine != WF_OK ? ranks->rank : ranks->count;
    wf_status status =
        wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, ranks->comm), "MPI_Allreduce");
    if (status == WF_OK)
        status =
            wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, ranks->comm), "MPI_Allreduce");
    if (status != WF_OK)
        return status;
    struct {
        int32_t status;
        char cause[MOST_CAUSE + 1];
    } failure;
    memset(&failure, 0, sizeof failure);
    if (ranks->rank == lowest) {
        failure.status = (int32_t)mine;
        snprintf(failure.cause, sizeof failure.cause, "%s", cause);
    }
    status = wf_mpi_check(MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, lowest, ranks->comm), "MPI_Bcast");
    if (status != WF_OK)
        return status;
    char others[48] = "";
    if (failures > 1)
        snprintf(others, sizeof others, " (and %d more)", failures - 1);
    char sentence[WF_MPI_SENTENCE];
    const int start = snprintf(sentence, sizeof sentence, "rank %d%s: ", lowest, others);
    snprintf(sentence + start, sizeof sentence - (size_t)start, "%s", failure.cause);
    return wf_message_fail((wf_status)failure.status, sentence);
}

/* One allreduce (maximum) of three numbers: the request, its complement (for the least request), and a failure flag. */
wf_status wf_mpi_settle(const wf_mpi_ranks *ranks, wf_status mine, const char *cause, const wf_mpi_request *request) {
    const int64_t number = mine == WF_OK ? (int64_t)wf_mpi_number_request(request) : 0;
    int64_t most[3] = {number, ~number, mine != WF_OK};
    const wf_status status =
        wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT64_T, MPI_MAX, ranks->comm), "MPI_Allreduce");
    if (status != WF_OK)
        return status;
    if (most[2] != 0)
        return tell_failure(ranks, mine, cause);
    return most[0] == ~most[1] ? WF_OK : wf_mpi_tell_difference(ranks, request);
}

wf_status wf_mpi_agree(wf_status mine, const char *cause, MPI_Comm comm) {
    wf_mpi_ranks ranks;
    const wf_status status = wf_mpi_find_ranks(comm, &ranks);
    if (status != WF_OK)
        return status;
    return wf_mpi_settle(&ranks, mine, cause != NULL ? cause : wf_last_error(), &(wf_mpi_request){.root = WF_MPI_ALL});
}
