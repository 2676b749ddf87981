/* The settings of `wavefold progression`. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_PROGRESSION_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_PROGRESSION_OPTIONS_H

#include "output_options.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

#include <stdbool.h>
#include <stddef.h>

#define ALL_FAMILIES "all"

/* What `wavefold progression` was asked for. Numbers are 0 where the default is to be taken, unless a flag says
 * whether they were given. */
typedef struct progression_options {
    bool n_given, type_given, seed_given, rungs_given, exclusive, descending, is_raw;
    uint64_t n;
    uint64_t seed;
    wf_reduce_spec spec; /* its type is the file's if an input, but no type was given */
    uint32_t tile, tiles, window, repeat;
    size_t *named; /* --rungs: indices, in the order in which they run */
    size_t named_count;
    const char *family;                         /* or ALL_FAMILIES; NULL: not given */
    const char *device, *input_path, *csv_path; /* NULL: not given */
    output_options output;
} progression_options;

/* The rung options for what, which is the user's reduction or a probe's. */
wf_rung_options options_of(const progression_options *options, const wf_reduce_spec *spec);

#endif
