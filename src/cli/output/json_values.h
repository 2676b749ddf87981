/* Devices, numbers and results as JSON, the same in every report. */
#ifndef WAVEFOLD_CLI_OUTPUT_JSON_VALUES_H
#define WAVEFOLD_CLI_OUTPUT_JSON_VALUES_H

#include "json.h"
#include "oracle/folded.h"

json_t *json_device(const wf_device_info *info);
/* A JSON number with the fewest digits that restore the value of the type. Values that JSON lacks are strings: "inf",
 * "-inf", "nan", digits. */
json_t *json_value(wf_type type, value v);
/* true or false: a number of an array of bool. */
json_t *json_bool(wf_type type, value v);
json_t *json_shape(const uint64_t *counts, size_t dimensions);
/* null for NO_INDEX. */
json_t *json_index(uint64_t index);
/* A value, an array of several, or an object of a value and an index. */
json_t *json_result(const fold *of, const result *r, json_t *one(wf_type, value));

#endif
