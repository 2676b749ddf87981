#include "fold.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

wf_status fold_of(const wf_reduction *what, fold *made) {
    made->what = *what;
    return wf_reduction_get_info(what, &made->info);
}

size_t op_scalars(wf_op op) {
    static const size_t scalars[] = {
#define OP_SCALARS(ENUM, name, count) [WF_##ENUM] = count,
        WF_OP_MAP(OP_SCALARS)
#undef OP_SCALARS
    };
    return scalars[op];
}

size_t fold_scalars(const fold *of) {
    return op_scalars(of->what.op);
}

bool fold_is_ordered(const fold *of) {
    return of->what.op == WF_MATMUL || of->what.op == WF_AFFINE;
}

bool fold_is_extreme(const fold *of) {
    wf_op op = of->what.op;
    return of->info.has_index || op == WF_MIN || op == WF_MAX || op == WF_MINMAX;
}

const char *nan_rule_name(wf_nan rule) {
    return rule == WF_NAN_IGNORE ? "ignore" : "propagate";
}

const char *rung_kind_name(wf_rung_kind kind) {
    static const char *const names[] = {"reduces", "scans", "sorts", "sorts_pairs"};
    return names[kind];
}

value result_value(const fold *of, const result *r, size_t i) {
    return value_at(of->info.result_type, r->bytes, i);
}

void result_put(const fold *of, result *r, size_t i, value v) {
    value_put(of->info.result_type, r->bytes, i, v);
}

uint64_t result_index(const result *r) {
    return r->words[1];
}

void result_put_index(result *r, uint64_t index) {
    r->words[1] = index;
}

/* "+ 3", "- 3" */
static char *with_sign(const char *number) {
    return *number == '-' ? cli_text("- %s", number + 1) : cli_text("+ %s", number);
}

char *result_text(const fold *of, const result *r, value_formatter *one, value_formatter *several) {
    char text[4][VALUE_TEXT];
    for (size_t i = 0; i < of->info.result_values; ++i)
        (of->info.result_values > 1 ? several : one)(of->info.result_type, result_value(of, r, i), text[i]);
    if (of->what.op == WF_MINMAX)
        return cli_text("%s .. %s", text[0], text[1]);
    if (of->what.op == WF_MATMUL)
        return cli_text("[%s %s; %s %s]", text[0], text[1], text[2], text[3]);
    if (of->what.op == WF_AFFINE) {
        char *constant = with_sign(text[1]), *map = cli_text("%s x %s", text[0], constant);
        free(constant);
        return map;
    }
    if (of->info.has_index && result_index(r) == NO_INDEX)
        return cli_text("%s @ none", text[0]);
    if (of->info.has_index)
        return cli_text("%s @ %" PRIu64, text[0], result_index(r));
    return cli_text("%s", text[0]);
}
