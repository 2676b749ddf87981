#include "c_order.h"

#include "cli/cli.h"
#include "memory.h"
#include "transpose.h"

#include <inttypes.h>
#include <stdlib.h>

bool input_make_c_order(input *in) {
    if (!in->fortran_order || in->count == 0)
        return true;
    const size_t number = wf_type_size(in->type);
    const uint64_t numbers = in->count * in->scalars, bytes = numbers * number, available = memory_of_host();
    in->copy = bytes <= available ? malloc((size_t)bytes) : NULL; /* malloc would promise more than there is */
    if (in->copy == NULL) {
        cli_error("input '%s' holds an array in Fortran order, and a copy in C order needs %" PRIu64
                  " bytes of host memory, but %" PRIu64
                  " are available; fold fewer elements with --n, or save numpy.ascontiguousarray of it",
                  in->path, bytes, available);
        return false;
    }
    transpose(in->copy, in->elements, number, &in->shape, numbers);
    in->elements = in->copy;
    in->fortran_order = false;
    return true;
}
