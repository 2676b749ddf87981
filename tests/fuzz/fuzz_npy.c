/* Whole .npy files, as bytes in memory: what is accepted fits the file, and what is refused says why. */
#include "cli/input/npy.h"
#include "fuzz_input.h"

static void check_array(const npy_array *array, const uint8_t *file, size_t size) {
    const size_t number = wf_type_size(array->type);
    must(number != 0);
    must(array->elements >= file && array->elements <= file + size);
    must(array->count <= (size_t)(file + size - array->elements) / number);
    must(memchr(array->shape_text, '\0', sizeof array->shape_text) != NULL);
    must(!array->swapped || number > 1);
    must(!array->is_bool || array->type == WF_U8);
    must(!array->fortran_order || array->dimensions > 1);
    must(array->long_shape.dimensions <= NPY_DIMENSIONS && array->long_shape.dimensions <= array->dimensions);
    uint64_t product = 1;
    for (size_t i = 0; i < array->long_shape.dimensions; i++)
        product *= array->long_shape.sizes[i];
    must(array->count == 0 || array->count == product);
    must(array->dimensions > 0 || array->count == 1);
    must(array->dimensions != 1 || array->last[0] == array->count);
    for (size_t scalars = 2; scalars <= 4; scalars += 2)
        must(!npy_holds(array, scalars) || array->count % scalars == 0);
    uint8_t touched = 0;
    for (uint64_t i = 0; i < array->count * number; i++)
        touched ^= array->elements[i];
    *(volatile uint8_t *)&touched = touched;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    uint8_t *file = take_block(&in, size);
    npy_array array;
    fuzz_forget_message();
    if (!npy_has_magic(file, size)) {
        must(size < 6 || memcmp(file, "\x93NUMPY", 6) != 0);
    } else if (npy_read(&array, file, size, "a.npy")) {
        must(*fuzz_message() == '\0');
        check_array(&array, file, size);
    } else {
        must(*fuzz_message() != '\0');
    }
    free(file);
    return 0;
}
