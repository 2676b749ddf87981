/* Files as `wavefold reduce` opens them: .npy or raw, with a type or none, for an operator, up to a limit. Every
 * element that is promised can be read, in chunks, with the same bytes as the file has. */
#include "cli/input/bool_check.h"
#include "cli/input/c_order.h"
#include "fuzz_input.h"

#include <unistd.h>

/* Of the file's bytes, what a chunk must have. */
static void check_chunk(const input *in, const uint8_t *got, uint64_t first, size_t count) {
    const size_t number = wf_type_size(in->type), element = input_element_bytes(in),
                 flip = in->swapped ? number - 1 : 0;
    const uint8_t *file = in->elements + first * element;
    for (size_t i = 0; i < count * element; i++)
        must(got[i] == file[i ^ flip]);
}

static void read_all(const input *in) {
    const size_t element = input_element_bytes(in);
    must(in->elements >= in->file.bytes && in->elements <= in->file.bytes + in->file.size);
    must(in->count <= (in->file.size - (uint64_t)(in->elements - in->file.bytes)) / element);
    (void)input_in_c_order(in);
    (void)input_check_bools(in, 0, in->count);
    for (uint64_t first = 0; first < in->count;) {
        const size_t count = in->count - first < 61 ? (size_t)(in->count - first) : 61;
        void *buffer = malloc(count * element);
        must(buffer != NULL);
        const void *chunk = input_chunk(in, first, count, buffer);
        must((uintptr_t)chunk % wf_type_size(in->type) == 0);
        check_chunk(in, chunk, first, count);
        free(buffer);
        first += count;
    }
}

/* The copy in C order beside a walk over the indices, the last one first. */
static void check_c_order(input *in) {
    const npy_shape shape = in->shape;
    const size_t number = wf_type_size(in->type);
    const uint8_t *file = in->elements;
    uint64_t index[NPY_DIMENSIONS] = {0};
    if (!in->fortran_order || in->count == 0)
        return;
    must(input_make_c_order(in) && !in->fortran_order);
    for (uint64_t i = 0; i < in->count * in->scalars; i++) {
        uint64_t from = 0;
        for (size_t d = shape.dimensions; d-- > 0;)
            from = from * shape.sizes[d] + index[d];
        must(memcmp(in->elements + i * number, file + from * number, number) == 0);
        for (size_t d = shape.dimensions; d-- > 0 && ++index[d] == shape.sizes[d];)
            index[d] = 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    const uint8_t asked = take_byte(&in);
    const wf_type type = (wf_type)(take_byte(&in) % WF_TYPE_COUNT);
    const wf_op op = (wf_op)(take_byte(&in) % WF_OP_COUNT);
    const uint64_t limit = take_byte(&in);
    char path[FUZZ_PATH];
    const int descriptor = memory_file(in.at, in.left, path);
    input opened;
    fuzz_forget_message();
    const input_request request = {.path = path,
                                   .type = (asked & 1) != 0 ? &type : NULL,
                                   .op = op,
                                   .limit = (asked & 2) != 0 ? &limit : NULL,
                                   .is_raw = (asked & 5) == 5};
    if (input_open(&opened, &request)) {
        must(*fuzz_message() == '\0');
        must((asked & 1) == 0 || opened.type == type);
        must((asked & 2) == 0 || opened.count == limit);
        read_all(&opened);
        check_c_order(&opened);
        input_close(&opened);
    } else {
        must(*fuzz_message() != '\0' && opened.file.bytes == NULL);
    }
    close(descriptor);
    return 0;
}
