/* The result_bytes that calls take, for tests of buffers that hold every result. */
#ifndef WAVEFOLD_TESTS_RESULT_BYTES_H
#define WAVEFOLD_TESTS_RESULT_BYTES_H

#include "wavefold_ladder.h"
#include "wavefold_message.h"

/* 0 for a reduction that does not exist. */
static inline size_t bytes_of_result(const wf_reduce_spec *spec) {
    wf_reduction_info info;
    return spec != NULL && wf_reduction_get_info(spec, &info) == WF_OK ? info.result_bytes : 0;
}

/* Of wf_rung_run; 0 for what no rung takes. */
static inline size_t bytes_of_rung_result(size_t index, const wf_rung_options *options, size_t count) {
    wf_rung_info rung;
    if (options == NULL || wf_rung_get_info(index, &rung) != WF_OK)
        return 0;
    const wf_reduce_spec spec = {options->type, options->op,      options->accumulator,
                                 options->nan,  WF_ACCURACY_FAST, {0, 0, 0}};
    wf_reduction_info info;
    if (rung.kind == WF_RUNG_REDUCES)
        return bytes_of_result(&spec);
    if (rung.kind == WF_RUNG_SCANS)
        return wf_reduction_get_info(&spec, &info) == WF_OK ? count * info.element_bytes : 0;
    const size_t row_length = options->row_length != 0 ? options->row_length : 64;
    if (rung.kind == WF_RUNG_ROWS || rung.kind == WF_RUNG_SEGMENTS)
        return (count + row_length - 1) / row_length * wf_type_size(options->type);
    if (rung.kind == WF_RUNG_COLUMNS)
        return (count < row_length ? count : row_length) * wf_type_size(options->type);
    return count * (wf_type_size(options->type) + (rung.kind == WF_RUNG_SORTS_PAIRS ? sizeof(uint32_t) : 0));
}

static inline wf_field with_result_bytes(wf_field field) {
    field.result_bytes = field.describes != 0 ? sizeof(wf_description) : bytes_of_result(&field.spec);
    return field;
}

#endif
