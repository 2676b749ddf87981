#include "row_layout.h"

#include "cli/cli.h"
#include "cli/input/c_order.h"

#include <string.h>

/* All elements are one row. */
static void set_one_row(row_layout *layout, const input *in) {
    const bool has_sizes = in->has_dimensions && in->dimensions > 1 && in->dimensions <= NPY_SIZES;
    *layout = (row_layout){.outer = 1, .length = in->count, .inner = 1, .axis = -1, .dimensions = 1};
    layout->counts[0] = in->count;
    if (in->scalars == 1)
        return;
    layout->inner_dimensions =
        has_sizes && in->sizes[in->dimensions - 1] != in->scalars ? 2 : 1; /* 2x2 matrices, or their four numbers */
    layout->inner_counts[0] = layout->inner_counts[1] = 2;
    if (layout->inner_dimensions == 1)
        layout->inner_counts[0] = in->scalars;
}

static bool find_axis(row_layout *layout, const input *in, int asked) {
    const int count = (int)layout->dimensions;
    layout->axis = asked < 0 ? asked + count : asked;
    if (layout->axis >= 0 && layout->axis < count)
        return true;
    cli_error("input '%s' has %d dimension%s, and --axis %d is out of range; it must be from %d to %d", in->path, count,
              count != 1 ? "s" : "", asked, -count, count - 1);
    return false;
}

/* Only of an array with elements: the product of other counts may be beyond 2^64. */
static void set_rows(row_layout *layout) {
    uint64_t before = 1, behind = 1;
    for (size_t d = 0; d < layout->dimensions; d++)
        *((int)d < layout->axis ? &before : &behind) *= (int)d == layout->axis ? 1 : layout->counts[d];
    layout->length = layout->counts[layout->axis];
    layout->outer = layout->fortran_order ? behind : before;
    layout->inner = layout->fortran_order ? before : behind;
}

bool row_layout_of(row_layout *layout, input *in, const axis_options *axes, bool in_order) {
    element_shape shape;
    const bool one_row = axes->count == 0;
    /* Numbers of an element stand together in C order alone. */
    if ((in->scalars > 1 || (one_row && (in_order || in->is_part))) && !input_make_c_order(in))
        return false;
    if (one_row) {
        set_one_row(layout, in);
        return true;
    }
    if (!input_element_shape(in, &shape))
        return false;
    *layout = (row_layout){
        .fortran_order = in->fortran_order, .dimensions = shape.dimensions, .inner_dimensions = shape.inner_dimensions};
    memcpy(layout->counts, shape.counts, shape.dimensions * sizeof *shape.counts);
    memcpy(layout->inner_counts, shape.inner, sizeof layout->inner_counts);
    if (!find_axis(layout, in, axes->axes[0]))
        return false;
    if (in->count != 0)
        set_rows(layout);
    return true;
}

void row_layout_index(const row_layout *layout, uint64_t i, uint64_t index[WF_MOST_DIMENSIONS]) {
    for (size_t d = layout->dimensions; d-- > 0; i /= layout->counts[d])
        index[d] = i % layout->counts[d];
}

uint64_t row_layout_place(const row_layout *layout, const uint64_t index[WF_MOST_DIMENSIONS]) {
    uint64_t place = 0;
    for (size_t i = 0; i < layout->dimensions; i++) {
        const size_t d = layout->fortran_order ? layout->dimensions - 1 - i : i;
        place = place * layout->counts[d] + index[d];
    }
    return place;
}
