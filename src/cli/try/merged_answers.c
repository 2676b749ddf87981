#include "merged_answers.h"

#include "cli/cli.h"
#include "cli/output/json.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The place at the end of a finding, " (FILE:LINE)"; the whole text if it has none. */
static const char *place_of(const char *text) {
    const char *last = NULL;
    for (const char *c = text; (c = strstr(c, " (")) != NULL; c++)
        last = c;
    return last != NULL ? last : text;
}

static bool has_finding(const json_t *findings, const char *text) {
    const json_t *each;
    size_t i;
    json_array_foreach(findings, i, each) {
        if (strcmp(place_of(text_of(each, "text")), place_of(text)) == 0)
            return true;
    }
    return false;
}

static void add_findings(json_t *to, const json_t *from) {
    const json_t *each;
    size_t i;
    json_array_foreach(json_object_get(from, "findings"), i, each) {
        if (!has_finding(json_object_get(to, "findings"), text_of(each, "text")))
            json_add(json_object_get(to, "findings"), json_deep_copy(each));
    }
}

static void add_text(json_t *answer, const char *key, const char *text) {
    json_t *finding = json_object();
    json_put(finding, "text", json_text(text));
    if (json_object_get(answer, key) == NULL)
        json_put(answer, key, json_array());
    json_add(json_object_get(answer, key), finding);
}

void add_difference(json_t *answer, const char *difference, bool is_certain) {
    if (is_certain) {
        char *text = cli_text("what it prints depends on the order of the lanes: %s", difference);
        add_text(answer, "findings", text);
        free(text);
    } else {
        add_text(answer, "notes",
                 "it prints something else in each run, so what it prints with other orders of lanes says nothing");
    }
}

/* Of a right result, a check may fail by its tolerance. */
static bool has_rounding(const json_t *recognised) {
    const json_t *each;
    size_t i;
    json_array_foreach(recognised, i, each) {
        if (strstr(json_string_value(each), "rounding") != NULL)
            return true;
    }
    return false;
}

void add_own_failure(json_t *answer, const char *failure) {
    const bool may_be_tolerance = has_rounding(json_object_get(answer, "recognised"));
    char *text = cli_text("its own check fails: %s%s", failure,
                          may_be_tolerance ? ", maybe by a tolerance that is too tight" : "");
    add_text(answer, may_be_tolerance ? "notes" : "findings", text);
    free(text);
}

void add_uncompared(json_t *answer) {
    add_text(answer, "notes",
             "it prints more than 256 KiB: the rest is not shown, and the outputs of the orders are not compared");
}

json_t *merged_answer(json_t **answers, size_t count) {
    json_t *merged = answers[0];
    for (size_t i = 1; i < count; i++) {
        json_t *stopped = json_object_get(answers[i], "stopped");
        add_findings(merged, answers[i]);
        if (stopped != NULL && json_object_get(merged, "stopped") == NULL)
            json_put(merged, "stopped", json_deep_copy(stopped));
        json_decref(answers[i]);
    }
    return merged;
}
