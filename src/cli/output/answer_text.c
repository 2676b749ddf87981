#include "answer_text.h"

#include "printed_number.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>

static void print_value(const answer *a, wf_type type, value v) {
    print_number(type, v, answer_is_bool(a, type));
}

static void print_line(const answer *a, const char *name, wf_type type, value v) {
    fputs(name, stdout);
    print_value(a, type, v);
    putchar('\n');
}

static void print_index_line(const char *name, uint64_t index) {
    fputs(name, stdout);
    print_index(index);
    putchar('\n');
}

static void print_description(const answer *a) {
    const wf_description *of = &a->described;
    wf_type type = a->data.type;
    printf("count    %" PRIu64 "\n", of->count);
    print_line(a, "sum      ", wide_type(type), answer_wide(of->sum));
    print_line(a, "min      ", type, answer_narrow(a, of->min));
    print_line(a, "max      ", type, answer_narrow(a, of->max));
    print_index_line("argmin   ", of->argmin);
    print_index_line("argmax   ", of->argmax);
    print_line(a, "mean     ", WF_F64, value_of_double(WF_F64, of->mean));
    print_line(a, "variance ", WF_F64, value_of_double(WF_F64, of->variance));
}

/* Only on a terminal: other programs read only the result. */
static void print_accuracy(const answer *a) {
    const char *accuracy = answer_accuracy(a);
    if (accuracy != NULL && terminal_is(stdout))
        printf("  (%s, %s)", accuracy, wf_type_name(a->of.info.result_type));
}

void answer_print_result(const answer *a, const result *r) {
    const wf_reduction_info *info = &a->of.info;
    if (info->has_index) {
        print_index(result_index(r));
        return;
    }
    for (size_t i = 0; i < info->result_values; i++) {
        fputs(i != 0 ? " " : "", stdout);
        print_value(a, info->result_type, result_value(&a->of, r, i));
    }
}

void answer_print(const answer *a) {
    if (describes(a->options)) {
        print_description(a);
        return;
    }
    answer_print_result(a, &a->folded);
    print_accuracy(a);
    putchar('\n');
}
