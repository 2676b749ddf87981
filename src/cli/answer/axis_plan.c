#include "axis_plan.h"

#include "cli/arguments/number.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

static bool find_reduced(const answer *a, size_t dimensions, uint32_t *reduced) {
    const axis_options *asked = &a->options->axes;
    *reduced = 0;
    for (size_t i = 0; i < asked->count; i++) {
        const int axis = asked->axes[i], count = (int)dimensions;
        if (axis < -count || axis >= count) {
            cli_error("input '%s' has %d dimension%s, and --axis %d is out of range; it must be from %d to %d",
                      a->data.path, count, count != 1 ? "s" : "", axis, -count, count - 1);
            return false;
        }
        const uint32_t bit = 1u << (axis < 0 ? axis + count : axis);
        if ((*reduced & bit) != 0) {
            cli_error("input '%s' has %d dimension%s, and --axis names dimension %d twice; name it once", a->data.path,
                      count, count != 1 ? "s" : "", axis < 0 ? axis + count : axis);
            return false;
        }
        *reduced |= bit;
    }
    return true;
}

/* The first index runs fastest. */
static void set_fortran_strides(wf_axes *axes) {
    int64_t stride = 1;
    axes->has_strides = 1;
    for (uint32_t d = 0; d < axes->dimensions; d++) {
        axes->strides[d] = stride;
        stride *= (int64_t)axes->counts[d];
    }
}

static void set_inner(axis_plan *plan, const answer *a) {
    if (wf_op_is_ordered(a->of.spec.op)) {
        plan->inner_dimensions = plan->elements.inner_dimensions;
        memcpy(plan->inner, plan->elements.inner, sizeof plan->inner);
    } else if (a->of.info.result_values > 1) {
        plan->inner_dimensions = 1;
        plan->inner[0] = a->of.info.result_values;
    }
}

/* The product of the kept counts, which is beyond 2^64 only if another count is 0. */
static bool set_results(axis_plan *plan, const answer *a) {
    plan->results = 1;
    bool fits = true, is_empty = false;
    for (size_t d = 0; d < plan->elements.dimensions; d++) {
        const bool is_reduced = (plan->axes.reduced >> d & 1) != 0;
        const uint64_t count = is_reduced ? 1 : plan->elements.counts[d];
        is_empty |= count == 0;
        if (!is_reduced || a->options->axes.keepdims)
            plan->counts[plan->dimensions++] = count;
        fits &= count == 0 || number_multiply(plan->results, count, &plan->results);
    }
    if (is_empty)
        plan->results = 0;
    else if (!fits)
        cli_error("input '%s': the results of --axis are more than 2^64; reduce another dimension", a->data.path);
    return fits || is_empty;
}

bool axis_plan_of(axis_plan *plan, const answer *a) {
    *plan = (axis_plan){.results = 0};
    if (!input_element_shape(&a->data, &plan->elements) ||
        !find_reduced(a, plan->elements.dimensions, &plan->axes.reduced))
        return false;
    plan->axes.dimensions = (uint32_t)plan->elements.dimensions;
    memcpy(plan->axes.counts, plan->elements.counts, sizeof plan->axes.counts);
    if (a->data.fortran_order && a->data.scalars == 1)
        set_fortran_strides(&plan->axes);
    set_inner(plan, a);
    return set_results(plan, a);
}
