#include "trial.h"

#include "cli/cli.h"
#include "cli/output/json.h"
#include "merged_answers.h"
#include "output_difference.h"
#include "own_check.h"
#include "trial_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const unsigned trial_widths[TRIAL_WIDTHS] = {32, 64};

/* hip/host/try/modes/schedules.hpp has their order. */
enum { ORDERS = 3, MOST_RUNS = TRIAL_WIDTHS * ORDERS };
enum { MOST_SECONDS_OF_ORDERS = 4 /* that a run with lanes forward takes if others follow */ };

/* The answer in place of a program that gave none. */
static json_t *no_answer(unsigned width, const char *why) {
    json_t *answer = json_object(), *stopped = json_object();
    json_put(stopped, "why", json_text(why));
    json_put(answer, "wave", json_integer(width));
    json_put(answer, "findings", json_array());
    json_put(answer, "stopped", stopped);
    return answer;
}

static json_t *answer_of(const trial_process *of) {
    json_t *answer = of->answer.length > 0 ? json_read(of->answer.text, of->answer.length) : NULL;
    if (json_integer_value(json_object_get(answer, "wave")) == (json_int_t)of->width)
        return answer;
    json_decref(answer);
    char *why = trial_process_end(of);
    answer = no_answer(of->width, why);
    free(why);
    return answer;
}

/* One process for each width, which runs all orders. */
static bool run_widths(const trial_plan *plan, json_t *answers[TRIAL_WIDTHS]) {
    trial_process runs[TRIAL_WIDTHS];
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        runs[i] = (trial_process){.width = trial_widths[i]};
    const bool ran = trial_processes_run(runs, TRIAL_WIDTHS, plan->program, plan->seconds, NULL);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        answers[i] = ran ? answer_of(&runs[i]) : NULL;
        trial_process_free(&runs[i]);
    }
    return ran;
}

/* Of the runs of one width: what one of them printed otherwise than the first one; malloc'ed, or NULL. */
static char *difference_of(const trial_process *const *runs, size_t count) {
    char *difference = NULL;
    for (size_t i = 1; i < count && difference == NULL; i++)
        if (runs[0]->output.text != NULL && runs[i]->output.text != NULL)
            difference = output_difference(runs[0]->output.text, runs[i]->output.text);
    return difference;
}

/* Whether the program prints the same if it runs again, as it does not with random numbers. */
static bool prints_the_same(const trial_plan *plan, const trial_process *before) {
    trial_process again = {.is_program = true, .width = before->width, .order = before->order};
    const bool ran = trial_processes_run(&again, 1, plan->program, plan->seconds, plan->arguments);
    const trial_process *const both[] = {before, &again};
    char *difference = ran ? difference_of(both, 2) : NULL;
    const bool is_same = difference == NULL;
    free(difference);
    trial_process_free(&again);
    return is_same;
}

static bool is_one_cut(const trial_process *const *runs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (runs[i]->output.is_cut)
            return true;
    return false;
}

/* The answer of one width, of a run for each order. */
static json_t *merge_runs(const trial_plan *plan, const trial_process *const *runs, size_t count) {
    json_t *answers[ORDERS];
    for (size_t i = 0; i < count; i++)
        answers[i] = answer_of(runs[i]);
    json_t *merged = merged_answer(answers, count);
    const bool is_cut = is_one_cut(runs, count);
    char *difference = json_object_get(merged, "stopped") == NULL && !is_cut ? difference_of(runs, count) : NULL;
    if (is_cut)
        add_uncompared(merged);
    if (difference != NULL)
        add_difference(merged, difference, prints_the_same(plan, runs[0]));
    free(difference);
    const char *const output = runs[0]->output.text;
    char *failure = json_object_get(merged, "stopped") == NULL && output != NULL ? own_failure(output) : NULL;
    if (failure != NULL)
        add_own_failure(merged, failure);
    free(failure);
    json_put(merged, "orders", json_count(count));
    return merged;
}

/* One process for each width and order: the forward ones first, and the others unless these took long. */
static bool run_program(const trial_plan *plan, json_t *answers[TRIAL_WIDTHS], char **output) {
    trial_process runs[MOST_RUNS];
    size_t count = TRIAL_WIDTHS, of_width[TRIAL_WIDTHS] = {1, 1};
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        runs[i] = (trial_process){.is_program = true, .width = trial_widths[i]};
    const time_t began = time(NULL);
    bool ran = trial_processes_run(runs, TRIAL_WIDTHS, plan->program, plan->seconds, plan->arguments);
    if (ran && time(NULL) - began <= MOST_SECONDS_OF_ORDERS) {
        for (unsigned order = 1; order < ORDERS; order++)
            for (size_t w = 0; w < TRIAL_WIDTHS; w++)
                if (plan->is_judged[w])
                    runs[count++] = (trial_process){.is_program = true, .width = trial_widths[w], .order = order};
        ran = trial_processes_run(runs + TRIAL_WIDTHS, count - TRIAL_WIDTHS, plan->program, plan->seconds,
                                  plan->arguments);
    }
    for (size_t w = 0; ran && w < TRIAL_WIDTHS; w++) {
        const trial_process *of[ORDERS];
        of_width[w] = 0;
        for (size_t i = 0; i < count; i++)
            if (runs[i].width == trial_widths[w])
                of[of_width[w]++] = &runs[i];
        answers[w] = merge_runs(plan, of, of_width[w]);
    }
    const trial_process *const shown = &runs[plan->is_judged[0] ? 0 : 1];
    if (ran && shown->output.text != NULL)
        *output = cli_text("%s", shown->output.text);
    for (size_t i = 0; i < count; i++)
        trial_process_free(&runs[i]);
    return ran;
}

bool run_trial(const trial_plan *plan, json_t *answers[TRIAL_WIDTHS], char **output) {
    *output = NULL;
    return plan->mode == TRIAL_PROGRAM ? run_program(plan, answers, output) : run_widths(plan, answers);
}
