/* The settings of `wavefold progression`. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_PROGRESSION_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_PROGRESSION_OPTIONS_H

#include "output_options.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

#include <stdbool.h>
#include <stddef.h>

#define ALL_FAMILIES "all"

/* The request of `wavefold progression`. 0 means the default, unless a flag records that the number was given. */
typedef struct progression_options {
    bool n_given, type_given, seed_given, rungs_given, exclusive, descending, is_raw;
    uint64_t n;
    uint64_t seed;
    wf_reduce_spec spec; /* its type comes from the input file unless --type is given */
    uint32_t tile, tiles, window, row_length, repeat;
    size_t *named; /* --rungs: indices, in the order in which they run */
    size_t named_count;
    const char *family;                         /* or ALL_FAMILIES; NULL: not given */
    const char *device, *input_path, *csv_path; /* NULL: not given */
    output_options output;
} progression_options;

/* The rung options for a reduction: the user's, or a probe's. */
wf_rung_options options_of(const progression_options *options, const wf_reduce_spec *spec);

/* Elements of a row, and of a result that is an array, for count elements. */
uint32_t row_length_of(const progression_options *options);
uint64_t results_of(const progression_options *options, wf_rung_kind kind, uint64_t count);

#endif
