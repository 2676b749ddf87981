#include "one_rank_check.h"

#include "cli/cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_rounded_more_than_once(const fold *of) {
    const wf_op op = of->spec.op;
    if (!wf_type_is_float(of->spec.type))
        return op == WF_MEAN && wf_type_size(of->spec.type) == sizeof(uint64_t);
    return wf_op_is_ordered(op) || (wf_op_accumulates(op) && of->info.accuracy != WF_ACCURACY_EXACT);
}

char *one_rank_refusal(const reduce_options *options, const fold *of) {
    if (describes(options) || !is_rounded_more_than_once(of))
        return NULL;
    return cli_text("--check compares bits, and the %s%s of %s is rounded more than once, so that its bits depend on "
                    "how many ranks there are; leave --check out",
                    wf_op_accumulates(of->spec.op) && wf_type_is_float(of->spec.type) ? "fast " : "",
                    wf_op_name(of->spec.op), wf_type_name(of->spec.type));
}

/* The compared 64-bit words of a result or a description. The variance, and the mean of integers, are rounded more than
 * once: they are last, and left out. */
static const char *const description_words[] = {"count", "sum", "min", "max", "argmin", "argmax", "mean"};
static const char *const result_words[] = {"word 0", "word 1", "word 2", "word 3"};

static bool compare(const answer *of_all, const uint64_t *all, const uint64_t *one, const char *const *names,
                    size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (all[i] == one[i])
            continue;
        cli_error("one rank comes to other bits than %d ranks: %s is 0x%016" PRIx64 ", and of all ranks 0x%016" PRIx64,
                  of_all->ranks, names[i], one[i], all[i]);
        return false;
    }
    if (!of_all->options->output.quiet)
        fprintf(stderr, "one rank: the same bits\n");
    return true;
}

static wf_status fold_alone(part_fold *whole, wf_context *context, answer *one) {
    wf_status status = part_fold_run(whole, context);
    wf_field field = whole->field;
    part_fold_give_result(&field, one);
    if (status == WF_OK)
        status = wf_message_read(&field, 1, 1, whole->message, whole->message + whole->size.sums + whole->size.maxima);
    return status;
}

bool one_rank_agrees(const answer *of_all, wf_context *context, part_progress shown) {
    answer one = *of_all;
    one.folded = (result){.words = {0}};
    part_fold whole;
    if (!part_fold_prepare(&whole, &one, 0, 1, shown)) {
        part_fold_free(&whole);
        return false;
    }
    const wf_status status = fold_alone(&whole, context, &one);
    part_fold_free(&whole);
    if (status != WF_OK) {
        cli_error("--check: %s", wf_last_error());
        return false;
    }
    if (!describes(one.options))
        return compare(of_all, of_all->folded.words, one.folded.words, result_words,
                       sizeof result_words / sizeof *result_words);
    return compare(of_all, (const uint64_t *)&of_all->described, (const uint64_t *)&one.described, description_words,
                   sizeof description_words / sizeof *description_words - !wf_type_is_float(one.data.type));
}
