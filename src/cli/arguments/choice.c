#include "choice.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static bool in_choice(const progression_options *options, const wf_rung_info *info) {
    if (!options->family)
        return info->is_highlight;
    return strcmp(options->family, ALL_FAMILIES) == 0 || strcmp(options->family, info->family) == 0;
}

/* Takes the text over. */
static void append(char **sentence, const char *between, char *text) {
    char *longer = *sentence ? cli_text("%s%s%s", *sentence, between, text) : cli_text("%s", text);
    free(*sentence);
    free(text);
    *sentence = longer;
}

/* The rungs of one kind that are left out, and the library's reason for the first. */
typedef struct excuse {
    const char **names;
    size_t count;
    char *reason;
} excuse;

enum { KINDS = WF_RUNG_SORTS_PAIRS + 1 };

static char *tell(excuse excuses[KINDS]) {
    char *sentence = NULL;
    for (size_t kind = 0; kind < KINDS; ++kind) {
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
    excuse *of = &excuses[info->kind];
    if (of->count == 0) {
        of->names = cli_allocate(wf_rung_count(), sizeof *of->names);
        of->reason = cli_text("%s", reason);
    }
    of->names[of->count++] = info->name;
}

/* NULL, or why the rung cannot do it. */
static const char *refusal(const wf_rung_info *info, size_t index, const wf_rung_options *request) {
    bool sorts = info->kind == WF_RUNG_SORTS || info->kind == WF_RUNG_SORTS_PAIRS;
    if (sorts && wf_facts_of_op(request->op).scalars > 1)
        return "it sorts numbers, and the elements of matmul and affine are several";
    return wf_rung_supports(index, request) == WF_OK ? NULL : wf_last_error();
}

static void choose_those_that_can(choice *chosen, const progression_options *options, const wf_rung_options *request) {
    excuse excuses[KINDS] = {{.names = NULL}};
    size_t reductions = 0;
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); ++i) {
        if (wf_rung_get_info(i, &info) != WF_OK || !in_choice(options, &info))
            continue;
        const char *reason = refusal(&info, i, request);
        if (reason) {
            excuse_rung(excuses, &info, reason);
            continue;
        }
        chosen->rungs[chosen->count++] = i;
        reductions += info.kind == WF_RUNG_REDUCES;
    }
    chosen->left_out = tell(excuses);
    if (options->family || reductions > 1)
        return;
    chosen->count = 0;
    for (size_t i = 0; i < wf_rung_count(); ++i)
        if (wf_rung_get_info(i, &info) == WF_OK && (info.kind == WF_RUNG_REDUCES || info.is_highlight) &&
            !refusal(&info, i, request))
            chosen->rungs[chosen->count++] = i;
}

static bool all_can(const progression_options *options, const wf_rung_options *request) {
    wf_rung_info info;
    for (size_t i = 0; i < options->named_count; ++i) {
        (void)wf_rung_get_info(options->named[i], &info);
        const char *reason = refusal(&info, options->named[i], request);
        if (reason) {
            bool named = strncmp(reason, info.name, strlen(info.name)) == 0;
            cli_error("--rungs: %s%s%s", named ? "" : info.name, named ? "" : ": ", reason);
            return false;
        }
    }
    return true;
}

bool choose_rungs(choice *chosen, const progression_options *options, const fold *of) {
    const wf_rung_options request = options_of(options, &of->what);
    if (options->rungs_given && !all_can(options, &request))
        return false;
    *chosen = (choice){.rungs = cli_allocate(wf_rung_count(), sizeof *chosen->rungs)};
    if (options->rungs_given) {
        memcpy(chosen->rungs, options->named, options->named_count * sizeof *chosen->rungs);
        chosen->count = options->named_count;
    } else {
        choose_those_that_can(chosen, options, &request);
    }
    if (chosen->count > 0)
        return true;
    cli_error("no rung of --family %s can do it: %s", options->family, chosen->left_out);
    choice_free(chosen);
    return false;
}

void choice_free(choice *chosen) {
    free(chosen->rungs);
    free(chosen->left_out);
    *chosen = (choice){.rungs = NULL};
}
