#include "mpi_agree.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { REQUEST_BITS = 20, MOST_CAUSE = 500 };

/* A rank's request, root included, as a number of REQUEST_BITS bits. Ranks that differ in the root alone have different
 * numbers: the factor is odd. */
static uint64_t number_of(const wf_mpi_request *request) {
    const uint64_t root = (uint64_t)(request->root + 1);
    return (request->number + root * UINT64_C(0x9e3b5)) % (UINT64_C(1) << REQUEST_BITS);
}

/* The cause of the lowest rank that failed, from it to all others. */
static wf_status tell_failure(const wf_mpi_ranks *ranks, wf_status mine, const char *cause, uint64_t failures) {
    int lowest = mine != WF_OK ? ranks->rank : ranks->count;
    wf_status status =
        wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, ranks->comm), "MPI_Allreduce");
    if (status != WF_OK)
        return status;
    struct {
        int32_t status;
        char cause[MOST_CAUSE + 1];
    } told;
    memset(&told, 0, sizeof told);
    if (ranks->rank == lowest) {
        told.status = (int32_t)mine;
        snprintf(told.cause, sizeof told.cause, "%s", cause);
    }
    status = wf_mpi_check(MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, lowest, ranks->comm), "MPI_Bcast");
    if (status != WF_OK)
        return status;
    char others[48] = "";
    if (failures > 1)
        snprintf(others, sizeof others, " (%llu more failed, too)", (unsigned long long)failures - 1);
    char sentence[WF_MPI_SENTENCE];
    const int start = snprintf(sentence, sizeof sentence, "rank %d%s: ", lowest, others);
    snprintf(sentence + start, sizeof sentence - (size_t)start, "%s", told.cause);
    return wf_message_fail((wf_status)told.status, sentence);
}

/* One allreduce. Each rank gives 1 and its number h in one word, h^2 in the next. All numbers are the same where ranks
 * times the sum of h^2 is the square of the sum of h (Cauchy and Schwarz): what they differ by is the sum of
 * (h - h')^2 over all pairs. Up to 2^12 ranks no word wraps. */
wf_status wf_mpi_settle(const wf_mpi_ranks *ranks, wf_status mine, const char *cause, const wf_mpi_request *request) {
    const uint64_t one_rank = UINT64_C(1) << 40;
    const uint64_t number = mine == WF_OK ? number_of(request) : 0, count = (uint64_t)ranks->count;
    uint64_t sums[3] = {one_rank | number, number * number, mine != WF_OK};
    const wf_status status =
        wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, ranks->comm), "MPI_Allreduce");
    if (status != WF_OK)
        return status;
    if (sums[2] > 0)
        return tell_failure(ranks, mine, cause, sums[2]);
    const uint64_t numbers = sums[0] - count * one_rank;
    return count * sums[1] == numbers * numbers ? WF_OK : wf_mpi_tell_difference(ranks, request);
}

wf_status wf_mpi_agree(wf_status mine, const char *cause, MPI_Comm comm) {
    wf_mpi_ranks ranks;
    const wf_status status = wf_mpi_find_ranks(comm, &ranks);
    if (status != WF_OK)
        return status;
    return wf_mpi_settle(&ranks, mine, cause != NULL ? cause : wf_last_error(), &(wf_mpi_request){.root = WF_MPI_ALL});
}
