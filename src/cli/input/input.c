#include "input.h"

#include "archive.h"
#include "cli/cli.h"
#include "input_path.h"
#include "npy.h"
#include "text.h"

#include <byteswap.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

size_t input_element_bytes(const input *in) {
    return in->scalars * wf_type_size(in->type);
}

static bool has_extension(const char *path, const char *extension) {
    size_t length = strlen(path), wanted = strlen(extension);
    return length >= wanted && strcmp(path + length - wanted, extension) == 0;
}

static bool open_npy(input *in, const input_request *request) {
    const wf_type *type = request->type;
    const wf_op op = request->op;
    npy_array array;
    if (!npy_read(&array, in->file.bytes, in->file.size, in->path))
        return false;
    if (in->scalars > 1 && !npy_holds(&array, in->scalars)) {
        cli_error("input '%s' has shape %s, which holds no %s; of %s elements the shape is %s, or one dimension with a "
                  "multiple of %zu numbers",
                  in->path, array.shape_text, op == WF_MATMUL ? "2x2 matrices" : "pairs of numbers", wf_op_name(op),
                  op == WF_MATMUL ? "(n, 2, 2) or (n, 4)" : "(n, 2)", in->scalars);
        return false;
    }
    if (type != NULL && *type != array.type) {
        cli_error("input '%s' holds %s, but --type says %s; leave --type out, it is in the file", in->path,
                  array.is_bool ? "bool" : wf_type_name(array.type), wf_type_name(*type));
        return false;
    }
    in->type = array.type;
    in->is_bool = array.is_bool && type == NULL; /* --type u8 takes the bytes as numbers */
    in->swapped = array.swapped;
    in->fortran_order = array.fortran_order;
    in->shape = array.long_shape;
    in->has_dimensions = true;
    in->dimensions = array.dimensions;
    memcpy(in->sizes, array.sizes, sizeof in->sizes);
    in->count = array.count / in->scalars;
    in->elements = array.elements;
    return true;
}

/* Bytes may be letters: u8 and i8 accept text. */
static bool is_refused_text(const input *in, const wf_type *type) {
    if ((type != NULL && wf_type_size(*type) == 1) || !looks_like_text(in->file.bytes, in->file.size))
        return false;
    char *command = text_conversion(in->file.bytes, in->file.size, in->path);
    cli_error("input '%s' looks like text; convert it: %s%s", in->path, command,
              type != NULL ? "; add --raw if it is raw binary" : "");
    free(command);
    return true;
}

/* Prints the reason and returns false for other files. */
static bool looks_raw(const input *in, const wf_type *type) {
    if (has_extension(in->path, ".npy")) {
        cli_error("input '%s' is no .npy file: it does not begin with NumPy's magic bytes; add --raw if it is raw "
                  "binary",
                  in->path);
        return false;
    }
    if (is_refused_text(in, type))
        return false;
    if (type == NULL)
        cli_error("input '%s' is raw binary, so its element type must be given; add --type f32, or another of wavefold "
                  "operators",
                  in->path);
    return type != NULL;
}

static bool open_raw(input *in, const input_request *request) {
    const wf_type *type = request->type;
    const wf_op op = request->op;
    if (!request->is_raw && !looks_raw(in, type))
        return false;
    in->type = *type;
    size_t size = input_element_bytes(in);
    if (in->file.size % size != 0) {
        cli_error("input '%s' has %" PRIu64
                  " bytes, which is no multiple of the %zu bytes of one %s%s%s; is --type right?",
                  in->path, in->file.size, size, wf_type_name(*type), in->scalars > 1 ? " element of " : "",
                  in->scalars > 1 ? wf_op_name(op) : "");
        return false;
    }
    in->count = in->file.size / size;
    in->elements = in->file.bytes;
    return true;
}

/* By its name or by its first bytes, which numbers seldom have; --raw accepts those. */
static bool is_archive(const input *in, const char *member) {
    return member != NULL || (has_extension(in->path, ".npz") && !npy_has_magic(in->file.bytes, in->file.size)) ||
           archive_has_magic(&in->file);
}

static bool open_archive(input *in, const input_request *request, const char *member) {
    if (request->in_parts) {
        cli_error("input '%s' is an array of an archive, of which no parts can be read: save it with numpy.save",
                  in->path);
        return false;
    }
    return archive_extract(&in->file, member, in->path);
}

/* Maps the file, or unpacks the array of an archive. */
static bool open_file(input *in, const input_request *request) {
    const char *member = request->is_raw ? NULL : input_member(in->path);
    char *archive = member != NULL ? input_file(in->path) : NULL;
    const bool opened = file_map_open(&in->file, archive != NULL ? archive : in->path);
    free(archive);
    if (!opened)
        return false;
    if (request->is_raw || !is_archive(in, member) || open_archive(in, request, member))
        return true;
    input_close(in);
    return false;
}

bool input_open(input *in, const input_request *request) {
    const char *path = request->path;
    const uint64_t *limit = request->limit;
    *in = (input){.kind = INPUT_FILE, .path = path, .scalars = wf_facts_of_op(request->op).scalars};
    if (!open_file(in, request))
        return false;
    bool npy = !request->is_raw && npy_has_magic(in->file.bytes, in->file.size);
    bool opened = npy ? open_npy(in, request) : open_raw(in, request);
    if (opened && limit != NULL && *limit > in->count) {
        cli_error("input '%s' has %" PRIu64 " elements, fewer than --n %" PRIu64 "; leave --n out to take all of them",
                  path, in->count, *limit);
        opened = false;
    }
    if (opened && limit != NULL) {
        in->is_part = *limit < in->count;
        in->count = *limit;
    }
    if (!opened)
        input_close(in);
    return opened;
}

void input_close(input *in) {
    free(in->copy);
    in->copy = NULL;
    file_map_close(&in->file);
}

bool input_in_c_order(const input *in) {
    if (in->fortran_order)
        cli_error(
            "input '%s' holds an array in Fortran order, where C order is needed: save numpy.ascontiguousarray of "
            "it",
            in->path);
    return !in->fortran_order;
}

static void swap_bytes(size_t size, size_t count, void *buffer) {
    uint16_t *half = buffer;
    uint32_t *narrow = buffer;
    uint64_t *wide = buffer;
    for (size_t i = 0; i < count; i++) {
        if (size == sizeof *half)
            half[i] = bswap_16(half[i]);
        else if (size == sizeof *narrow)
            narrow[i] = bswap_32(narrow[i]);
        else if (size == sizeof *wide)
            wide[i] = bswap_64(wide[i]);
    }
}

const void *input_chunk(const input *in, uint64_t first, size_t count, void *buffer) {
    size_t number = wf_type_size(in->type), element = input_element_bytes(in);
    if (in->kind != INPUT_FILE) {
        generate(&in->made, first, count, buffer);
    } else {
        const unsigned char *elements = in->elements + first * element;
        if (!in->swapped && (uintptr_t)elements % number == 0)
            return elements;
        memcpy(buffer, elements, count * element);
        if (in->swapped)
            swap_bytes(number, count * in->scalars, buffer);
    }
    return buffer;
}
