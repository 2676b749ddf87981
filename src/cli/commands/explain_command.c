/* `wavefold explain`: counts the accesses of a rung's kernels. */
#include "cli/arguments/explain_options.h"
#include "cli/cli.h"
#include "cli/explain/explain_report.h"
#include "cli/explain/trace.h"
#include "cli/output/json.h"
#include "cli/output/output_file.h"
#include "wavefold_ladder.h"

static const uint64_t DEFAULT_N = UINT64_C(1) << 16, DEFAULT_TRACE_N = 32;
enum { TRACE_TILE = 16 };

static explain_request request_of(const explain_options *options, size_t rung) {
    const uint64_t n = options->traces ? DEFAULT_TRACE_N : DEFAULT_N;
    explain_request request = {.rung = rung,
                               .wave_width = options->wave_width,
                               .tile = options->tile,
                               .row_length = options->row_length,
                               .n = options->n != 0 ? options->n : n,
                               .traces = options->traces};
    wf_rung_info info;
    if (options->traces && options->tile == 0 && wf_rung_get_info(rung, &info) == WF_OK)
        request.tile = (info.parameters & WF_RUNG_WHOLE_WAVES) != 0 ? options->wave_width : TRACE_TILE;
    return request;
}

static bool has_text(const explain_options *options) {
    return output_has_text(&options->output) && !(options->svg_path != NULL && output_is_stdout(options->svg_path));
}

static bool write_picture(const void *of, FILE *stream) {
    trace_draw(of, stream);
    return ferror(stream) == 0;
}

static bool show_trace(const explain_options *options, const explanation *made) {
    const char *json_path = options->output.json_path;
    trace all;
    trace_make(&all, made);
    if (has_text(options))
        trace_print(&all, stdout);
    bool done = options->svg_path == NULL || output_write(options->svg_path, write_picture, &all);
    if (json_path != NULL)
        done = json_save(explain_document(made, NULL, trace_document(&all)), json_path) && done;
    trace_free(&all);
    return done;
}

static bool show(const explain_options *options, const explanation *made, const explanation *against) {
    if (options->traces)
        return show_trace(options, made);
    if (has_text(options))
        explain_print(made, against, options->shows_lines, stdout);
    return options->output.json_path == NULL ||
           json_save(explain_document(made, against, NULL), options->output.json_path);
}

static void tell_if_wrong(const explain_options *options, const explanation *made) {
    const char *name = made->info.name, *wrong = *made->finding != '\0' ? made->finding : "the result is wrong";
    if (made->is_right)
        return;
    if (has_text(options))
        printf("%s: %s\n", name, wrong);
    else
        cli_error("%s: %s", name, wrong);
}

static bool run(const explain_options *options) {
    const explain_request asked = request_of(options, options->rung), other = request_of(options, options->against);
    const bool compares = options->against != SIZE_MAX;
    explanation made, against;
    if (!output_can_begin(&options->output) || (options->svg_path != NULL && !output_check(options->svg_path)) ||
        (options->traces && !trace_can_show(options->rung)) || !explanation_make(&made, &asked))
        return false;
    if (compares && !explanation_make(&against, &other)) {
        explanation_free(&made);
        return false;
    }
    const bool shown = show(options, &made, compares ? &against : NULL);
    const bool all_right = made.is_right && (!compares || against.is_right);
    tell_if_wrong(options, &made);
    explanation_free(&made);
    if (compares) {
        tell_if_wrong(options, &against);
        explanation_free(&against);
    }
    return shown && all_right;
}

int explain_main(int argc, char **argv) {
    explain_options options;
    explain_options_parse(&options, argc, argv);
    return run(&options) ? CLI_SUCCESS : CLI_FAILURE;
}
