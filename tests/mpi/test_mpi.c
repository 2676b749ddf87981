/* Reductions over ranks, by bits against those of the whole array in one process, and what becomes of errors.
 *
 * usage: mpirun -n RANKS test_mpi [dies]
 *        dies: rank 1 is killed before a reduction, in which the others then wait; the job must end
 *
 * Exit status 1: something was wrong, which the rank has printed. */
#include "ranks.h"
#include "result_bytes.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long compared, failures;
static int world_rank = -1;

bool check(bool right, const char *format, ...) {
    compared++;
    if (right)
        return true;
    if (failures++ < 10) {
        va_list arguments;
        char text[1024];
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        fprintf(stderr, "rank %d of the world: %s\n", world_rank, text);
    }
    return false;
}

size_t part_start(parting how, int part, int parts, size_t count) {
    const size_t r = (size_t)part, n = (size_t)parts;
    switch (how) {
    case UNEVEN:
        return count * r * r / (n * n);
    case ALL_ON_LAST:
        return r < n ? 0 : count;
    case EVERY_SECOND: /* parts 1, 3, ... are empty */
        return r % 2 == 0 || r == n ? count * r / n : part_start(how, part + 1, parts, count);
    case ALL_ON_FIRST:
        return r == 0 ? 0 : count;
    default:
        return count * r / n;
    }
}

/* A rank that is killed, and ranks that wait for it: it is MPI that ends the job, or says what it has found. */
static void die(const ranks *of) {
    MPI_Comm_set_errhandler(of->comm, MPI_ERRORS_RETURN);
    if (world_rank == 1)
        raise(SIGKILL);
    float result;
    const wf_status status = wf_mpi_reduce(of->context, &(wf_reduce_spec){.type = WF_F32}, NULL, 0, &result,
                                           bytes_of_result(&(wf_reduce_spec){.type = WF_F32}), WF_MPI_ALL, of->comm);
    fprintf(stderr, "rank %d: %s: %s\n", of->rank, wf_status_name(status), wf_last_error());
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv) {
    ranks of = {.context = NULL};
    if (wf_context_create(&of.context, "host") != WF_OK) {
        fprintf(stderr, "test_mpi: %s\n", wf_last_error());
        return 1;
    }
    test_without_mpi(of.context, "not initialised");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &of.comm);
    MPI_Comm_rank(of.comm, &of.rank);
    MPI_Comm_size(of.comm, &of.count);
    if (argc > 1 && strcmp(argv[1], "dies") == 0)
        die(&of);
    test_results(&of);
    test_traffic(&of);
    test_errors(&of);
    MPI_Comm_free(&of.comm);
    MPI_Finalize();
    test_without_mpi(of.context, "finalised");
    wf_context_destroy(of.context);
    if (world_rank == 0)
        printf("%lu comparisons on each of %d ranks\n", compared, of.count);
    return failures > 0;
}
