/* The collectives that the adapter calls, counted on their way to MPI, by MPI's profiling interface; and how many ranks
 * there are, which may be feigned. */
#include "ranks.h"

mpi_calls calls;

static bool fails(size_t n) {
    calls.made++;
    calls.words += n;
    return calls.made == calls.fails_at;
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return fails((size_t)n) ? MPI_ERR_OTHER : PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return fails((size_t)n) ? MPI_ERR_OTHER : PMPI_Reduce(from, to, n, type, op, root, comm);
}
int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype as, MPI_Comm comm) {
    return fails((size_t)n) ? MPI_ERR_OTHER : PMPI_Allgather(from, n, type, to, each, as, comm);
}
int MPI_Gather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype as, int root,
               MPI_Comm comm) {
    return fails((size_t)n) ? MPI_ERR_OTHER : PMPI_Gather(from, n, type, to, each, as, root, comm);
}
int MPI_Bcast(void *what, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    return fails((size_t)n / 8) ? MPI_ERR_OTHER : PMPI_Bcast(what, n, type, root, comm);
}
int MPI_Comm_size(MPI_Comm comm, int *count) {
    const int code = PMPI_Comm_size(comm, count);
    if (calls.feigned != 0)
        *count = calls.feigned;
    return code;
}
