/* Prints the exact sums of hard inputs that are divided among ranks: what results/rank-bits.md puts side by side.
 *
 * usage: mpirun -n RANKS rank_bits
 *
 * Rank 0 prints, for each type and input, a line of four fields with tabs between them: type, input, bits of the sum,
 * and for f32 and f64 the bits of MPI_SUM of each rank's fast sum. Every rank must find the bits of rank 0, for parts
 * of one length and for parts that grow with the rank, or it fails. */
#include "hard_floats.h"
#include "result_bytes.h"

#include <wavefold_mpi.h>

#include <stdio.h>
#include <stdlib.h>

static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

static wf_context *context;
static int rank, ranks;

static void require(wf_status status) {
    if (status != WF_OK) {
        fprintf(stderr, "rank_bits: rank %d: %s\n", rank, wf_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static size_t start_of(int which, size_t count, int grows) {
    const size_t r = (size_t)which, n = (size_t)ranks;
    return grows ? count * r * r / (n * n) : count * r / n;
}

/* The sum's bits; part has the rank's elements afterwards. */
static uint64_t sum_of(size_t input, wf_type type, int grows, unsigned char *part, size_t *count) {
    const size_t size = wf_type_size(type), all = input < HARD_INPUTS ? hard_count(input) : 0;
    const size_t start = start_of(rank, all, grows);
    *count = start_of(rank + 1, all, grows) - start;
    for (size_t i = 0; i < *count; i++)
        hard_put(input, type, start + i, part + i * size);
    uint64_t bits = 0;
    const wf_reduce_spec spec = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_EXACT};
    require(wf_mpi_reduce(context, &spec, part, *count, &bits, bytes_of_result(&spec), WF_MPI_ALL, MPI_COMM_WORLD));
    return bits;
}

/* What a program does without this library: a sum in the type itself on each rank, and MPI's of those. */
static uint64_t sum_by_mpi(wf_type type, const unsigned char *part, size_t count) {
    const wf_reduce_spec spec = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_FAST};
    const MPI_Datatype of = type == WF_F32 ? MPI_FLOAT : MPI_DOUBLE;
    uint64_t mine = 0, bits = 0;
    require(wf_reduce(context, &spec, part, count, &mine, bytes_of_result(&spec)));
    MPI_Allreduce(&mine, &bits, 1, of, MPI_SUM, MPI_COMM_WORLD);
    return bits;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    require(wf_context_create(&context, "host"));
    unsigned char *const part = malloc((size_t)HARD_MOST * 8);
    if (part == NULL)
        require(wf_message_fail(WF_OUT_OF_MEMORY, "no memory for the input"));
    for (size_t input = 0; input <= HARD_INPUTS; input++) /* the last: no element on any rank */
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            const wf_type type = types[t];
            size_t count = 0;
            const uint64_t growing = sum_of(input, type, 1, part, &count), sum = sum_of(input, type, 0, part, &count);
            uint64_t of_rank_0 = sum;
            MPI_Bcast(&of_rank_0, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
            if (sum != of_rank_0 || growing != of_rank_0)
                require(wf_message_fail(WF_ENGINE_ERROR, "the exact sum has other bits here, or in other parts"));
            const int digits = (int)(2 * wf_type_size(type));
            const char *const name = input < HARD_INPUTS ? hard_name(input) : "no element";
            if (rank == 0)
                printf("%s\t%s\t%0*llx\t", wf_type_name(type), name, digits, (unsigned long long)sum);
            if (wf_type_size(type) >= 4) {
                const uint64_t by_mpi = sum_by_mpi(type, part, count);
                if (rank == 0)
                    printf("%0*llx", digits, (unsigned long long)by_mpi);
            }
            if (rank == 0)
                printf("\n");
        }
    free(part);
    wf_context_destroy(context);
    MPI_Finalize();
    return 0;
}
