#include "npy.h"

#include "cli/arguments/number.h"
#include "cli/cli.h"
#include "npy_dictionary.h"
#include "npy_dtype.h"

#include <inttypes.h>
#include <string.h>

/* The header of an array of one number type needs some hundred bytes; this limit is generous and quickly searched. */
enum { LARGEST_HEADER = 1 << 20 };

static const char magic[] = "\x93NUMPY";
enum { MAGIC_SIZE = sizeof magic - 1, VERSION_END = MAGIC_SIZE + 2 };

bool npy_has_magic(const unsigned char *bytes, uint64_t size) {
    return size >= MAGIC_SIZE && memcmp(bytes, magic, MAGIC_SIZE) == 0;
}

/* The bounds of the dictionary. */
static bool find_header(const unsigned char *bytes, uint64_t size, const char *path, uint64_t *begin, uint64_t *end) {
    uint64_t length = 0;
    if (size < VERSION_END) {
        cli_error("input '%s' is truncated: it ends inside the .npy header", path);
        return false;
    }
    unsigned major = bytes[MAGIC_SIZE], minor = bytes[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0) {
        cli_error("input '%s' has .npy version %u.%u; supported are 1.0, 2.0 and 3.0", path, major, minor);
        return false;
    }
    *begin = VERSION_END + (major == 1 ? 2 : 4);
    for (uint64_t i = *begin; i > VERSION_END && i <= size; i--)
        length = length << 8 | bytes[i - 1];
    if (length > LARGEST_HEADER) {
        cli_error("input '%s' has a .npy header of %" PRIu64 " bytes; the limit is %d: save the plain array again with "
                  "numpy.save",
                  path, length, (int)LARGEST_HEADER);
        return false;
    }
    *end = *begin + length;
    if (*end > size) {
        cli_error("input '%s' is truncated: its .npy header should end at byte %" PRIu64 ", the file ends at byte "
                  "%" PRIu64,
                  path, *end, size);
        return false;
    }
    return true;
}

bool npy_read(npy_array *array, const unsigned char *bytes, uint64_t size, const char *path) {
    uint64_t begin, end, needed;
    npy_header header;
    npy_dtype dtype;
    if (!find_header(bytes, size, path, &begin, &end))
        return false;
    const char *wrong = npy_header_parse(&header, (const char *)bytes + begin, (size_t)(end - begin));
    if (wrong != NULL) {
        cli_error("input '%s' has a malformed .npy header: %s", path, wrong);
        return false;
    }
    if (!npy_dtype_read(&dtype, header.descr)) {
        cli_error("input '%s' has elements of dtype '%s'; supported are b1, f2, f4, f8, i1, i2, i4, i8, u1, u2, u4 and "
                  "u8 of either byte order: convert it with numpy's astype",
                  path, header.descr);
        return false;
    }
    array->type = dtype.type;
    array->is_bool = dtype.is_bool;
    array->swapped = dtype.swapped;
    if (!number_multiply(header.count, wf_type_size(array->type), &needed) || needed > size - end) {
        cli_error("input '%s' is truncated: its header promises %" PRIu64 " elements of %zu bytes, but %" PRIu64
                  " bytes follow it",
                  path, header.count, wf_type_size(array->type), size - end);
        return false;
    }
    array->fortran_order = header.fortran_order && header.count > 0 && header.long_shape.dimensions > 1;
    array->count = header.count;
    array->dimensions = header.dimensions;
    memcpy(array->sizes, header.sizes, sizeof array->sizes);
    array->long_shape = header.long_shape;
    memcpy(array->last, header.last, sizeof array->last);
    memcpy(array->shape_text, header.shape, sizeof array->shape_text);
    array->elements = bytes + end;
    return true;
}

bool npy_holds(const npy_array *array, size_t scalars) {
    if (array->count == 0 || array->last[0] == scalars)
        return true;
    if (array->dimensions <= 1)
        return array->count % scalars == 0;
    return scalars == 4 && array->last[0] == 2 && array->last[1] == 2;
}
