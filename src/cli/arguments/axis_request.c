#include "axis_request.h"

#include "cli/cli.h"
#include "cli/input/input_path.h"
#include "cli/output/output_file.h"
#include "parse.h"

#include <stdlib.h>

static void check_without_axis(const axis_options *axes) {
    if (axes->keepdims)
        cli_usage_error("--keepdims is for reductions along axes; add --axis, or leave it out");
    if (axes->output_path != NULL)
        cli_usage_error("--output is for reductions along axes; add --axis, or write one result with --json %s",
                        axes->output_path);
}

static void check_excluded(const reduce_options *options) {
    const fold_options *asked = &options->fold;
    if (describes(options))
        cli_usage_error("--axis is not for " DESCRIBE "; choose one of its values, such as --op mean");
    if (asked->state_path != NULL)
        cli_usage_error("--axis and --state exclude each other: a state is that of one sum; leave one out");
    if (asked->n_given)
        cli_usage_error("--axis and --n exclude each other: --n cuts dimensions apart; leave one out, or save a part "
                        "of the array");
    if (asked->is_raw)
        cli_usage_error("--axis and --raw exclude each other: raw binary has no shape; save the array with numpy.save");
}

static void check_output(const reduce_options *options) {
    const char *path = options->axes.output_path, *json_path = options->output.json_path;
    if (path == NULL)
        return;
    char *input = input_file(options->path);
    if (output_same_file(path, input))
        cli_usage_error("the output '%s' would replace the input; give another file", path);
    free(input);
    if (json_path != NULL && output_same_file(path, json_path))
        cli_usage_error("--json and --output both write '%s'; give two files", path);
}

void axis_request_check(const reduce_options *options) {
    if (options->axes.count == 0) {
        check_without_axis(&options->axes);
        return;
    }
    check_excluded(options);
    check_output(options);
}
