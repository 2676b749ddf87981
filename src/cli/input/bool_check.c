#include "bool_check.h"

#include "cli/cli.h"

#include <inttypes.h>

enum { CHUNK = 1 << 16 };

/* No branch in the loop: the compiler vectorises it. */
static bool are_bools(const unsigned char *bytes, size_t count) {
    unsigned char seen = 0;
    for (size_t i = 0; i < count; i++)
        seen |= bytes[i];
    return seen <= 1;
}

bool input_check_bools(const input *in, uint64_t first, uint64_t count) {
    if (!in->is_bool)
        return true;
    const unsigned char *bytes = in->elements + first, *const end = bytes + count;
    while (bytes < end) {
        const size_t left = (size_t)(end - bytes), size = left < CHUNK ? left : CHUNK;
        if (!are_bools(bytes, size))
            break;
        bytes += size;
    }
    while (bytes < end && *bytes <= 1)
        bytes++;
    if (bytes == end)
        return true;
    cli_error("input '%s' is of bool, and byte %" PRIu64
              " of its elements is %u, neither 0 nor 1: save a.view('u1') != "
              "0, which is NumPy's reading, or read the bytes as numbers with --type u8",
              in->path, (uint64_t)(bytes - in->elements), (unsigned)*bytes);
    return false;
}
