#include "progression_options.h"

#include "ladder/row_shape.h"
#include "wavefold_ladder.h"

wf_rung_options options_of(const progression_options *options, const wf_reduce_spec *spec) {
    return (wf_rung_options){.type = spec->type,
                             .op = spec->op,
                             .accumulator = spec->accumulator,
                             .nan = spec->nan,
                             .tile_size = options->tile,
                             .tiles = options->tiles,
                             .window = options->window,
                             .exclusive = options->exclusive,
                             .descending = options->descending,
                             .row_length = options->row_length};
}

uint32_t row_length_of(const progression_options *options) {
    return options->row_length != 0 ? options->row_length : WF_DEFAULT_ROW_LENGTH;
}

uint64_t results_of(const progression_options *options, wf_rung_kind kind, uint64_t count) {
    return wf_kind_has_rows(kind) ? wf_row_results(kind, count, row_length_of(options)) : count;
}
