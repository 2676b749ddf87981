/* What the parts of test_mpi share: the ranks, what failed, and what went through MPI. */
#ifndef WAVEFOLD_TESTS_RANKS_H
#define WAVEFOLD_TESTS_RANKS_H

#include <wavefold_mpi.h>

#include <stdbool.h>

typedef struct ranks {
    wf_context *context;
    MPI_Comm comm; /* of all, the last of MPI_COMM_WORLD first: a rank is not what it is there */
    int rank, count;
} ranks;

extern unsigned long compared, failures;

/* Counts a comparison; what is wrong is printed, with the rank. */
bool check(bool right, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Part number part has the elements from its start to that of the next. */
typedef enum parting { EVEN, UNEVEN, ALL_ON_LAST, EVERY_SECOND, ALL_ON_FIRST, PARTINGS } parting;
size_t part_start(parting how, int part, int parts, size_t count);

/* MPI's collectives as this process has called them since calls was set anew. */
typedef struct mpi_calls {
    int made;     /* all of them */
    size_t words; /* of 8 bytes, given to MPI by this rank */
    int fails_at; /* the call that is not made, but fails with MPI_ERR_OTHER: 1 is the first; 0: none */
    int feigned;  /* as many ranks MPI_Comm_size tells of; 0: as there are */
} mpi_calls;
extern mpi_calls calls;

void test_results(const ranks *of);
void test_traffic(const ranks *of);
void test_errors(const ranks *of);
/* MPI has not been initialised, or has been finalised, as says says. */
void test_without_mpi(wf_context *context, const char *says);

#endif
