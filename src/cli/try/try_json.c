#include "try_json.h"

#include "cli/explain/explain_report.h"
#include "cli/output/json.h"
#include "wavefold.h"

static json_t *begin_document(const char *path) {
    json_t *document = json_object();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "file", json_text(path));
    return document;
}

static json_t *of_width(const json_t *given) {
    json_t *answer = json_deep_copy(given);
    const explanation counted = counted_of(answer);
    json_put(answer, "right", json_boolean(tried_is_right(answer)));
    json_put(answer, "clean", json_boolean(tried_is_clean(answer)));
    if (counted.n != 0) {
        json_put(answer, "launches", json_count(counted.watch.launch_count));
        json_put(answer, "total", explain_total(&counted));
    }
    return answer;
}

static json_t *of_rung(const tried *what) {
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
    return rung;
}

json_t *try_document(const tried *what) {
    static const char *const modes[] = {"line", "program", "function"};
    json_t *document = begin_document(what->path), *widths = json_array(), *judged = json_array();
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        json_add(widths, of_width(what->answers[i]));
        if (what->waves.is_judged[i])
            json_add(judged, json_integer(trial_widths[i]));
    }
    json_put(document, "words", json_string(what->is_plain ? "plain" : "ladder"));
    json_put(document, "mode", json_string(modes[what->mode]));
    if (what->function != NULL)
        json_put(document, "function", json_text(what->function));
    if (what->output != NULL)
        json_put(document, "output", json_text(what->output));
    json_put(document, "clean", json_boolean(tried_all_clean(what)));
    json_put(document, "judged_waves", judged);
    json_put(document, "widths", widths);
    if (what->has_rung)
        json_put(document, "against", of_rung(what));
    return document;
}

json_t *try_document_of_error(const char *path, const compiler_messages *messages) {
    json_t *document = begin_document(path), *error = json_object();
    json_put(document, "clean", json_boolean(false));
    if (messages->error != NULL)
        json_put(error, "text", json_text(messages->error));
    if (messages->line != 0)
        json_put(error, "line", json_count(messages->line));
    json_put(error, "more", json_count(messages->more));
    json_put(error, "shown", json_text(messages->shown != NULL ? messages->shown : ""));
    json_put(document, "error", error);
    return document;
}

json_t *try_document_of_unsupported(const char *path, const unsupported *found, size_t count) {
    json_t *document = begin_document(path), *all = json_array();
    json_put(document, "clean", json_boolean(false));
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_object();
        json_put(one, "line", json_count(found[i].line));
        json_put(one, "what", json_text(found[i].what));
        json_put(one, "remedy", json_text(found[i].remedy));
        json_add(all, one);
    }
    json_put(document, "unsupported", all);
    return document;
}
