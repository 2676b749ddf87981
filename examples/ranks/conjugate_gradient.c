/* Conjugate gradients for Poisson's equation on a square, whose rows are spread over ranks: with exact dot products,
 * and with MPI_SUM. With the first, every residual and every bit of the solution is the same for any number of ranks.
 *
 *   mpicc -std=c11 -ffp-contract=off conjugate_gradient.c $(pkg-config --cflags --libs wavefold-mpi) -lm -o cg
 *   mpirun -n 1 ./cg; mpirun -n 7 ./cg */
#include <wavefold_mpi.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, MOST_STEPS = 1000, SHOWN = 100 };
static const double tolerance = 1e-10; /* of the residual's norm, to the first one */

/* A rank's rows of a vector, with a row of its neighbours' before and behind them. */
typedef double row[N];

typedef struct part {
    wf_context *context;
    int rank, ranks;
    size_t first, rows; /* of this rank */
    row *x, *r, *p, *q;
    row *terms; /* of a dot product: no rows of neighbours */
} part;

typedef double dot_product(const part *my, row *a, row *b);

/* The calls of wavefold_mpi.h fail on all ranks or on none. MPI's own errors end the job: that is its default. */
static void check(wf_status status) {
    if (status == WF_OK)
        return;
    fprintf(stderr, "%s: %s\n", wf_status_name(status), wf_last_error());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* Each product is rounded by itself, so it is the same on whichever rank it is formed. */
static void multiply(const part *my, row *a, row *b) {
    for (size_t i = 0; i < my->rows; i++)
        for (size_t j = 0; j < N; j++)
            my->terms[i][j] = a[i + 1][j] * b[i + 1][j];
}

/* The sum of the products is rounded once: it depends on nothing but them. */
static double exact_dot(const part *my, row *a, row *b) {
    double sum;
    multiply(my, a, b);
    const wf_reduce_spec spec = {.type = WF_F64, .op = WF_SUM};
    check(wf_mpi_reduce(my->context, &spec, my->terms, my->rows * N, &sum, sizeof sum, WF_MPI_ALL, MPI_COMM_WORLD));
    return sum;
}

/* The usual way: each addition is rounded, and which are made depends on the number of ranks. */
static double usual_dot(const part *my, row *a, row *b) {
    double local = 0, sum;
    multiply(my, a, b);
    for (size_t i = 0; i < my->rows; i++)
        for (size_t j = 0; j < N; j++)
            local += my->terms[i][j];
    MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* out = A in, A the 5-point Laplacian; beyond the square all is 0. */
static void apply(const part *my, row *in, row *out) {
    const int before = my->rank > 0 ? my->rank - 1 : MPI_PROC_NULL;
    const int behind = my->rank + 1 < my->ranks ? my->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(in[1], N, MPI_DOUBLE, before, 0, in[my->rows + 1], N, MPI_DOUBLE, behind, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(in[my->rows], N, MPI_DOUBLE, behind, 0, in[0], N, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (size_t i = 1; i <= my->rows; i++)
        for (size_t j = 0; j < N; j++)
            out[i][j] = 4 * in[i][j] - in[i - 1][j] - in[i + 1][j] - (j > 0 ? in[i][j - 1] : 0) -
                        (j + 1 < N ? in[i][j + 1] : 0);
}

/* The sum, which wraps, of a hash of each element and its place: it has no order, so every division gives the same. */
static uint64_t hash_of(const part *my, row *x) {
    uint64_t *const hashes = (uint64_t *)my->terms, sum;
    for (size_t i = 0; i < my->rows * N; i++) {
        uint64_t bits;
        memcpy(&bits, &x[1 + i / N][i % N], sizeof bits);
        bits = (bits ^ (my->first * N + i)) * UINT64_C(0x9e3779b97f4a7c15);
        hashes[i] = (bits ^ (bits >> 32)) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    const wf_reduce_spec spec = {.type = WF_U64, .op = WF_SUM};
    check(wf_mpi_reduce(my->context, &spec, hashes, my->rows * N, &sum, sizeof sum, WF_MPI_ALL, MPI_COMM_WORLD));
    return sum;
}

/* Solves A x = b from x = 0, where b has a few sources and sinks of unlike strengths. */
static void solve(const part *my, dot_product *dot, const char *name) {
    for (size_t i = 1; i <= my->rows; i++)
        for (size_t j = 0; j < N; j++) {
            const size_t place = (my->first + i) * N + j;
            my->x[i][j] = 0;
            my->r[i][j] = my->p[i][j] = place % 1013 == 7 ? 1.0 / (double)(1 + place % 17) - 0.3 : 0;
        }
    double rr = dot(my, my->r, my->r);
    const double enough = tolerance * tolerance * rr;
    int step = 0;
    for (; rr > enough && step < MOST_STEPS; step++) {
        if (step % SHOWN == 0 && my->rank == 0)
            printf("%s: step %d, residual %.17g\n", name, step, sqrt(rr));
        apply(my, my->p, my->q);
        const double alpha = rr / dot(my, my->p, my->q);
        for (size_t i = 1; i <= my->rows; i++)
            for (size_t j = 0; j < N; j++) {
                my->x[i][j] += alpha * my->p[i][j];
                my->r[i][j] -= alpha * my->q[i][j];
            }
        const double before = rr;
        rr = dot(my, my->r, my->r);
        const double beta = rr / before;
        for (size_t i = 1; i <= my->rows; i++)
            for (size_t j = 0; j < N; j++)
                my->p[i][j] = my->r[i][j] + beta * my->p[i][j];
    }
    const uint64_t hash = hash_of(my, my->x);
    if (my->rank == 0)
        printf("%s: %s after %d steps, residual %.17g, hash of the solution %016" PRIx64 "\n", name,
               rr <= enough ? "converged" : "not converged", step, sqrt(rr), hash);
    if (rr > enough)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    part my = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &my.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my.ranks);
    if (my.ranks > N) {
        if (my.rank == 0)
            fprintf(stderr, "%d ranks are more than the %d rows: start fewer\n", my.ranks, N);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    const wf_status opened = wf_context_create(&my.context, argc > 1 ? argv[1] : "host");
    check(wf_mpi_agree(opened, NULL, MPI_COMM_WORLD)); /* all are told if one rank has no such device */

    my.first = (size_t)N * (size_t)my.rank / (size_t)my.ranks;
    my.rows = (size_t)N * ((size_t)my.rank + 1) / (size_t)my.ranks - my.first;
    row *const memory = calloc(4 * (my.rows + 2) + my.rows, sizeof *memory);
    check(wf_mpi_agree(memory == NULL ? WF_OUT_OF_MEMORY : WF_OK, "no memory for its rows", MPI_COMM_WORLD));
    my.x = memory;
    my.r = my.x + my.rows + 2;
    my.p = my.r + my.rows + 2;
    my.q = my.p + my.rows + 2;
    my.terms = my.q + my.rows + 2;

    solve(&my, exact_dot, "exact");
    solve(&my, usual_dot, "MPI_SUM");
    free(memory);
    wf_context_destroy(my.context);
    MPI_Finalize();
    return 0;
}
