#include "memory.h"

#include "cli/arguments/number.h"
#include "cli/cli.h"
#include "host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* For the rungs' partial results, the allocators' rounding and other programs on the device. */
static const uint64_t MARGIN_BYTES = UINT64_C(64) << 20;

/* The data, and a copy for the rungs that work in place. */
enum { COPIES = 2 };

typedef struct need {
    const input *data;
    size_t result_bytes; /* of each element's result */
} need;

static bool fits(const char *where, uint64_t available, const need *needs, uint64_t more) {
    const input *data = needs->data;
    uint64_t count = data->count, element = COPIES * input_element_bytes(data) + needs->result_bytes, needed;
    bool representable = number_multiply(count, element, &needed) && needed <= UINT64_MAX - more;
    if (representable && needed + more <= available)
        return true;
    uint64_t fitting = available > more ? (available - more) / element : 0;
    char size[32];
    if (representable)
        snprintf(size, sizeof size, "%" PRIu64, needed + more);
    else
        snprintf(size, sizeof size, "more than 2^64");
    cli_error("%" PRIu64 " elements of %s need %s bytes of %s (the data, the rungs' working copy%s and a margin), but "
              "%" PRIu64 " are available",
              count, wf_type_name(data->type), size, where, needs->result_bytes != 0 ? ", their results" : "",
              available);
    fprintf(stderr, "the largest --n that fits is %" PRIu64 "\n", fitting);
    return false;
}

bool memory_suffices(const wf_device_info *device, const input *data, size_t result_bytes) {
    const need needs = {.data = data, .result_bytes = result_bytes};
    uint64_t host = memory_of_host();
    if (strcmp(device->backend, "host") == 0) {
        uint64_t available = host < device->memory_free_bytes ? host : device->memory_free_bytes;
        return fits("host memory", available, &needs, MARGIN_BYTES + STAGE_BYTES);
    }
    if (!fits("device memory", device->memory_free_bytes, &needs, MARGIN_BYTES))
        return false;
    if (host < STAGE_BYTES + MARGIN_BYTES) {
        cli_error("passing the data to the device needs %" PRIu64 " bytes of host memory, but %" PRIu64
                  " are available; close other programs",
                  STAGE_BYTES + MARGIN_BYTES, host);
        return false;
    }
    return true;
}
