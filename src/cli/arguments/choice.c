#include "choice.h"

#include "cli/cli.h"
#include "wavefold_ladder.h"

#include <stdlib.h>
#include <string.h>

static bool in_choice(const progression_options *options, const wf_rung_info *info) {
    if (options->family == NULL)
        return info->is_highlight;
    return strcmp(options->family, ALL_FAMILIES) == 0 || strcmp(options->family, info->family) == 0;
}

/* Takes ownership of the text. */
static void append(char **sentence, const char *between, char *text) {
    char *longer = *sentence != NULL ? cli_text("%s%s%s", *sentence, between, text) : cli_text("%s", text);
    free(*sentence);
    free(text);
    *sentence = longer;
}

/* Rungs of similar kinds that were left out, and the library's reason for the first. */
typedef struct excuse {
    const char **names;
    size_t count;
    char *reason;
} excuse;

enum { KINDS = WF_RUNG_ROWS + 1 }; /* columns and segments count as rows */

static char *tell(excuse excuses[KINDS]) {
    char *sentence = NULL;
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (excuses[kind].count > 0) {
            char *names = cli_list(excuses[kind].names, excuses[kind].count);
            append(&sentence, "; ", cli_text("left out %s: %s", names, excuses[kind].reason));
            free(names);
        }
        free(excuses[kind].names);
        free(excuses[kind].reason);
    }
    return sentence;
}

static void excuse_rung(excuse excuses[KINDS], const wf_rung_info *info, const char *reason) {
    excuse *of = &excuses[info->kind < WF_RUNG_ROWS ? info->kind : WF_RUNG_ROWS];
    if (of->count == 0) {
        of->names = cli_allocate(wf_rung_count(), sizeof *of->names);
        of->reason = cli_text("%s", reason);
    }
    of->names[of->count++] = info->name;
}

/* NULL, or the reason why the rung does not support the request. */
static const char *refusal(const wf_rung_info *info, size_t index, const wf_rung_options *request) {
    const bool sorts = info->kind == WF_RUNG_SORTS || info->kind == WF_RUNG_SORTS_PAIRS;
    if (sorts && wf_facts_of_op(request->op).scalars > 1)
        return "it sorts numbers, and an element of matmul or affine is several numbers";
    return wf_rung_supports(index, request) == WF_OK ? NULL : wf_last_error();
}

static chosen_rung rung_at(size_t index) {
    chosen_rung rung = {.index = index};
    (void)wf_rung_get_info(index, &rung.info);
    return rung;
}

static void choose_those_that_can(choice *chosen, const progression_options *options, const wf_rung_options *request) {
    excuse excuses[KINDS] = {{.names = NULL}};
    for (size_t i = 0; i < wf_rung_count(); i++) {
        const chosen_rung rung = rung_at(i);
        if (!in_choice(options, &rung.info))
            continue;
        const char *reason = refusal(&rung.info, i, request);
        if (reason != NULL)
            excuse_rung(excuses, &rung.info, reason);
        else
            chosen->rungs[chosen->count++] = rung;
    }
    chosen->left_out = tell(excuses);
}

static bool choose_named(choice *chosen, const progression_options *options, const wf_rung_options *request) {
    for (size_t i = 0; i < options->named_count; i++) {
        const chosen_rung rung = rung_at(options->named[i]);
        const char *name = rung.info.name, *reason = refusal(&rung.info, rung.index, request);
        if (reason != NULL) {
            const bool named = strncmp(reason, name, strlen(name)) == 0;
            cli_error("--rungs: %s%s%s", named ? "" : name, named ? "" : ": ", reason);
            return false;
        }
        chosen->rungs[chosen->count++] = rung;
    }
    return true;
}

bool choose(choice *chosen, const progression_options *options, wf_type type) {
    wf_reduce_spec spec = options->spec;
    spec.type = type;
    spec.accuracy = WF_ACCURACY_FAST; /* the rungs' accumulator; exact also rounds to that type */
    *chosen = (choice){.rungs = NULL};
    if (fold_of(&spec, &chosen->of) != WF_OK) {
        cli_error("%s; see wavefold operators", wf_last_error());
        return false;
    }
    const wf_rung_options request = options_of(options, &spec);
    chosen->rungs = cli_allocate(wf_rung_count(), sizeof *chosen->rungs);
    if (options->rungs_given) {
        if (choose_named(chosen, options, &request))
            return true;
    } else {
        choose_those_that_can(chosen, options, &request);
        if (chosen->count > 0)
            return true;
        cli_error("no rung of --family %s supports this: %s", options->family, chosen->left_out);
    }
    choice_free(chosen);
    return false;
}

void choice_leave_out(choice *chosen, size_t i, const char *reason) {
    append(&chosen->left_out, "; ", cli_text("left out %s: %s", chosen->rungs[i].info.name, reason));
    chosen->count--;
    memmove(&chosen->rungs[i], &chosen->rungs[i + 1], (chosen->count - i) * sizeof *chosen->rungs);
}

void choice_free(choice *chosen) {
    free(chosen->rungs);
    free(chosen->left_out);
    *chosen = (choice){.rungs = NULL};
}
