#include "c_order.h"

#include "cli/cli.h"
#include "host_memory.h"
#include "transpose.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

bool input_make_c_order(input *in) {
    if (!in->fortran_order || in->count == 0)
        return true;
    const size_t number = wf_type_size(in->type);
    const uint64_t numbers = in->count * in->scalars, bytes = numbers * number, available = memory_of_host();
    /* Allocation may promise more than is available. The alignment of a file gives the same bits. */
    in->copy = bytes <= available ? aligned_alloc(ALIGNMENT, (size_t)(bytes / ALIGNMENT + 1) * ALIGNMENT) : NULL;
    if (in->copy == NULL) {
        cli_error("input '%s' holds an array in Fortran order, and a copy in C order needs %" PRIu64
                  " bytes of host memory, but %" PRIu64
                  " are available; take fewer elements with --n, or save numpy.ascontiguousarray of it",
                  in->path, bytes, available);
        return false;
    }
    transpose(in->copy, in->elements, number, &in->shape, numbers);
    in->elements = in->copy;
    in->fortran_order = false;
    return true;
}
