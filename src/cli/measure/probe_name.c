#include "probe_name.h"

#include "cli/cli.h"

#include <inttypes.h>

char *probe_name(const probe *made) {
    static const char *const forms[] = {"weights", "odd factors", "elements that do not commute",
                                        "elements with one extreme", "elements with many extremes"};
    bool distinct = made->kind == PROBE_WEIGHTS && wf_type_size(made->of.spec.type) >= 4;
    return cli_text("%" PRIu64 " %s%s %s", made->count, distinct ? "distinct " : "", wf_type_name(made->of.spec.type),
                    forms[made->kind]);
}
