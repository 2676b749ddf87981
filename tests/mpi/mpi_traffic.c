/* What a call sends: the agreement, the message, and nothing else. */
#include "ranks.h"

static const struct {
    const char *name;
    wf_field field;
    int calls;    /* of MPI's collectives */
    size_t words; /* the agreement's three with them */
} rows[] = {
    {"exact sum", {.spec = {.type = WF_F32}}, 2, 3 + 2 + 75},
    {"sum of integers", {.spec = {.type = WF_I16}}, 2, 3 + 2 + 1},
    {"maximum: the check is not sent", {.spec = {.type = WF_F64, .op = WF_MAX}}, 2, 3 + 1},
    {"both extremes", {.spec = {.type = WF_U8, .op = WF_MINMAX}}, 2, 3 + 2},
    {"argmin", {.spec = {.type = WF_F32, .op = WF_ARGMIN}}, 2, 3 + 3},
    {"description of floats", {.spec = {.type = WF_F32}, .describes = 1}, 3, 3 + 2 + 75 + 9},
};

void test_traffic(const ranks *of) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int root = WF_MPI_ALL; root < 1; root++) {
            calls = (mpi_calls){.made = 0};
            const wf_status status = wf_mpi_reduce_many(of->context, &rows[i].field, 1, root, of->comm);
            check(status == WF_OK, "%s: %s", rows[i].name, wf_last_error());
            check(calls.made == rows[i].calls && calls.words == rows[i].words, "%s: %d calls, %zu words, not %d, %zu",
                  rows[i].name, calls.made, calls.words, rows[i].calls, rows[i].words);
        }
    calls = (mpi_calls){.made = 0};
    const wf_status status = wf_mpi_agree(WF_OK, NULL, of->comm);
    check(status == WF_OK && calls.made == 1 && calls.words == 3, "agreement: %s, %d calls, %zu words",
          wf_status_name(status), calls.made, calls.words);
}
