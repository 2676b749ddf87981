/* Times reductions over the ranks of MPI_COMM_WORLD beside the MPI_Allreduce of one number, and of as many bytes as the
 * state of an exact sum has. Sides take turns; a sample is the time of a call, of several in a row, on the slowest
 * rank. Rank 0 prints every sample as JSON; bench/ranks_mpi.py makes tables of it.
 *
 * usage: mpirun -n RANKS bench-ranks-ENGINE [SAMPLES [CALLS]] */
#include <wavefold_mpi.h>
#include <wavefold_sum.h>

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = WF_SUM_STATE_BYTES / 8, FEW = 4, MANY = 1 << 16, MOST_FIELDS = 64, DEFAULT_SAMPLES = 101 };

typedef struct side {
    const char *name;
    size_t fields, count; /* of wf_mpi_reduce_many; each of so many elements per rank. 0: an MPI_Allreduce of */
    MPI_Datatype type;    /* this */
    int numbers;
} side;

typedef struct bench {
    wf_context *context;
    const float *data; /* MANY elements */
    double sent[WORDS], got[WORDS];
    float results[MOST_FIELDS];
} bench;

static void require(int is_right, const char *what) {
    if (is_right)
        return;
    fprintf(stderr, "bench: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void call(bench *b, const side *which) {
    if (which->fields == 0) {
        require(MPI_Allreduce(b->sent, b->got, which->numbers, which->type, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS,
                "MPI_Allreduce failed");
        return;
    }
    wf_field fields[MOST_FIELDS] = {0};
    for (size_t i = 0; i < which->fields; i++)
        fields[i] =
            (wf_field){.in = b->data, .count = which->count, .result = &b->results[i], .result_bytes = sizeof(float)};
    require(wf_mpi_reduce_many(b->context, fields, which->fields, WF_MPI_ALL, MPI_COMM_WORLD) == WF_OK,
            wf_last_error());
}

/* Seconds of a call on the slowest rank, for rank 0. */
static double sample(bench *b, const side *which, long calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (long i = 0; i < calls; i++)
        call(b, which);
    const double mine = (MPI_Wtime() - begin) / (double)calls;
    double slowest = 0;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

static long number_of(const char *text) {
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    require(errno == 0 && *end == '\0' && number > 0 && number <= 1000000,
            "usage: bench-ranks-ENGINE [SAMPLES [CALLS]], numbers from 1 to 1000000");
    return number;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long samples = argc > 1 ? number_of(argv[1]) : DEFAULT_SAMPLES, calls = argc > 2 ? number_of(argv[2]) : 10;
    const side sides[] = {
        {.name = "allreduce of 1 float", .type = MPI_FLOAT, .numbers = 1},
        {.name = "allreduce of 1 double", .type = MPI_DOUBLE, .numbers = 1},
        {.name = "allreduce of 75 uint64, a state", .type = MPI_UINT64_T, .numbers = WORDS},
        {.name = "wf_mpi_reduce of 4 per rank", .fields = 1, .count = FEW},
        {.name = "wf_mpi_reduce of 2^16 per rank", .fields = 1, .count = MANY},
        {.name = "wf_mpi_reduce_many of 8 fields of 4", .fields = 8, .count = FEW},
        {.name = "wf_mpi_reduce_many of 64 fields of 4", .fields = MOST_FIELDS, .count = FEW},
    };
    enum { SIDES = sizeof sides / sizeof *sides };
    bench b = {0};
    float *const data = malloc(MANY * sizeof *data);
    require(data != NULL && wf_context_create(&b.context, "host") == WF_OK, "no memory, or no host device");
    for (size_t i = 0; i < MANY; i++)
        data[i] = (float)(i % 1009) * 0.37f - 150.0f + (float)rank;
    b.data = data;

    json_t *const times[SIDES] = {json_array(), json_array(), json_array(), json_array(),
                                  json_array(), json_array(), json_array()};
    for (long i = -1; i < samples; i++) /* the first one warms up, and is not kept */
        for (size_t s = 0; s < SIDES; s++) {
            const double seconds = sample(&b, &sides[s], calls);
            if (i >= 0)
                json_array_append_new(times[s], json_real(seconds));
        }

    if (rank == 0) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(version, &length);
        version[strcspn(version, ",\n")] = '\0'; /* of Open MPI up to the packager's name, of MPICH the first line */
        json_t *const rows = json_array();
        for (size_t s = 0; s < SIDES; s++)
            json_array_append_new(rows, json_pack("{s:s, s:o}", "name", sides[s].name, "seconds", times[s]));
        json_t *const run =
            json_pack("{s:s, s:i, s:i, s:o}", "engine", version, "ranks", ranks, "calls", (int)calls, "sides", rows);
        require(run != NULL && json_dumpf(run, stdout, JSON_REAL_PRECISION(6)) == 0 && printf("\n") > 0,
                "the results cannot be written");
        json_decref(run);
    }
    free(data);
    wf_context_destroy(b.context);
    MPI_Finalize();
    return 0;
}
