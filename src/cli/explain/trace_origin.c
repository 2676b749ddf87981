/* The origins of a sum's sources: the ends of the lines in the picture of a trace. */
#include "trace.h"

#include <string.h>

static bool is_earlier(const trace_sum *one, const trace_sum *other) {
    return one->launch != other->launch ? one->launch < other->launch : one->step < other->step;
}

static bool is_in(const trace_sum *sum, const trace_place *place) {
    if (place->kind == TRACE_LANE) /* a lane still has its last sum */
        return sum->lane == place->index;
    return sum->to.kind == place->kind && sum->to.index == place->index && strcmp(sum->to.array, place->array) == 0;
}

/* The names that the kernels give to the array that is reduced. */
static bool is_of_the_array(const trace_place *place) {
    return place->kind == TRACE_ELEMENT && (strcmp(place->array, "source") == 0 || strcmp(place->array, "data") == 0);
}

trace_origin trace_origin_of(const trace *of, const trace_sum *sum, const trace_place *place) {
    for (const trace_sum *before = sum; before-- > of->sums;)
        if (is_earlier(before, sum) && is_in(before, place))
            return (trace_origin){.kind = TRACE_FROM_SUM, .sum = (size_t)(before - of->sums)};
    return (trace_origin){.kind = is_of_the_array(place) ? TRACE_FROM_ARRAY : TRACE_FROM_ELSEWHERE};
}
