#include "cli/arguments/reduce_request.h"
#include "cli/cli.h"
#include "cli/output/json.h"
#include "cli/output/listing.h"
#include "cli/output/text_table.h"
#include "oracle/folded.h"
#include "wavefold_ladder.h"

#include <stdio.h>
#include <stdlib.h>

static const char documentation[] =
    "List the operators of each type, and the accumulators of sums and products."
    "\vmatmul multiplies 2x2 matrices, stored a, b, c, d, and affine composes maps x -> a x + b, stored a, b, in the "
    "order of the array. asum adds magnitudes, sumsq squares. With --nan ignore, operators that choose an element, "
    "such as min, skip NaN. For entries marked exact, wavefold reduce rounds the sum once, to f64 or with "
    "--accumulator to f32, unless --accuracy is fast; and --state writes the state. The rung exact supports these "
    "except mean; rungs other than sequential and wavefold support sum, min and max of f32, f64, i32 and i64 in their "
    "own type, and some of them matmul and affine; --json lists the rungs of each reduction.\n\n"
    "Examples:\n"
    "  wavefold operators\n"
    "  wavefold operators --json -";

static bool is_in_table(wf_type type, wf_op op, wf_nan nan, fold *of) {
    const wf_reduce_spec spec = {.type = type, .op = op, .nan = nan, .accuracy = WF_ACCURACY_FAST};
    return fold_of(&spec, of) == WF_OK;
}

/* The accumulators, the default first; none if the accuracy is not supported. */
static size_t accumulators(wf_type type, wf_op op, wf_accuracy accuracy, const char *names[WF_ACCUMULATE_F64 + 1]) {
    wf_reduce_spec spec = {.type = type, .op = op, .accuracy = accuracy};
    size_t count = 0;
    fold of;
    if (fold_of(&spec, &of) != WF_OK)
        return 0;
    wf_type usual = of.info.accumulator;
    names[count++] = wf_type_name(usual);
    for (int other = WF_ACCUMULATE_I32; other <= WF_ACCUMULATE_F64; other++) {
        spec.accumulator = (wf_accumulator)other;
        if (fold_of(&spec, &of) == WF_OK && of.info.accumulator != usual)
            names[count++] = wf_type_name(of.info.accumulator);
    }
    return count;
}

static void print_and_free(text_table *table) {
    text_table_print(table, stdout);
    text_table_free(table);
}

static void print_operators(void) {
    text_column columns[1 + WF_TYPE_COUNT] = {{"operator", false}};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        columns[1 + type] = (text_column){wf_type_name((wf_type)type), false};
    text_table table = {.columns = columns, .column_count = 1 + WF_TYPE_COUNT};
    fold of;
    for (int op = 0; op < WF_OP_COUNT; op++) {
        text_table_add(&table, cli_text("%s", wf_op_name((wf_op)op)));
        for (int type = 0; type < WF_TYPE_COUNT; type++) {
            bool there = is_in_table((wf_type)type, (wf_op)op, WF_NAN_PROPAGATE, &of);
            bool exact = has_sum_state((wf_type)type, (wf_op)op);
            text_table_add(&table, cli_text("%s", exact ? "exact" : there ? "yes" : "-"));
        }
    }
    print_and_free(&table);
}

static char *accumulators_text(wf_type type, wf_op op) {
    const char *names[WF_ACCUMULATE_F64 + 1];
    size_t count = accumulators(type, op, WF_ACCURACY_FAST, names);
    char *text = cli_text("%s", count != 0 ? names[0] : "-");
    for (size_t i = 1; i < count; i++) {
        char *longer = cli_text("%s, %s", text, names[i]);
        free(text);
        text = longer;
    }
    return text;
}

static void print_accumulators(void) {
    text_column columns[1 + WF_OP_COUNT] = {{"type", false}};
    text_table table = {.columns = columns, .column_count = 1};
    for (int op = 0; op < WF_OP_COUNT; op++)
        if (wf_op_accumulates((wf_op)op))
            columns[table.column_count++] = (text_column){wf_op_name((wf_op)op), false};
    for (int type = 0; type < WF_TYPE_COUNT; type++) {
        text_table_add(&table, cli_text("%s", wf_type_name((wf_type)type)));
        for (int op = 0; op < WF_OP_COUNT; op++)
            if (wf_op_accumulates((wf_op)op))
                text_table_add(&table, accumulators_text((wf_type)type, (wf_op)op));
    }
    puts("\nAccumulators of other reductions, the default first:");
    print_and_free(&table);
}

