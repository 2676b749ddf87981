/* Every element of a scan against a fold that goes along with it. Where floats are added, see verify.c for the bound;
 * the sum is then kept in two doubles, whose own error is added to the bound. */
#include "array_check.h"
#include "cli/cli.h"
#include "cli/output/result_text.h"
#include "oracle/running_sum.h"
#include "oracle/widen.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scan_check {
    const array_run *run;
    reference exact;
    bool sums; /* floats: in exact's place, sum */
    running_sum sum;
    sum_growth growth;
    judgement worst;
    bool any;
};

struct scan_check *scan_check_begin(const array_run *run) {
    struct scan_check *check = cli_allocate(1, sizeof *check);
    const fold *of = run->from.of;
    check->run = run;
    check->sums = of->what.op == WF_SUM && wf_type_is_float(of->what.type);
    reference_begin(&check->exact, of);
    check->growth = sum_growth_of(of, run->launch);
    return check;
}

static void add(struct scan_check *check, const void *element) {
    double term;
    if (!check->sums) {
        reference_add(&check->exact, element, 1);
        return;
    }
    widen_floats(check->exact.of.what.type, element, 1, &term);
    running_sum_add(&check->sum, term);
}

static judgement judge(const struct scan_check *check, const result *got) {
    if (!check->sums)
        return verify(&check->exact, got, check->run->launch);
    return verify_running_sum(&check->exact.of, &check->sum, result_value(&check->exact.of, got, 0), &check->growth);
}

static char *tell(const struct scan_check *check, uint64_t index, const result *got, const judgement *judged) {
    const fold *of = &check->exact.of;
    result expected = reference_result(&check->exact);
    if (check->sums)
        result_put(of, &expected, 0, value_of_double(of->what.type, running_sum_value(&check->sum)));
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

bool scan_check_feed(struct scan_check *check, const array_piece *piece, char **reason) {
    size_t element = check->exact.of.info.element_bytes;
    for (size_t i = 0; i < piece->count; ++i) {
        const char *in = (const char *)piece->in + i * element;
        result got = {{0}};
        memcpy(&got, (const char *)piece->result + i * element, element);
        if (!check->run->exclusive)
            add(check, in);
        judgement one = judge(check, &got);
        judgement_merge(&check->worst, &one, !check->any);
        check->any = true;
        if (!one.accepted) {
            *reason = tell(check, piece->first + i, &got, &one);
            return false;
        }
        if (check->run->exclusive)
            add(check, in);
    }
    return true;
}

judgement scan_check_end(struct scan_check *check) {
    judgement worst = check->worst;
    if (!check->any)
        worst = (judgement){.accepted = true, .compared = true, .ulps_known = true};
    free(check);
    return worst;
}
