#include "axis_output.h"

#include "axis_json.h"
#include "axis_npy.h"
#include "axis_text.h"
#include "cli/cli.h"
#include "npy_head.h"
#include "output_file.h"

#include <inttypes.h>

bool axis_output_can_begin(const reduce_options *options) {
    const char *path = options->axes.output_path;
    return output_can_begin(&options->output) && (path == NULL || npy_can_write(path));
}

bool axis_output_can_hold(const axis_answer *a) {
    const reduce_options *options = a->of.options;
    const bool holds =
        options->output.json_path == NULL || options->axes.output_path != NULL || a->plan.results <= MOST_JSON_RESULTS;
    if (!holds)
        cli_error("input '%s': --json lists at most %d results, and there are %" PRIu64 "; add --output FILE.npy",
                  a->of.data.path, MOST_JSON_RESULTS, a->plan.results);
    return holds;
}

bool axis_output_write(const axis_answer *a) {
    const output_options *output = &a->of.options->output;
    const char *path = a->of.options->axes.output_path;
    if (path != NULL && !axis_npy_write(path, a))
        return false;
    if (output_has_text(output) && !(path != NULL && output_is_stdout(path)))
        axis_print(a);
    return output->json_path == NULL || json_save(axis_document(a), output->json_path);
}
