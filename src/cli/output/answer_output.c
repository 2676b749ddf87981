#include "answer_output.h"

#include "answer_json.h"
#include "answer_text.h"
#include "cli/state_file.h"
#include "output_file.h"

bool answer_can_begin(const reduce_options *options) {
    const char *state_path = options->fold.state_path;
    return output_can_begin(&options->output) && (state_path == NULL || state_file_check(state_path));
}

bool answer_write(const answer *a) {
    const output_options *output = &a->options->output;
    const char *state_path = a->options->fold.state_path;
    if (output_has_text(output) && !(state_path != NULL && output_is_stdout(state_path)))
        answer_print(a);
    return (state_path == NULL || state_file_write(state_path, &a->state, a->of.spec.op)) &&
           (output->json_path == NULL || json_save(answer_document(a), output->json_path));
}
