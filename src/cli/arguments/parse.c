#include "parse.h"

#include "cli/cli.h"
#include "number.h"
#include "oracle/folded.h"
#include "synonyms.h"
#include "wavefold_ladder.h"

#include <inttypes.h>
#include <string.h>

uint64_t parse_number(const char *option, const char *text, uint64_t least, uint64_t most) {
    uint64_t number;
    number_status status = number_parse(text, &number);
    if (status == NUMBER_MALFORMED)
        cli_usage_error(
            "%s '%s' is not a whole number; write for example 4096, 2^12, 1e6, 1.5k or 4Ki (k, M, G and T are "
            "powers of 1000, Ki, Mi, Gi and Ti of 1024)",
            option, text);
    if (status == NUMBER_TOO_LARGE || number < least || number > most)
        cli_usage_error("%s %s is out of range; it must be from %" PRIu64 " to %" PRIu64, option, text, least, most);
    return number;
}

size_t parse_name(const char *kind, const char *text, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    char *known = cli_list(names, count);
    const char *nearest = suggested_name(text, names, count);
    if (nearest != NULL)
        cli_usage_error("unknown %s '%s'; did you mean '%s'? There are %s", kind, text, nearest, known);
    cli_usage_error("unknown %s '%s'; there are %s", kind, text, known);
}

size_t parse_rung(const char *before, const char *name) {
    size_t index = 0;
    if (wf_rung_find(name, &index) != WF_OK) {
        const char *said = wf_last_error();
        const bool asks = *said != '\0' && said[strlen(said) - 1] == '?'; /* whether the message suggests a name */
        cli_usage_error("%s%s%s wavefold rungs", before, said, asks ? " See" : "; see");
    }
    return index;
}

wf_type parse_type(const char *text) {
    const char *names[WF_TYPE_COUNT];
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        names[type] = wf_type_name((wf_type)type);
    return (wf_type)parse_name("type", text, names, WF_TYPE_COUNT);
}

int parse_op(const char *text, bool of_reduce) {
    const char *names[OPS_OF_REDUCE] = {[OP_DESCRIBE] = DESCRIBE, [OP_ALL] = "all", [OP_ANY] = "any"};
    for (int op = 0; op < WF_OP_COUNT; op++)
        names[op] = wf_op_name((wf_op)op);
    if (!of_reduce && is_described(text))
        cli_usage_error("unknown operator '%s'; wavefold reduce FILE --op describe gives count, mean and variance",
                        text);
    return (int)parse_name("operator", text, names, of_reduce ? OPS_OF_REDUCE : WF_OP_COUNT);
}

/* wf_accumulator's order, which begins with the default. */
wf_accumulator parse_accumulator(const char *text) {
    static const char *const names[] = {"i32", "i64", "u32", "u64", "f32", "f64"};
    return (wf_accumulator)(1 + parse_name("accumulator", text, names, sizeof names / sizeof *names));
}

wf_nan parse_nan(const char *text) {
    const char *names[] = {nan_rule_name(WF_NAN_PROPAGATE), nan_rule_name(WF_NAN_IGNORE)};
    return (wf_nan)parse_name("rule for NaN", text, names, sizeof names / sizeof *names);
}

wf_accuracy parse_accuracy(const char *text) {
    const char *names[] = {accuracy_name(WF_ACCURACY_BEST), accuracy_name(WF_ACCURACY_FAST),
                           accuracy_name(WF_ACCURACY_EXACT)};
    return (wf_accuracy)parse_name("accuracy", text, names, sizeof names / sizeof *names);
}
