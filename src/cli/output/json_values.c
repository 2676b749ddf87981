#include "json_values.h"

#include <stdlib.h>

/* The double with the fewest digits that read back as the number: an f32's 0.1 is 0.1, not 0.10000000149011612. */
static json_t *json_float(wf_type type, value v) {
    char text[VALUE_TEXT];
    value_format_shortest(type, v, text);
    return json_number(strtod(text, NULL));
}

json_t *json_value(wf_type type, value v) {
    if (wf_type_is_float(type))
        return json_float(type, v);
    if (wf_type_is_signed(type))
        return json_integer((json_int_t)value_to_bits(type, v));
    return json_whole(value_to_bits(type, v));
}

json_t *json_bool(wf_type type, value v) {
    return json_boolean(value_to_bits(type, v) != 0);
}

json_t *json_index(uint64_t index) {
    return index == NO_INDEX ? json_null() : json_whole(index);
}

json_t *json_result(const fold *of, const result *r, json_t *one(wf_type, value)) {
    wf_type type = of->info.result_type;
    json_t *first = one(type, result_value(of, r, 0));
    if (of->info.has_index) {
        json_t *object = json_object();
        json_put(object, "value", first);
        json_put(object, "index", json_index(result_index(r)));
        return object;
    }
    if (of->info.result_values == 1)
        return first;
    json_t *array = json_array();
    json_add(array, first);
    for (size_t i = 1; i < of->info.result_values; i++)
        json_add(array, one(type, result_value(of, r, i)));
    return array;
}

json_t *json_shape(const uint64_t *counts, size_t dimensions) {
    json_t *array = json_array();
    for (size_t i = 0; i < dimensions; i++)
        json_add(array, json_count(counts[i]));
    return array;
}

json_t *json_device(const wf_device_info *info) {
    json_t *object = json_object();
    json_put(object, "id", json_text(info->id));
    json_put(object, "name", json_text(info->name));
    json_put(object, "backend", json_text(info->backend));
    json_put(object, "wave_width", json_count(info->wave_width));
    json_put(object, "multiprocessors", json_count(info->multiprocessors));
    json_put(object, "memory_bytes", json_count(info->memory_bytes));
    json_put(object, "capability_major", json_count(info->capability_major));
    json_put(object, "capability_minor", json_count(info->capability_minor));
    json_put(object, "driver_version", json_count(info->driver_version));
    json_put(object, "runtime_version", json_count(info->runtime_version));
    return object;
}
