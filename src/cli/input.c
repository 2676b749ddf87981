#include "input.h"

#include "cli.h"
#include "hash.h"
#include "npy.h"

#include <byteswap.h>
#include <inttypes.h>
#include <string.h>

static bool has_npy_extension(const char *path) {
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

static bool open_npy(input *in, const wf_type *type) {
    npy_array array;
    if (!npy_read(&array, in->file.bytes, in->file.size, in->path))
        return false;
    if (type && *type != array.type) {
        cli_error("input '%s' holds %s, but --type says %s; leave --type out, it is in the file", in->path,
                  wf_type_name(array.type), wf_type_name(*type));
        return false;
    }
    in->type = array.type;
    in->swapped = array.swapped;
    in->count = array.count;
    in->elements = array.elements;
    return true;
}

static bool open_raw(input *in, const wf_type *type) {
    if (has_npy_extension(in->path)) {
        cli_error(
            "input '%s' is no .npy file: it does not begin with NumPy's magic bytes; rename it if it is raw binary",
            in->path);
        return false;
    }
    if (!type) {
        cli_error("input '%s' is raw binary, so its element type must be given; add --type f32, f64, i32 or i64",
                  in->path);
        return false;
    }
    size_t size = wf_type_size(*type);
    if (in->file.size % size) {
        cli_error("input '%s' has %" PRIu64 " bytes, which is no multiple of the %zu bytes of an %s; is --type right?",
                  in->path, in->file.size, size, wf_type_name(*type));
        return false;
    }
    in->type = *type;
    in->count = in->file.size / size;
    in->elements = in->file.bytes;
    return true;
}

bool input_open(input *in, const char *path, const wf_type *type, const uint64_t *limit) {
    *in = (input){.kind = INPUT_FILE, .path = path};
    if (!file_map_open(&in->file, path))
        return false;
    bool npy = npy_has_magic(in->file.bytes, in->file.size);
    bool opened = npy ? open_npy(in, type) : open_raw(in, type);
    if (opened && limit && *limit > in->count) {
        cli_error("input '%s' has %" PRIu64 " elements, fewer than --n %" PRIu64 "; leave --n out to fold all of them",
                  path, in->count, *limit);
        opened = false;
    }
    if (opened && limit)
        in->count = *limit;
    if (!opened)
        input_close(in);
    return opened;
}

void input_close(input *in) {
    file_map_close(&in->file);
}

static void make_pattern(wf_type type, uint64_t first, size_t count, void *buffer) {
    for (size_t i = 0; i < count; ++i) {
        int step = (int)((first + i) % 16);
        switch (type) {
        case WF_F32:
            ((float *)buffer)[i] = (float)(step * 0.01);
            break;
        case WF_F64:
            ((double *)buffer)[i] = step * 0.01;
            break;
        case WF_I32:
            ((int32_t *)buffer)[i] = step;
            break;
        default:
            ((int64_t *)buffer)[i] = step;
            break;
        }
    }
}

static void make_random(wf_type type, uint64_t seed, uint64_t first, size_t count, void *buffer) {
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits = hash_index(seed, first + i);
        switch (type) {
        case WF_F32: /* as many bits as make every step of the range exact */
            ((float *)buffer)[i] = (float)(bits >> 40) * 0x1p-23f - 1.0f;
            break;
        case WF_F64:
            ((double *)buffer)[i] = (double)(bits >> 11) * 0x1p-52 - 1.0;
            break;
        case WF_I32:
            ((uint32_t *)buffer)[i] = (uint32_t)(bits >> 32);
            break;
        default:
            ((uint64_t *)buffer)[i] = bits;
            break;
        }
    }
}

static void swap_bytes(size_t size, size_t count, void *buffer) {
    uint32_t *narrow = buffer;
    uint64_t *wide = buffer;
    for (size_t i = 0; i < count; ++i) {
        if (size == sizeof *narrow)
            narrow[i] = bswap_32(narrow[i]);
        else
            wide[i] = bswap_64(wide[i]);
    }
}

const void *input_chunk(const input *in, uint64_t first, size_t count, void *buffer) {
    size_t size = wf_type_size(in->type);
    if (in->kind == INPUT_PATTERN) {
        make_pattern(in->type, first, count, buffer);
    } else if (in->kind == INPUT_RANDOM) {
        make_random(in->type, in->seed, first, count, buffer);
    } else {
        const unsigned char *elements = in->elements + first * size;
        if (!in->swapped && (uintptr_t)elements % size == 0)
            return elements;
        memcpy(buffer, elements, count * size);
        if (in->swapped)
            swap_bytes(size, count, buffer);
    }
    return buffer;
}
