#include "folded.h"
#include "wavefold_ladder.h"

wf_status fold_of(const wf_reduce_spec *spec, fold *made) {
    made->spec = *spec;
    return wf_reduction_get_info(spec, &made->info);
}

const char *nan_rule_name(wf_nan rule) {
    return rule == WF_NAN_IGNORE ? "ignore" : "propagate";
}

const char *accuracy_name(wf_accuracy accuracy) {
    static const char *const names[] = {"best", "fast", "exact"};
    return names[accuracy];
}

const char *rung_kind_name(wf_rung_kind kind) {
    static const char *const names[] = {"reduces", "scans", "sorts", "sorts_pairs", "rows", "columns", "segments"};
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
