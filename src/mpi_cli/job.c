#define _GNU_SOURCE
#include "job.h"

#include "cli/cli.h"
#include "cli/output/standard_output.h"
#include "rank_cpus.h"
#include "wavefold_mpi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    job_ranks ranks;
    char engine[MPI_MAX_LIBRARY_VERSION_STRING];
    FILE *own_stderr, *held;
    char *held_text;
    size_t held_size;
    bool output_closed, over;
} job;

/* ---- Output of ranks other than 0 ---- */

/* Until the first meeting; MPI's own messages appear on all ranks. */
static void hold(void) {
    if (job.ranks.own != 0)
        job.held = open_memstream(&job.held_text, &job.held_size);
    if (job.held == NULL)
        return; /* rank 0; or without memory, and the messages appear at once */
    job.own_stderr = stderr;
    stderr = job.held; /* the GNU C library allows that, and argp and getopt write there */
}

static void release(void) {
    if (job.held == NULL)
        return;
    stderr = job.own_stderr;
    /* It stays open: if a module was loaded meanwhile that brought C++'s runtime, std::cerr is this stream. */
    (void)fflush(job.held); /* to held_text */
    job.held = NULL;
}

/* The first held line, without the program's name. */
static const char *held_cause(void) {
    if (job.held_text == NULL || *job.held_text == '\0')
        return "it ended before the others; give all ranks the same arguments";
    char *end = strchr(job.held_text, '\n');
    if (end != NULL)
        *end = '\0';
    const char *colon = strstr(job.held_text, ": ");
    const bool named = strncmp(job.held_text, cli_program, strlen(cli_program)) == 0;
    return named && colon != NULL ? colon + 2 : job.held_text;
}

/* ---- Meetings ---- */

/* After a failed meeting. All ranks end with the highest status of the ranks that ended by themselves, and a failure
 * for the others. */
static int agree_on_status(int status) {
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return status;
}

static _Noreturn void end_alike(void) {
    const int status = agree_on_status(CLI_FAILURE);
    job.over = true;
    exit(status);
}

/* True if no rank failed. */
static bool settle(bool is_well, const char *cause) {
    if (wf_mpi_agree(is_well ? WF_OK : WF_INVALID_ARGUMENT, cause, MPI_COMM_WORLD) == WF_OK)
        return true;
    if (is_well && job.ranks.own == 0)
        cli_error("%s", wf_last_error());
    return false;
}

void job_meet(void) {
    release();
    if (!settle(true, ""))
        end_alike();
}

void job_fail(void) {
    end_alike();
}

static bool close_output(void) {
    if (job.ranks.own != 0 || job.output_closed)
        return true;
    job.output_closed = true;
    return standard_output_close();
}

void job_end(void) {
    if (!close_output())
        exit(CLI_FAILURE);
    job_meet();
    job.over = true;
}

/* At exit. */
static void leave(int status, void *unused) {
    (void)unused;
    int agreed = status;
    if (!job.over) {
        if (!close_output())
            agreed = CLI_FAILURE;
        release();
        (void)settle(false, held_cause());
        agreed = agree_on_status(agreed);
    }
    MPI_Finalize();
    if (agreed != status)
        _exit(agreed);
}

/* ---- The beginning ---- */

/* This rank's index on its machine. */
static void find_place(void) {
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, job.ranks.own, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &job.ranks.place);
    rank_cpus_divide(machine);
    MPI_Comm_free(&machine);
}

/* The default error handler of MPI ends the job with a message, so its return codes are not checked. */
const job_ranks *job_begin(int *argc, char ***argv) {
    int given, length;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given); /* other threads reduce, and do not call MPI */
    MPI_Comm_rank(MPI_COMM_WORLD, &job.ranks.own);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks.count);
    MPI_Get_library_version(job.engine, &length);
    job.engine[strcspn(job.engine, "\n")] = '\0';
    job.ranks.engine = job.engine;
    find_place();
    if (on_exit(leave, NULL) != 0 || (job.ranks.own != 0 && freopen("/dev/null", "w", stdout) == NULL)) {
        cli_error("rank %d: out of memory, or there is no /dev/null", job.ranks.own);
        MPI_Abort(MPI_COMM_WORLD, CLI_FAILURE);
    }
    hold();
    return &job.ranks;
}
