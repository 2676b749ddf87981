/* `wavefold-mpi reduce`: `wavefold reduce` on all ranks of a job. */
#define _GNU_SOURCE
#include "mpi_reduce_command.h"

#include "cli/arguments/parse.h"
#include "cli/arguments/reduce_options.h"
#include "cli/cli.h"
#include "cli/input/input_path.h"
#include "cli/output/answer_output.h"
#include "cli/output/progress.h"
#include "one_rank_check.h"
#include "rank_cpus.h"
#include "rank_device.h"
#include "wavefold_mpi.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, OPTION_CHECK = 0x100, OPTION_PROGRESS };

typedef struct mpi_reduce_options {
    reduce_options reduce;
    bool check, progress;
} mpi_reduce_options;

static const struct argp_option option_table[] = {
    {"check", OPTION_CHECK, 0, 0,
     "Then reduce the whole file again on rank 0 alone, and compare the bits: a difference is a failure. Only for "
     "results that are rounded once",
     0},
    {"progress", OPTION_PROGRESS, 0, 0,
     "Show the progress of rank 0 on standard error even if that is not a terminal: launchers put a pipe in between",
     0},
    {0, 0, 0, 0, 0, 0}};

static const struct argp_option device_table[] = {{"device", OPTION_DEVICE, "NAME", 0, HELP_RANK_DEVICE, 0},
                                                  {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Reduce the elements of FILE on all ranks of an MPI job, and print the result on rank 0: " HELP_FILES
    " Each rank maps the file, which every machine needs under the same name, and reads its own part."
    "\v" HELP_ANSWER
    ". Exact sums, and all other results that are rounded once, have the same bits for any number of ranks.\n\n"
    "Exit status, of all ranks: 0, or 1 on a failure of any rank, or 2 on bad usage.\n\n"
    "Examples:\n"
    "  mpirun -n 8 wavefold-mpi reduce heights.npy\n"
    "  mpirun -n 8 wavefold-mpi reduce heights.npy --op describe --json -\n"
    "  mpirun -n 8 wavefold-mpi reduce heights.npy --check\n"
    "  srun -n 64 wavefold-mpi reduce counts.bin --type u16 --op mean --device nvidia";

/* ---- Before the first meeting: a failure ends the rank, and so the job ---- */

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    mpi_reduce_options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reduce;
        state->child_inputs[1] = &options->reduce.fold;
        return 0;
    case OPTION_CHECK:
        options->check = true;
        return 0;
    case OPTION_PROGRESS:
        options->progress = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void parse(mpi_reduce_options *options, int argc, char **argv) {
    static const struct argp device_parser = {device_table, fold_options_parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {
        {&reduce_parser, 0, NULL, 0}, {&device_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, NULL, documentation, children, NULL, NULL};
    *options = (mpi_reduce_options){.reduce = {.fold = {.of_reduce = true}}};
    if (argp_parse(&parser, argc, argv, 0, NULL, options) != 0)
        exit(CLI_FAILURE);
    const reduce_options *reduce = &options->reduce;
    if (input_is_stdin(reduce->path))
        cli_usage_error("- is standard input, which only one rank has; give a file that all ranks can open");
    if (options->progress && reduce->output.quiet)
        cli_usage_error("--progress and --quiet exclude each other; leave one out");
    fold of;
    if (!options->check || !reduce->fold.type_given || reduce_refusal(reduce, reduce->fold.spec.type, &of) != NULL)
        return; /* what is refused without --check was refused above */
    const char *why = one_rank_refusal(reduce, &of);
    if (why != NULL)
        cli_usage_error("%s", why);
}

static bool can_check(const mpi_reduce_options *options, const answer *a) {
    char *why = options->check ? one_rank_refusal(&options->reduce, &a->of) : NULL;
    if (why != NULL)
        cli_error("input '%s': %s", a->data.path, why);
    free(why);
    return why == NULL;
}

static bool open_device(wf_context **context, answer *a, const char *asked, const job_ranks *ranks) {
    char *name = rank_device(asked, ranks->place);
    if (strncmp(name, "host", strlen("host")) == 0)
        rank_cpus_take();
    const bool opened =
        wf_context_create(context, name) == WF_OK && wf_context_get_device(*context, &a->device) == WF_OK;
    free(name);
    if (!opened)
        cli_error("%s", wf_last_error());
    return opened;
}

static part_progress progress_of(const mpi_reduce_options *options, const job_ranks *ranks) {
    if (ranks->own != ROOT || options->reduce.output.quiet)
        return PROGRESS_NEVER;
    return options->progress ? PROGRESS_ALWAYS : PROGRESS_ON_TERMINAL;
}

/* ---- Together ---- */

/* Faults of the job as a whole, known to all ranks. */
static _Noreturn void fail(const answer *a, const job_ranks *ranks, const char *why) {
    if (ranks->own == ROOT)
        cli_error("input '%s': %s", a->data.path, why);
    job_fail();
}

/* Options of rank 0 alone. Other ranks may have them, too, but not instead of rank 0. */
static const char *const of_root[] = {"--check", "--json", "--state"};

static uint64_t asked_of_root(const mpi_reduce_options *options) {
    return (uint64_t)options->check | (uint64_t)(options->reduce.output.json_path != NULL) << 1 |
           (uint64_t)(options->reduce.fold.state_path != NULL) << 2;
}

/* Finds ranks with other arguments or files before the reduction. */
static void compare_requests(const mpi_reduce_options *options, const answer *a, const part_fold *part,
                             wf_context *context, const job_ranks *ranks) {
    enum { BITS = 32 };
    const uint64_t count = a->data.count, asked = asked_of_root(options) << (ranks->own == ROOT ? BITS : 0);
    uint64_t extremes[2], all_asked; /* as i64, which the device watched supports, too; all are below 2^63 */
    const wf_field facts[] = {{.spec = {.type = WF_I64, .op = WF_MINMAX},
                               .in = &count,
                               .count = 1,
                               .result = extremes,
                               .result_bytes = sizeof extremes},
                              {.spec = {.type = WF_I64, .op = WF_OR},
                               .in = &asked,
                               .count = 1,
                               .result = &all_asked,
                               .result_bytes = sizeof all_asked}};
    wf_status status = wf_mpi_reduce_many(context, &part->field, 1, ROOT, MPI_COMM_WORLD); /* of no elements yet */
    if (status == WF_INVALID_ARGUMENT)
        fail(a, ranks, cli_text("%s: give all ranks the same arguments", wf_last_error()));
    if (status == WF_OK)
        status = wf_mpi_reduce_many(context, facts, sizeof facts / sizeof *facts, WF_MPI_ALL, MPI_COMM_WORLD);
    if (status != WF_OK)
        fail(a, ranks, wf_last_error());
    if (extremes[0] != extremes[1])
        fail(a, ranks,
             cli_text("the ranks have from %" PRIu64 " to %" PRIu64 " elements; give all ranks the same file",
                      extremes[0], extremes[1]));
    for (size_t i = 0; i < sizeof of_root / sizeof *of_root; i++)
        if ((all_asked >> i & 1) != 0 && (all_asked >> BITS >> i & 1) == 0)
            fail(a, ranks,
                 cli_text("%s was given to other ranks than 0, which alone does that; give all ranks the same "
                          "arguments",
                          of_root[i]));
}

/* A state's own words combine it; see wavefold_message.h. */
static void fold_all(answer *a, part_fold *part, wf_context *context, const job_ranks *ranks) {
    const double start = progress_now();
    const wf_status folded = part_fold_run(part, context);
    wf_field field = part->field;
    part_fold_give_result(&field, a);
    if (wf_mpi_join(folded, &field, 1, part->message, ROOT, MPI_COMM_WORLD) != WF_OK)
        fail(a, ranks, wf_last_error());
    a->seconds = progress_now() - start;
    if (a->options->fold.state_path != NULL)
        memcpy(&a->state, part->message + WF_MESSAGE_CHECK_WORDS, sizeof a->state);
}

int mpi_reduce_main(int argc, char **argv, const job_ranks *ranks) {
    mpi_reduce_options options;
    wf_context *context = NULL;
    part_fold part;
    parse(&options, argc, argv);
    const part_progress shown = progress_of(&options, ranks);
    answer a = {.options = &options.reduce, .ranks = ranks->count, .engine = ranks->engine};
    if ((ranks->own == ROOT && !answer_can_begin(&options.reduce)) || !answer_open(&a) ||
        (answer_depends_on_order(&a) && !input_in_c_order(&a.data)) || !can_check(&options, &a) ||
        !open_device(&context, &a, options.reduce.fold.device, ranks) ||
        !part_fold_prepare(&part, &a, ranks->own, ranks->count, shown))
        exit(CLI_FAILURE);
    job_meet();
    compare_requests(&options, &a, &part, context, ranks);
    fold_all(&a, &part, context, ranks);
    if (ranks->own == ROOT && (!answer_write(&a) || (options.check && !one_rank_agrees(&a, context, shown))))
        exit(CLI_FAILURE);
    job_end();
    part_fold_free(&part);
    wf_context_destroy(context);
    input_close(&a.data);
    return CLI_SUCCESS;
}
