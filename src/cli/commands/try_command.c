/* `wavefold try`: compiles a user's kernel for the host device, runs it as a sum, and checks it. */
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
#include "cli/try/try_text.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_AGAINST = 0x100, OPTION_SECONDS, OPTION_NEW, OPTION_PLAIN };
enum { SECONDS = 10, MOST_SECONDS = 3600, COUNTED = 1 << 16 };

static const struct argp_option option_table[] = {
    {"against", OPTION_AGAINST, "RUNG", 0, "Also print the counters of this rung; see wavefold rungs", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "End the kernel after N seconds: 1 to 3600, default 10", 0},
    {"new", OPTION_NEW, "NAME", 0, "Write NAME.hip, a simple and right kernel to start from; an existing file is kept",
     0},
    {"plain", OPTION_PLAIN, 0, 0, "With --new: in plain HIP, not in the ladder's vocabulary", 0},
    {0, 0, 0, 0, 0, 0}};

static const char documentation[] =
    "Compile the kernel in FILE with the system's C++ compiler (CXX, or c++, or g++), run it as a sum on the emulated "
    "host device, and print whether it is right, the rules it breaks, and its cost. Waves have 32 and 64 lanes, which "
    "run forward, in reverse and in a random order."
    "\vThe file runs as a program with your permissions: try only files that you would run.\n\n"
    "The kernel uses the ladder's vocabulary (array_view, tiled_index, tile_static) or that of HIP and CUDA "
    "(threadIdx, __shared__, __syncthreads). A line at the end of the file defines the launch:\n"
    "  WF_TRY(kernel, tile size, elements per tile)\n"
    "      writes a partial sum of each tile to out[tile], and is launched again on these until one is left\n"
    "  WF_TRY_ATOMIC(kernel, tile size, tiles)\n"
    "      adds all elements to out[0], which begins at 0\n\n"
    "Exit status: 0 if the sums are right and the checks found nothing, 1 if not or on a failure, 2 on bad usage.\n\n"
    "Examples:\n"
    "  wavefold try --new mine\n"
    "  wavefold try mine.hip --against tiled_4\n"
    "  wavefold try --new mine_too --plain";

typedef struct try_options {
    const char *path, *new_name; /* NULL: not given */
    bool is_plain;
    const char *against;
    size_t rung;
    unsigned seconds; /* 0: not given */
    output_options output;
} try_options;

static void check_request(const try_options *options) {
    if (options->new_name != NULL && options->path != NULL)
        cli_usage_error("--new writes a file and tries none: give NAME or FILE");
    const char *const vain = options->against != NULL            ? "--against"
                             : options->seconds != 0             ? "--seconds"
                             : options->output.json_path != NULL ? "--json"
                                                                 : NULL;
    if (options->new_name != NULL && vain != NULL)
        cli_usage_error("--new writes a file and tries none: leave %s out", vain);
    if (options->new_name == NULL && options->path == NULL)
        cli_usage_error("try needs a file: wavefold try FILE.hip; wavefold try --new NAME writes one to start from");
    if (options->is_plain && options->new_name == NULL)
        cli_usage_error("--plain needs --new: an existing file shows its own vocabulary");
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
    case OPTION_PLAIN:
        options->is_plain = true;
        return 0;
    case ARGP_KEY_ARG:
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

/* ---- Output ---- */

static json_t *document_of(const tried *what) {
    json_t *document = json_object(), *widths = json_array();
    bool is_clean = true;
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        json_t *answer = json_deep_copy(what->answers[i]);
        const explanation counted = counted_of(answer);
        is_clean = is_clean && tried_is_clean(answer);
        json_put(answer, "right",
                 json_boolean(json_object_get(answer, "wrong") == NULL && json_object_get(answer, "stopped") == NULL));
        if (counted.n != 0) {
            json_put(answer, "launches", json_count(counted.watch.launch_count));
            json_put(answer, "total", explain_total(&counted));
        }
        json_add(widths, answer);
    }
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "file", json_text(what->path));
    json_put(document, "words", json_string(what->is_plain ? "plain" : "ladder"));
    json_put(document, "clean", json_boolean(is_clean));
    json_put(document, "widths", widths);
    if (what->has_rung) {
        json_t *rung = json_object(), *of_widths = json_array();
        for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
            json_t *counted = json_object();
            json_put(counted, "wave", json_integer(trial_widths[i]));
            json_put(counted, "launches", json_count(what->rung[i].watch.launch_count));
            json_put(counted, "total", explain_total(&what->rung[i]));
            json_add(of_widths, counted);
        }
        json_put(rung, "rung", json_string(what->rung[0].info.name));
        json_put(rung, "widths", of_widths);
        json_put(document, "against", rung);
    }
    return document;
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

/* Removes the program in any case. */
static bool compile_and_run(const try_options *options, const kernel_file *file, json_t *answers[TRIAL_WIDTHS]) {
    const unsigned seconds = options->seconds != 0 ? options->seconds : SECONDS;
    trial_program program;
    interruption_begin();
    bool ran = compile_trial(file, &program);
    if (ran) {
        ran = !interruption_came() && run_trial(program.path, seconds, answers);
        remove_trial(&program);
    }
    interruption_end();
    return ran;
}

static bool try_file(const try_options *options) {
    kernel_file file;
    tried what = {.path = options->path};
    if (!can_begin(options) || !kernel_file_read(options->path, &file))
        return false;
    what.is_plain = file.is_plain;
    const bool ran = compile_and_run(options, &file, what.answers);
    if (!ran)
        return false;
    const bool explained = options->against == NULL || explain_rung(options, &what);
    if (explained && output_has_text(&options->output))
        try_text_print(&what);
    const bool told =
        explained && (options->output.json_path == NULL || json_save(document_of(&what), options->output.json_path));
    const bool is_clean = tried_is_clean(what.answers[0]) && tried_is_clean(what.answers[1]);
    free_tried(&what);
    return told && is_clean;
}

int try_main(int argc, char **argv) {
    static const struct argp_child children[] = {{&output_parser, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp parser = {option_table, parse_option, "FILE", documentation, children, NULL, NULL};
    try_options options = {.path = NULL};
    const bool done = argp_parse(&parser, argc, argv, 0, NULL, &options) == 0 &&
                      (options.new_name != NULL
                           ? new_kernel_write(options.new_name, options.is_plain, output_has_text(&options.output))
                           : try_file(&options));
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
