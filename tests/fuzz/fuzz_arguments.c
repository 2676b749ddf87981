/* Command lines of progression, reduce and explain, an argument a line: each ends in settings within their ranges, or
 * in a message. */
#define _GNU_SOURCE
#include "cli/arguments/explain_options.h"
#include "cli/arguments/options.h"
#include "cli/arguments/reduce_options.h"
#include "cli/cli.h"
#include "fuzz_input.h"
#include <wavefold_ladder.h>

/* In place of argp_parse and exit, as CMakeLists.txt has it: what argp would print, or end the program for, is none of
 * ours. */
error_t fuzz_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input);
_Noreturn void fuzz_exit(int status);

error_t fuzz_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input) {
    const error_t error = argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, end, input);
    if (error != 0)
        longjmp(fuzz_program_ended, CLI_USAGE);
    return error;
}

void fuzz_exit(int status) {
    must(status == CLI_USAGE && *fuzz_message() != '\0');
    longjmp(fuzz_program_ended, status);
}

/* A usage error leaves what the command line took, as the program's end does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

enum { ARGUMENTS = 24 };

static void check_fold(const wf_reduce_spec *spec) {
    must(wf_type_name(spec->type) != NULL && wf_op_name(spec->op) != NULL);
    must((unsigned)spec->nan <= WF_NAN_IGNORE && (unsigned)spec->accuracy <= WF_ACCURACY_EXACT);
    must((unsigned)spec->accumulator <= WF_ACCUMULATE_F64);
}

static void run_progression(int argc, char **argv) {
    static progression_options options;
    static choice chosen;
    options_parse(&options, &chosen, argc, argv);
    check_fold(&options.spec);
    must(options.tile == 0 || (options.tile >= 2 && (options.tile & (options.tile - 1)) == 0));
    must(options.tiles <= 65536 && options.window <= 1024 && options.repeat <= 10000);
    must(options.n <= INT64_MAX && options.seed <= INT64_MAX && options.named_count <= wf_rung_count());
    for (size_t i = 0; i < options.named_count; i++)
        must(options.named[i] < wf_rung_count());
    must(chosen.rungs == NULL || (chosen.count >= 1 && chosen.count <= wf_rung_count()));
    must(chosen.rungs != NULL || (options.input_path != NULL && !options.type_given));
    choice_free(&chosen);
    options_free(&options);
}

static void run_reduce(int argc, char **argv) {
    static reduce_options options;
    options = (reduce_options){.fold.of_reduce = true};
    (void)fuzz_argp_parse(&reduce_parser, argc, argv, 0, NULL, &options);
    must(options.path != NULL && options.fold.n <= INT64_MAX);
    if (!describes(&options))
        check_fold(&options.fold.spec);
}

static void run_explain(int argc, char **argv) {
    static explain_options options;
    explain_options_parse(&options, argc, argv);
    must(options.rung < wf_rung_count() && (options.against == SIZE_MAX || options.against < wf_rung_count()));
    must(options.wave_width == 32 || options.wave_width == 64);
    must(options.n <= 1 << 22 && options.tile <= 1024);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    const uint8_t which = take_byte(&in);
    static char *text; /* static: a longjmp would leave another one undefined */
    text = take_text(&in);
    static char program[] = "wavefold fuzz";
    char *argv[ARGUMENTS + 2] = {program}, *rest = text;
    int argc = 1;
    for (char *argument = strsep(&rest, "\n"); argument != NULL && argc <= ARGUMENTS; argument = strsep(&rest, "\n"))
        argv[argc++] = argument;
    fuzz_forget_message();
    if (setjmp(fuzz_program_ended) == 0)
        which % 3 == 0   ? run_progression(argc, argv)
        : which % 3 == 1 ? run_reduce(argc, argv)
                         : run_explain(argc, argv);
    free(text);
    return 0;
}
