/* `wavefold try`: compiles a user's kernels for the host device, runs them, and judges their results. */
#define _GNU_SOURCE
#include "cli/arguments/output_options.h"
#include "cli/arguments/parse.h"
#include "cli/cli.h"
#include "cli/explain/explain_report.h"
#include "cli/output/json.h"
#include "cli/output/output_file.h"
#include "cli/try/compile.h"
#include "cli/try/interruption.h"
#include "cli/try/new_kernel.h"
#include "cli/try/try_json.h"
#include "cli/try/try_text.h"
#include "cli/try/unsupported.h"
#include "cli/try/watch_file.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPTION_AGAINST = 0x100, OPTION_SECONDS, OPTION_NEW, OPTION_PLAIN, OPTION_TASK, OPTION_WATCH, OPTION_VERBOSE };
enum { SECONDS = 10, MOST_SECONDS = 3600, COUNTED = 1 << 16 };

/* hip/host/try/verdict/tasks.cpp has the same. */
static const char *const task_names[] = {
    "sum",   "max",  "min",    "inclusive-sum", "exclusive-sum", "sort-ascending", "sort-descending",
    "dot",   "mean", "sumsq",  "norm",          "argmax",        "argmin",         "histogram",
    "count", "mse",  "softmax"};
static const char *const wave_names[] = {[WAVES_32] = "32", [WAVES_64] = "64", [WAVES_BOTH] = "both"};

