#include "result_text.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>

/* "+ 3", "- 3" */
static char *with_sign(const char *number) {
    return *number == '-' ? cli_text("- %s", number + 1) : cli_text("+ %s", number);
}

char *result_text(const fold *of, const result *r, value_formatter *one, value_formatter *several) {
    char text[4][VALUE_TEXT];
    for (size_t i = 0; i < of->info.result_values; i++)
        (of->info.result_values > 1 ? several : one)(of->info.result_type, result_value(of, r, i), text[i]);
    if (of->spec.op == WF_MINMAX)
        return cli_text("%s .. %s", text[0], text[1]);
    if (of->spec.op == WF_MATMUL)
        return cli_text("[%s %s; %s %s]", text[0], text[1], text[2], text[3]);
    if (of->spec.op == WF_AFFINE) {
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
