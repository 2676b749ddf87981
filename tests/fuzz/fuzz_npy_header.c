/* The dictionary at the head of a .npy file. What is accepted, written anew as numpy.save writes it, is accepted, too,
 * and says the same. */
#include "cli/input/npy_dictionary.h"
#include "fuzz_input.h"

#include <inttypes.h>

/* One dimension of as many elements, since a long shape is not kept whole. */
static void check_again(const npy_header *header) {
    char text[256];
    npy_header again;
    must(strpbrk(header->descr, "'\\\n") == NULL);
    const int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%" PRIu64 ",), }   \n",
                 header->descr, header->fortran_order ? "True" : "False", header->count);
    must(length > 0 && (size_t)length < sizeof text);
    must(npy_header_parse(&again, text, (size_t)length) == NULL);
    must(strcmp(again.descr, header->descr) == 0 && again.fortran_order == header->fortran_order);
    must(again.count == header->count && again.dimensions == 1 && again.last[0] == header->count);
    must(again.sizes[0] == header->count && again.sizes[1] == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    char *text = (char *)take_block(&in, size);
    npy_header header;
    const char *wrong = npy_header_parse(&header, text, size);
    must(wrong == NULL || *wrong != '\0');
    if (wrong == NULL) {
        must(memchr(header.descr, '\0', sizeof header.descr) != NULL);
        must(memchr(header.shape, '\0', sizeof header.shape) != NULL);
        must(header.long_shape.dimensions <= header.dimensions);
        if (header.descr[0] != '[' && strpbrk(header.descr, "'") == NULL)
            check_again(&header);
    }
    free(text);
    return 0;
}