static const struct argp_option option_table[] = {
    {"wave", 'w', "LANES", 0,
     "Judge the file with waves of 32 lanes, of 64, or of both; default: 32 for a CUDA file, else both", 0},
    {"task", OPTION_TASK, "NAME", 0,
     "The task that solve() has: sum, max, min, inclusive-sum, exclusive-sum, sort-ascending, sort-descending, dot, "
     "mean, sumsq, norm, argmax, argmin, histogram, count, mse or softmax; default: the one that its results equal",
     0},
    {"watch", OPTION_WATCH, 0, 0, "Run again whenever the file changes; Ctrl-C ends it", 0},
    {"verbose", OPTION_VERBOSE, 0, 0, "Print all messages of the compiler, not only the first error", 0},
    {"against", OPTION_AGAINST, "RUNG", 0, "Also print the counters of this rung; see wavefold rungs", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "End the kernel after N seconds: 1 to 3600, default 10", 0},
    {"new", OPTION_NEW, "NAME", 0, "Write NAME.hip, a simple and right kernel to start from; an existing file is kept",
     0},
    {"plain", OPTION_PLAIN, 0, 0, "With --new: in plain HIP, not in the ladder's vocabulary", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Compile the kernels in FILE with the system's C++ compiler (CXX, or c++, or g++), run them on the emulated host "
    "device, and print whether the results are right, the rules that the kernels break, and their cost. Waves have 32 "
    "and 64 lanes, which run forward, in reverse and in a random order."
    "\vThe file runs as a program with your permissions: try only files that you would run.\n\n"
    "A file with main() runs as it is. Of solve() or another function that launches the kernels the arrays are made "
    "here, and its results are compared with exact ones. A kernel alone is a sum, in the ladder's vocabulary "
    "(array_view, tiled_index, tile_static) or that of HIP and CUDA (threadIdx, __shared__, __syncthreads). A line at "
    "the end of the file defines its launch:\n"
    "  WF_TRY(kernel, tile size, elements per tile)\n"
    "      writes a partial sum of each tile to out[tile], and is launched again on these until one is left\n"
    "  WF_TRY_ATOMIC(kernel, tile size, tiles)\n"
    "  WF_TRY_ATOMIC_ELEMENTS(kernel, tile size, elements per tile)\n"
    "      adds all elements to out[0], which begins at 0\n\n"
    "Exit status: 0 if no result of the judged waves is wrong and the checks found nothing, 1 otherwise or on a "
    "failure, 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold try --new mine\n"
    "  wavefold try mine.hip --against tiled_4\n"
    "  wavefold try solution.cu --watch\n"
    "  wavefold try program.cu -- 1000\n"
    "  wavefold try --new mine_too --plain";

typedef struct try_options {
    const char *path, *new_name; /* NULL: not given */
    bool is_plain;
    const char *against;
    size_t rung;
    unsigned seconds; /* 0: not given */
    wave_choice waves;
    const char *task; /* NULL: not given */
    bool is_watched, is_verbose;
    char **arguments; /* of a program: its name, then those behind "--"; ends with NULL. NULL: there are none */
    output_options output;
} try_options;

static void check_request(const try_options *options) {
    if (options->new_name != NULL && options->path != NULL)
        cli_usage_error("--new writes a file and tries none: give NAME or FILE");
    const char *const vain = options->against != NULL            ? "--against"
                             : options->seconds != 0             ? "--seconds"
                             : options->waves != WAVES_OF_FILE   ? "--wave"
                             : options->task != NULL             ? "--task"
                             : options->is_watched               ? "--watch"
                             : options->is_verbose               ? "--verbose"
                             : options->output.json_path != NULL ? "--json"
                                                                 : NULL;
    if (options->new_name != NULL && vain != NULL)
        cli_usage_error("--new writes a file and tries none: leave %s out", vain);
    if (options->new_name == NULL && options->path == NULL)
        cli_usage_error("try needs a file: wavefold try FILE.hip; wavefold try --new NAME writes one to start from");
    if (options->is_plain && options->new_name == NULL)
        cli_usage_error("--plain needs --new: an existing file shows its own vocabulary");
    if (options->is_watched && options->output.json_path != NULL && output_is_stdout(options->output.json_path))
        cli_usage_error("--watch prints one report after the other: give --json a file");
    if (options->output.json_path != NULL && options->path != NULL && !output_is_stdout(options->output.json_path) &&
        output_same_file(options->output.json_path, options->path))
        cli_usage_error("the report '%s' would replace the kernel; give another file", options->output.json_path);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    try_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->output;
        return 0;
    case OPTION_AGAINST:
        options->against = argument;
        options->rung = parse_rung("--against: ", argument);
        return 0;
    case OPTION_SECONDS:
        options->seconds = (unsigned)parse_number("--seconds", argument, 1, MOST_SECONDS);
        return 0;
    case OPTION_NEW:
        options->new_name = argument;
        return 0;
    case 'w':
        options->waves =
            (wave_choice)(WAVES_32 + parse_name("width of waves", argument, wave_names + WAVES_32, WAVES_BOTH));
        return 0;
    case OPTION_TASK:
        options->task = task_names[parse_name("task", argument, task_names, sizeof task_names / sizeof *task_names)];
        return 0;
    case OPTION_WATCH:
        options->is_watched = true;
        return 0;
    case OPTION_VERBOSE:
        options->is_verbose = true;
        return 0;
    case OPTION_PLAIN:
        options->is_plain = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->quoted != 0 && options->path != NULL) {
            options->arguments = state->argv + state->next - 2; /* the first one is the name */
            options->arguments[0] = (char *)options->path;
            state->next = state->argc;
            return 0;
        }
        if (options->path != NULL)
            cli_usage_error("try takes one file, not '%s' and '%s'", options->path, argument);
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        check_request(options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- The command ---- */

/* A rung's tile has a power of two of threads: the kernel's if possible, else 0, the rung's own. */
static unsigned tile_size_of(const json_t *answer) {
    const unsigned size = (unsigned)json_integer_value(json_object_get(answer, "tile_size"));
    return size >= 2 && (size & (size - 1)) == 0 ? size : 0;
}

/* Counts the rung at both widths, or at none. */
static bool explain_rung(const try_options *options, tried *what) {
    size_t made = 0;
    for (; made < TRIAL_WIDTHS; made++) {
        const explain_request request = {.rung = options->rung,
                                         .wave_width = trial_widths[made],
                                         .tile = tile_size_of(what->answers[made]),
                                         .or_its_own = true,
                                         .n = COUNTED};
        if (!explanation_make(&what->rung[made], &request))
            break;
    }
    what->has_rung = made == TRIAL_WIDTHS;
    if (!what->has_rung)
        while (made > 0)
            explanation_free(&what->rung[--made]);
    return what->has_rung;
}

static void free_tried(tried *what) {
    free(what->output);
    free(what->function);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        json_decref(what->answers[i]);
        if (what->has_rung)
            explanation_free(&what->rung[i]);
    }
}

static bool can_begin(const try_options *options) {
    wf_rung_info rung;
    if (!output_can_begin(&options->output))
        return false;
    if (options->against == NULL || wf_rung_get_info(options->rung, &rung) != WF_OK || rung.kind == WF_RUNG_REDUCES)
        return true;
    cli_error("--against takes a rung that reduces; '%s' does not", options->against);
    return false;
}

/* Writes the report of a file that cannot run, if one is requested; takes the document over. */
static void save_refusal(const try_options *options, json_t *document) {
    if (options->output.json_path != NULL)
        (void)json_save(document, options->output.json_path);
    else
        json_decref(document);
}

/* Prints what a trial cannot run, each kind on its line. */
static bool is_supported(const try_options *options, const kernel_file *file) {
    unsupported found[MOST_UNSUPPORTED];
    const size_t count = unsupported_find(file, found);
    char *shown = cli_printable(file->path);
    for (size_t i = 0; i < count; i++)
        cli_error("%s:%zu: a trial cannot run %s: %s", shown, found[i].line, found[i].what, found[i].remedy);
    free(shown);
    if (count > 0)
        save_refusal(options, try_document_of_unsupported(file->path, found, count));
    unsupported_free(found, count);
    return count == 0;
}

/* Removes the program in any case. */
static bool compile_and_run(const try_options *options, const kernel_file *file, tried *what) {
    const unsigned seconds = options->seconds != 0 ? options->seconds : SECONDS;
    trial_program program;
    compiler_messages messages;
    interruption_begin();
    bool ran = compile_trial(file, options->is_verbose, &program, &messages);
    const bool is_refused = !ran && messages.shown != NULL;
    if (ran) {
        const trial_plan plan = {.program = program.path,
                                 .mode = file->mode,
                                 .seconds = seconds,
                                 .arguments = options->arguments,
                                 .is_judged = {what->waves.is_judged[0], what->waves.is_judged[1]}};
        ran = !interruption_came() && run_trial(&plan, what->answers, &what->output);
        remove_trial(&program);
    }
    if (is_refused && !interruption_came())
        save_refusal(options, try_document_of_error(file->path, &messages));
    compiler_messages_free(&messages);
    interruption_end();
    return ran;
}

static bool report(const try_options *options, tried *what) {
    const bool explained = options->against == NULL || explain_rung(options, what);
    if (explained && output_has_text(&options->output))
        try_text_print(what);
    return explained && (options->output.json_path == NULL || json_save(try_document(what), options->output.json_path));
}

static bool try_file(const try_options *options) {
    kernel_file file;
    tried what = {.path = options->path};
    if (!can_begin(options) || !kernel_file_read(options->path, &file))
        return false;
    what.is_plain = file.is_plain;
    what.mode = file.mode;
    what.waves = judged_waves_of(&file, options->waves);
    what.function = file.launcher != NULL ? cli_text("%s", file.launcher->name) : NULL;
    if (options->arguments != NULL && file.mode != TRIAL_PROGRAM)
        cli_usage_error("only a file with a main() takes arguments behind --");
    const bool ran = is_supported(options, &file) && compile_and_run(options, &file, &what);
    kernel_file_free(&file);
    const bool is_clean = ran && report(options, &what) && tried_all_clean(&what);
    free_tried(&what);
    return is_clean;
}

static void print_separation(const char *path) {
    char clock[16];
    const time_t now = time(NULL);
    struct tm local;
    strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&now, &local));
    char *shown = cli_printable(path);
    printf("---- %s ---- %s ----\n", clock, shown);
    fflush(stdout);
    free(shown);
}

/* Ends by a signal, or when the file's folder is gone. */
static bool watch(const try_options *options) {
    file_watch changes;
    bool is_watched = file_watch_begin(&changes, options->path);
    if (!is_watched)
        return false;
    while (is_watched) {
        if (output_has_text(&options->output))
            print_separation(options->path);
        (void)try_file(options);
        fflush(stdout);
        is_watched = file_watch_wait(&changes);
    }
    file_watch_end(&changes);
    return false;
}

static bool try_or_watch(const try_options *options) {
    if (options->task != NULL && setenv("WAVEFOLD_TRY_TASK", options->task, 1) != 0) {
        cli_error("cannot name the task: %s", strerror(errno));
        return false;
    }
    return options->is_watched ? watch(options) : try_file(options);
}

int try_main(int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, "FILE", documentation, children, NULL, NULL};
    try_options options = {.path = NULL};
    const bool done = argp_parse(&parser, argc, argv, 0, NULL, &options) == 0 &&
                      (options.new_name != NULL
                           ? new_kernel_write(options.new_name, options.is_plain, output_has_text(&options.output))
                           : try_or_watch(&options));
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
