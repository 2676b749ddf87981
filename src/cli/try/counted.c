#include "counted.h"

/* As hip/host/try/answer.cpp names them. */
#define COUNTS(_)                                                                                                      \
    _(loads.accesses, "loads")                                                                                         \
    _(loads.lanes, "load_lanes")                                                                                       \
    _(loads.bytes, "loaded_bytes")                                                                                     \
    _(loads.lines_32, "load_lines_32")                                                                                 \
    _(loads.lines_64, "load_lines_64")                                                                                 \
    _(loads.lines_128, "load_lines_128")                                                                               \
    _(stores.accesses, "stores")                                                                                       \
    _(stores.lanes, "store_lanes")                                                                                     \
    _(stores.bytes, "stored_bytes")                                                                                    \
    _(stores.lines_32, "store_lines_32")                                                                               \
    _(stores.lines_64, "store_lines_64")                                                                               \
    _(stores.lines_128, "store_lines_128")                                                                             \
    _(tile_loads.accesses, "tile_loads")                                                                               \
    _(tile_loads.lanes, "tile_load_lanes")                                                                             \
    _(tile_loads.bytes, "tile_loaded_bytes")                                                                           \
    _(tile_loads.extra_passes, "tile_load_extra_passes")                                                               \
    _(tile_stores.accesses, "tile_stores")                                                                             \
    _(tile_stores.lanes, "tile_store_lanes")                                                                           \
    _(tile_stores.bytes, "tile_stored_bytes")                                                                          \
    _(tile_stores.extra_passes, "tile_store_extra_passes")                                                             \
    _(updates, "updates")                                                                                              \
    _(collisions, "collisions")                                                                                        \
    _(tile_barriers, "tile_barriers")                                                                                  \
    _(wave_barriers, "wave_barriers")                                                                                  \
    _(shuffles, "shuffles")                                                                                            \
    _(steps_of_waves, "steps_of_waves")                                                                                \
    _(divergent_steps, "divergent_steps")                                                                              \
    _(lane_steps, "lane_steps")                                                                                        \
    _(active_lane_steps, "active_lane_steps")

static uint64_t number_of(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

explanation counted_of(const json_t *answer) {
    explanation counted = {.n = number_of(answer, "counted_n"),
                           .type = WF_F32,
                           .wave_width = (uint32_t)number_of(answer, "wave"),
                           .tile_size = (uint32_t)number_of(answer, "tile_size")};
    const json_t *launches = json_object_get(answer, "launches"), *launch;
    size_t i;
    json_array_foreach(launches, i, launch) {
#define ADD(member, key) counted.total.member += number_of(launch, key);
        COUNTS(ADD)
#undef ADD
    }
    counted.watch.launch_count = json_array_size(launches);
    return counted;
}
