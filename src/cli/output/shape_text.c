#include "shape_text.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>

char *shape_text(const uint64_t *numbers, size_t count) {
    char *text = cli_text("(");
    for (size_t i = 0; i < count; i++) {
        char *longer = cli_text("%s%s%" PRIu64, text, i != 0 ? ", " : "", numbers[i]);
        free(text);
        text = longer;
    }
    char *closed = cli_text("%s%s)", text, count == 1 ? "," : "");
    free(text);
    return closed;
}
