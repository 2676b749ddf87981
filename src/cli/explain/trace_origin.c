/* Where a sum's sources were before: the ends of the lines in the picture of a trace. */
#include "trace.h"

#include <string.h>

static bool is_earlier(const trace_deed *one, const trace_deed *other) {
    return one->launch != other->launch ? one->launch < other->launch : one->step < other->step;
}

static bool leaves(const trace_deed *deed, const trace_place *place) {
    if (place->kind == TRACE_LANE) /* a lane still has what it left anywhere */
        return deed->lane == place->index;
    return deed->to.kind == place->kind && deed->to.index == place->index && strcmp(deed->to.array, place->array) == 0;
}

/* The names that the kernels give to the array that is reduced. */
static bool is_of_the_array(const trace_place *place) {
    return place->kind == TRACE_ELEMENT && (strcmp(place->array, "source") == 0 || strcmp(place->array, "data") == 0);
}

trace_origin trace_origin_of(const trace *of, const trace_deed *deed, const trace_place *place) {
    for (const trace_deed *before = deed; before-- > of->deeds;)
        if (is_earlier(before, deed) && leaves(before, place))
            return (trace_origin){.kind = TRACE_FROM_DEED, .deed = (size_t)(before - of->deeds)};
    return (trace_origin){.kind = is_of_the_array(place) ? TRACE_FROM_ARRAY : TRACE_FROM_ELSEWHERE};
}
