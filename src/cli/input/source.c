#include "source.h"

#include <string.h>

source source_of_data(const input *data, const fold *of) {
    return (source){.of = of, .data = data, .count = data->count};
}

source source_of_probe(const probe *probed) {
    return (source){.of = &probed->of, .probed = probed, .count = probed->count};
}

const void *source_chunk(const source *from, uint64_t first, size_t count, void *buffer) {
    if (from->probed == NULL)
        return input_chunk(from->data, first, count, buffer);
    probe_fill(from->probed, first, count, buffer);
    return buffer;
}

void source_fill(const source *from, uint64_t first, size_t count, void *buffer) {
    const void *chunk = source_chunk(from, first, count, buffer);
    if (chunk != buffer)
        memcpy(buffer, chunk, count * from->of->info.element_bytes);
}