static json_t *rungs_that_can(const fold *of) {
    json_t *rungs = json_array();
    const wf_rung_options options = {.type = of->spec.type, .op = of->spec.op};
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); i++)
        if (wf_rung_get_info(i, &info) == WF_OK && info.kind != WF_RUNG_SORTS && info.kind != WF_RUNG_SORTS_PAIRS &&
            wf_rung_supports(i, &options) == WF_OK)
            json_add(rungs, json_text(info.name));
    return rungs;
}

static const char *identity_text(wf_op op) {
    switch (wf_facts_of_op(op).identity) {
    case WF_IDENTITY_ZERO:
        return "0";
    case WF_IDENTITY_UNIT:
        return op == WF_MATMUL ? "(1 0; 0 1)" : op == WF_AFFINE ? "x -> x" : "1";
    case WF_IDENTITY_ALL_BITS:
        return "all bits set";
    case WF_IDENTITY_LARGEST:
        return "largest";
    case WF_IDENTITY_LEAST:
        return "least";
    case WF_IDENTITY_LARGEST_LEAST:
        return "largest, least";
    case WF_IDENTITY_NAN:
        break;
    }
    return "nan";
}

static wf_accuracy default_accuracy(wf_type type, wf_op op) {
    const wf_reduce_spec spec = {.type = type, .op = op};
    fold of;
    return fold_of(&spec, &of) == WF_OK ? of.info.accuracy : WF_ACCURACY_FAST;
}

static json_t *reduction_object(const fold *of) {
    const char *names[WF_ACCUMULATE_F64 + 1];
    wf_type type = of->spec.type;
    wf_op op = of->spec.op;
    json_t *object = json_object(), *chosen = json_array(), *exact = json_array(), *rules = json_array();
    fold other;
    size_t count = wf_op_accumulates(op) ? accumulators(type, op, WF_ACCURACY_FAST, names) : 0;
    for (size_t i = 0; i < count; i++)
        json_add(chosen, json_text(names[i]));
    count = has_sum_state(type, op) ? accumulators(type, op, WF_ACCURACY_EXACT, names) : 0;
    for (size_t i = 0; i < count; i++)
        json_add(exact, json_text(names[i]));
    for (int nan = WF_NAN_PROPAGATE; nan <= WF_NAN_IGNORE; nan++)
        if (is_in_table(type, op, (wf_nan)nan, &other))
            json_add(rules, json_text(nan_rule_name((wf_nan)nan)));
    json_put(object, "operator", json_text(wf_op_name(op)));
    json_put(object, "type", json_text(wf_type_name(type)));
    json_put(object, "numbers", json_count(wf_facts_of_op(of->spec.op).scalars));
    json_put(object, "accumulators", chosen);
    json_put(object, "exact", json_boolean(has_sum_state(type, op)));
    json_put(object, "exact_results", exact);
    json_put(object, "default_accuracy", json_string(accuracy_name(default_accuracy(type, op))));
    json_put(object, "nan", rules);
    json_put(object, "result_type", json_text(wf_type_name(of->info.result_type)));
    json_put(object, "result_values", json_count(of->info.result_values));
    json_put(object, "has_index", json_boolean(of->info.has_index));
    json_put(object, "of_no_elements", json_text(identity_text(op)));
    json_put(object, "ordered", json_boolean(wf_op_is_ordered(of->spec.op)));
    json_put(object, "rungs", rungs_that_can(of));
    return object;
}

static json_t *document(void) {
    json_t *listed = json_array();
    fold of;
    for (int op = 0; op < WF_OP_COUNT; op++)
        for (int type = 0; type < WF_TYPE_COUNT; type++)
            if (is_in_table((wf_type)type, (wf_op)op, WF_NAN_PROPAGATE, &of))
                json_add(listed, reduction_object(&of));
    return listed;
}

static void print_text(void) {
    print_operators();
    print_accumulators();
}

static void print_names(void) {
    for (int op = 0; op < WF_OP_COUNT; op++)
        puts(wf_op_name((wf_op)op));
}

int operators_main(int argc, char **argv) {
    static const listing operators = {documentation, print_text, print_names, document};
    return listing_main(&operators, argc, argv);
}
