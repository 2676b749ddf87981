#include "progression_options.h"
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
                             .descending = options->descending};
}
