/* Global means of fields on a sphere, whose rows of latitude are spread over ranks: exact sums in one message, beside
 * MPI_SUM. The first have the same digits for every number of ranks.
 *
 *   mpicc -std=c11 -ffp-contract=off field_mean.c $(pkg-config --cflags --libs wavefold-mpi) -o field_mean
 *   mpirun -n 1 ./field_mean; mpirun -n 7 ./field_mean */
#include <wavefold_mpi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 360, COLUMNS = 720 };

/* The calls of wavefold_mpi.h fail on all ranks or on none. MPI's own errors end the job: that is its default. */
static void check(wf_status status) {
    if (status == WF_OK)
        return;
    fprintf(stderr, "%s: %s\n", wf_status_name(status), wf_last_error());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* The cosine of degrees, which is a row's area, by its series: libraries round theirs in several ways, and then the
 * elements would be others from machine to machine. */
static double cosine(double degrees) {
    const double x = degrees * (3.14159265358979323846 / 180), y = x * x;
    double sum = 1;
    for (int i = 24; i > 0; i -= 2)
        sum = 1 - y / (i * (i - 1)) * sum;
    return sum;
}

/* Weather at a cell: in [-1, 1), and the same whoever asks. */
static double weather(uint64_t cell) {
    uint64_t x = (cell + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(int64_t)(x ^ (x >> 29)) * 0x1p-63;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    wf_context *context = NULL;
    const wf_status opened = wf_context_create(&context, argc > 1 ? argv[1] : "host");
    check(wf_mpi_agree(opened, NULL, MPI_COMM_WORLD)); /* all are told if one rank has no such device */

    /* This rank's rows, and what is summed: each cell's value times its area. The products are rounded, but each by
     * itself, so they are the same on whichever rank a cell lies. */
    const size_t first = (size_t)ROWS * (size_t)rank / (size_t)ranks;
    const size_t count = ((size_t)ROWS * ((size_t)rank + 1) / (size_t)ranks - first) * COLUMNS;
    float *const kelvin = calloc(count + 1, sizeof *kelvin);        /* temperature */
    double *const imbalance = calloc(count + 1, sizeof *imbalance); /* W/m^2 that come in less those that go out */
    double *const area = calloc(count + 1, sizeof *area);
    float *const warmth = calloc(count + 1, sizeof *warmth); /* temperature by area */
    const int has_all = kelvin != NULL && imbalance != NULL && area != NULL && warmth != NULL;
    check(wf_mpi_agree(has_all ? WF_OK : WF_OUT_OF_MEMORY, "no memory for its rows", MPI_COMM_WORLD));
    float warmth_sum = 0;
    double local[2] = {0, 0}, sums[2];
    for (size_t i = 0; i < count; i++) {
        const uint64_t cell = first * COLUMNS + i;
        const double degrees = -90 + ((double)(cell / COLUMNS) + 0.5) * 180 / (double)ROWS;
        const double x = degrees / 90, cosine_here = cosine(degrees);
        area[i] = cosine_here;
        kelvin[i] = (float)(302 - 55 * x * x + 12 * weather(cell));
        warmth[i] = kelvin[i] * (float)cosine_here;
        imbalance[i] = (90 - 270 * x * x + 300 * weather(cell + ROWS * COLUMNS)) * cosine_here;
        warmth_sum += warmth[i];
        local[0] += imbalance[i];
        local[1] += area[i];
    }

    /* Everything at once: one message, whatever the number of fields. */
    enum { AREA, WARMTH, IMBALANCE, COLDEST, FIELDS };
    double result[COLDEST];
    struct {
        float kelvin;
        uint64_t cell;
    } coldest;
    const wf_field fields[FIELDS] = {[AREA] = {.spec = {.type = WF_F64},
                                               .in = area,
                                               .count = count,
                                               .result = &result[AREA],
                                               .result_bytes = sizeof(double)},
                                     [WARMTH] = {.spec = {.type = WF_F32, .accumulator = WF_ACCUMULATE_F64},
                                                 .in = warmth,
                                                 .count = count,
                                                 .result = &result[WARMTH],
                                                 .result_bytes = sizeof(double)},
                                     [IMBALANCE] = {.spec = {.type = WF_F64},
                                                    .in = imbalance,
                                                    .count = count,
                                                    .result = &result[IMBALANCE],
                                                    .result_bytes = sizeof(double)},
                                     [COLDEST] = {.spec = {.type = WF_F32, .op = WF_ARGMIN},
                                                  .in = kelvin,
                                                  .count = count,
                                                  .result = &coldest,
                                                  .result_bytes = sizeof coldest}};
    check(wf_mpi_reduce_many(context, fields, FIELDS, WF_MPI_ALL, MPI_COMM_WORLD));

    float warmth_mpi;
    MPI_Allreduce(&warmth_sum, &warmth_mpi, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(local, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

    if (rank == 0) {
        printf("%-26s %-24s MPI_SUM, %d ranks\n", "mean by area", "exact, any ranks", ranks);
        printf("%-26s %-24.17g %.9g\n", "temperature (f32), K", result[WARMTH] / result[AREA],
               warmth_mpi / (float)sums[1]);
        printf("%-26s %-24.17g %.17g\n", "imbalance (f64), W/m^2", result[IMBALANCE] / result[AREA], sums[0] / sums[1]);
        printf("%-26s %.9g K in row %" PRIu64 ", column %" PRIu64 "\n", "coldest", (double)coldest.kelvin,
               coldest.cell / COLUMNS, coldest.cell % COLUMNS);
    }
    free(kelvin);
    free(imbalance);
    free(area);
    free(warmth);
    wf_context_destroy(context);
    MPI_Finalize();
    return 0;
}
