#include "axis_reduction.h"

#include "cli/answer/axis_answer.h"
#include "cli/cli.h"
#include "cli/output/axis_output.h"

bool axis_reduction(const reduce_options *options) {
    axis_answer a = {.of = {.options = options}};
    wf_context *context = NULL;
    bool done = axis_output_can_begin(options) && axis_answer_open(&a) && axis_output_can_hold(&a);
    if (done && wf_context_create(&context, options->fold.device) != WF_OK) {
        cli_error("%s", wf_last_error());
        done = false;
    }
    done = done && axis_answer_reduce(&a, context) && axis_output_write(&a);
    wf_context_destroy(context);
    axis_answer_close(&a);
    return done;
}
