#include "rank_device.h"

#include "cli/cli.h"
#include "wavefold.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* If the launcher shows each rank one GPU, that is the only one. */
char *rank_device(const char *asked, int place) {
    const bool any = asked == NULL || strcmp(asked, "auto") == 0;
    wf_backend_info backend;
    for (size_t i = 0; i < wf_backend_count(); i++)
        if (wf_backend_get_info(i, &backend) == WF_OK && backend.devices > 0 && strcmp(backend.name, "host") != 0 &&
            (any || strcmp(asked, backend.name) == 0))
            return cli_text("%s:%" PRIu32, backend.name, (uint32_t)place % backend.devices);
    return cli_text("%s", any ? "host" : asked);
}
