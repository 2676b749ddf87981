#include "mpi_ranks.h"

#include <stdarg.h>
#include <stdio.h>

wf_status wf_mpi_fail(wf_status status, const char *format, ...) {
    char sentence[WF_MPI_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return wf_message_fail(status, sentence);
}

wf_status wf_mpi_check(int code, const char *call) {
    if (code == MPI_SUCCESS)
        return WF_OK;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        return wf_mpi_fail(WF_ENGINE_ERROR, "%s failed with code %d (MPI has no text for it)", call, code);
    return wf_mpi_fail(WF_ENGINE_ERROR, "%s: %.*s", call, length, text);
}

/* MPI allows MPI_Initialized and MPI_Finalized at any time. */
static wf_status check_that_mpi_runs(void) {
    int initialized = 0, finalized = 0;
    wf_status status = wf_mpi_check(MPI_Initialized(&initialized), "MPI_Initialized");
    if (status == WF_OK)
        status = wf_mpi_check(MPI_Finalized(&finalized), "MPI_Finalized");
    if (status != WF_OK)
        return status;
    if (!initialized)
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "MPI is not initialised: call MPI_Init before reductions over ranks");
    if (finalized)
        return wf_mpi_fail(WF_INVALID_ARGUMENT,
                           "MPI has been finalised: call MPI_Finalize after the last reduction over ranks");
    return WF_OK;
}

wf_status wf_mpi_find_ranks(MPI_Comm comm, wf_mpi_ranks *ranks) {
    wf_status status = check_that_mpi_runs();
    if (status != WF_OK)
        return status;
    if (comm == MPI_COMM_NULL)
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "'comm' is MPI_COMM_NULL: only ranks of the group may make the call");
    int joins_two_groups = 0;
    status = wf_mpi_check(MPI_Comm_test_inter(comm, &joins_two_groups), "MPI_Comm_test_inter");
    if (status != WF_OK)
        return status;
    if (joins_two_groups)
        return wf_mpi_fail(WF_INVALID_ARGUMENT,
                           "'comm' is an intercommunicator: merge its two groups by MPI_Intercomm_merge");
    *ranks = (wf_mpi_ranks){.comm = comm};
    status = wf_mpi_check(MPI_Comm_rank(comm, &ranks->rank), "MPI_Comm_rank");
    if (status == WF_OK)
        status = wf_mpi_check(MPI_Comm_size(comm, &ranks->count), "MPI_Comm_size");
    if (status == WF_OK && ranks->count > WF_MOST_RANKS)
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "'comm' has %d ranks: at most %d are supported; split it", ranks->count,
                           (int)WF_MOST_RANKS);
    return status;
}
