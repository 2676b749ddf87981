/* `wavefold scan`: the prefix sums of a file, and other scans. */
#include "cli/arguments/scan_options.h"
#include "cli/arrays/scan_array.h"
#include "cli/cli.h"
#include "cli/output/array_output.h"
#include "cli/output/json_values.h"

#include <stdlib.h>

static bool open_input(array_answer *a, const scan_options *options, scan_request *request) {
    if (!array_open(a, options->array.fold.spec.op))
        return false;
    char *why = scan_refusal(options, a->data.type, a->data.is_bool, request);
    if (why == NULL) {
        a->of = request->of;
        a->is_bool = a->data.is_bool && !wf_op_accumulates(a->of.spec.op);
        return true;
    }
    cli_error("input '%s': %s", a->data.path, why);
    free(why);
    return false;
}

static json_t *document_of(const array_answer *a, const wf_scan_spec *spec) {
    json_t *document = array_document_head(a);
    json_put(document, "op", json_string(wf_op_name(spec->reduce.op)));
    json_put(document, "accumulator", json_string(wf_type_name(a->of.info.accumulator)));
    json_put(document, "nan", json_string(nan_rule_name(spec->reduce.nan)));
    json_put(document, "exclusive", json_boolean(spec->exclusive != 0));
    json_put(document, "reverse", json_boolean(spec->reverse != 0));
    return document;
}

int scan_main(int argc, char **argv) {
    scan_options options;
    scan_request request = {.initial = {.words = {0}}};
    scan_options_parse(&options, argc, argv);
    array_answer a = {.options = &options.array};
    const bool done = array_can_begin(a.options) && open_input(&a, &options, &request) && array_prepare(&a, true) &&
                      scan_array(&a, &request.spec) && array_end(&a) && array_write(&a, document_of(&a, &request.spec));
    array_close(&a);
    return done ? CLI_SUCCESS : CLI_FAILURE;
}
