#include "element_shape.h"

#include "cli/cli.h"

#include <string.h>

/* Counts the last dimensions that are of one element. False if there is none, which npy_holds accepts of an array of no
 * elements. */
static bool count_inner(const input *in, size_t *count) {
    const uint64_t *const end = in->sizes + in->dimensions;
    *count = 0;
    if (in->scalars == 1 || in->dimensions <= 1)
        return true;
    *count = end[-1] == in->scalars ? 1 : 2;
    return *count == 1 || (in->scalars == 4 && end[-1] == 2 && end[-2] == 2);
}

static bool fail_as_too_long(const input *in) {
    cli_error("input '%s' has %zu dimensions; --axis takes arrays of at most %d: join some with numpy.reshape",
              in->path, in->dimensions, WF_MOST_DIMENSIONS);
    return false;
}

bool input_element_shape(const input *in, element_shape *shape) {
    size_t inner;
    if (!in->has_dimensions) {
        cli_error("input '%s' is raw binary, which has no shape for --axis: save the array with numpy.save", in->path);
        return false;
    }
    if (in->dimensions > NPY_SIZES)
        return fail_as_too_long(in);
    if (!count_inner(in, &inner)) {
        cli_error("input '%s' has no elements and a shape that does not end in those of one: %s", in->path,
                  in->scalars == 4 ? "end it in 2, 2 or in 4" : "end it in 2");
        return false;
    }
    if (in->dimensions - inner > WF_MOST_DIMENSIONS)
        return fail_as_too_long(in);
    if (in->dimensions == inner) {
        cli_error("input '%s' is one element of no dimension, and --axis names dimensions: leave it out", in->path);
        return false;
    }
    *shape = (element_shape){.dimensions = in->dimensions - inner, .inner_dimensions = inner};
    memcpy(shape->counts, in->sizes, shape->dimensions * sizeof *shape->counts);
    memcpy(shape->inner, in->sizes + shape->dimensions, inner * sizeof *shape->inner);
    if (in->scalars > 1 && inner == 0) { /* one dimension holds the numbers of all elements */
        shape->counts[0] = in->count;
        shape->inner[shape->inner_dimensions++] = in->scalars;
    }
    return true;
}
