/* The source of a run's elements: the data, or a probe. */
#ifndef WAVEFOLD_CLI_INPUT_SOURCE_H
#define WAVEFOLD_CLI_INPUT_SOURCE_H

#include "input.h"
#include "oracle/probe.h"

typedef struct source {
    const fold *of;
    const input *data;
    const probe *probed; /* NULL: the data */
    uint64_t count;
} source;

source source_of_data(const input *data, const fold *of);
source source_of_probe(const probe *probed);
/* As input_chunk. */
const void *source_chunk(const source *from, uint64_t first, size_t count, void *buffer);
/* The same, in the buffer in any case. */
void source_fill(const source *from, uint64_t first, size_t count, void *buffer);

#endif
