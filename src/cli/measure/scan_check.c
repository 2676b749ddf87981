/* Compares every element of a scan with a running reference. For sums of floats see verify.c for the bound; the sum is
 * kept in two doubles, whose own error is added to the bound. */
#include "array_check.h"
#include "cli/cli.h"
#include "cli/output/result_text.h"
#include "oracle/running_sum.h"
#include "oracle/widen.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Floats, for which the exact sum would be too slow. */
static bool sums(const fold *of) {
    return of->spec.op == WF_SUM && wf_type_is_float(of->spec.type);
}

void scan_prefix_begin(scan_prefix *prefix, const fold *of) {
    prefix->sum = (running_sum){.terms = 0};
    reference_begin(&prefix->exact, of);
}

void scan_prefix_add(scan_prefix *prefix, const void *elements, size_t count) {
    wf_type type = prefix->exact.of.spec.type;
    if (!sums(&prefix->exact.of)) {
        reference_add(&prefix->exact, elements, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double term;
        widen_floats(type, (const char *)elements + i * wf_type_size(type), 1, &term);
        running_sum_add(&prefix->sum, term);
    }
}

void scan_prefix_merge(scan_prefix *prefix, const scan_prefix *next) {
    if (sums(&prefix->exact.of))
        running_sum_merge(&prefix->sum, &next->sum);
    else
        reference_merge(&prefix->exact, &next->exact);
}

judgement prefix_judge(const array_run *run, const scan_prefix *upto, const sum_growth *growth, const result *got) {
    const fold *of = &upto->exact.of;
    if (!sums(of))
        return verify(&upto->exact, got, run->launch);
    return verify_running_sum(of, &upto->sum, result_value(of, got, 0), growth);
}

char *prefix_reason(const scan_prefix *upto, uint64_t index, const result *got, const judgement *judged) {
    const fold *of = &upto->exact.of;
    result expected = reference_result(&upto->exact);
    if (sums(of))
        result_put(of, &expected, 0, value_of_double(of->spec.type, running_sum_value(&upto->sum)));
    char *got_text = result_text(of, got, value_format, value_format);
    char *expected_text = result_text(of, &expected, value_format, value_format);
    char *reason = cli_text("element %" PRIu64 " of the result is %s, expected %s", index, got_text, expected_text);
    if (!isnan(judged->error)) {
        char *longer = cli_text("%s: the error %.3g exceeds the bound %.3g", reason, judged->error, judged->bound);
        free(reason);
        reason = longer;
    }
    free(got_text);
    free(expected_text);
    return reason;
}

judgement scan_check(const array_run *run, const scan_prefix *before, const array_piece *piece, char **reason) {
    size_t element = run->from.of->info.element_bytes;
    sum_growth growth = sum_growth_of(run->from.of, run->launch);
    scan_prefix upto = *before;
    judgement worst = {.accepted = false};
    for (size_t i = 0; i < piece->count && *reason == NULL; i++) {
        const char *in = (const char *)piece->in + i * element;
        result got = {{0}};
        memcpy(&got, (const char *)piece->result + i * element, element);
        if (!run->exclusive)
            scan_prefix_add(&upto, in, 1);
        judgement one = prefix_judge(run, &upto, &growth, &got);
        judgement_merge(&worst, &one, i == 0);
        if (!one.accepted)
            *reason = prefix_reason(&upto, piece->first + i, &got, &one);
        if (run->exclusive)
            scan_prefix_add(&upto, in, 1);
    }
    return worst;
}
