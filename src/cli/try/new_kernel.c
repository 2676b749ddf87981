#define _GNU_SOURCE
#include "new_kernel.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* $ stands for the name. */
static const char ladder_text[] = "// $: each tile folds its elements in tile memory.\n"
                                  "//\n"
                                  "//   wavefold try $.hip\n"
                                  "#include \"operators.hpp\"\n"
                                  "#include \"tile.hpp\"\n"
                                  "\n"
                                  "using namespace wf;\n"
                                  "\n"
                                  "template <class T, class Op>\n"
                                  "__global__ void $(array_view<const T> source, array_view<T> partials) {\n"
                                  "    const tiled_index tidx;\n"
                                  "    const tile_static<T> cells(tidx);\n"
                                  "    const Op fold;\n"
                                  "    const unsigned t = tidx.local;\n"
                                  "\n"
                                  "    cells[t] = tidx.global < source.size() ? source[tidx.global] : Op::identity();\n"
                                  "    tidx.barrier.wait();\n"
                                  "\n"
                                  "    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {\n"
                                  "        if (t < s)\n"
                                  "            cells[t] = fold(cells[t], cells[t + s]);\n"
                                  "        tidx.barrier.wait();\n"
                                  "    }\n"
                                  "\n"
                                  "    if (t == 0)\n"
                                  "        partials[tidx.tile] = cells[0];\n"
                                  "}\n"
                                  "\n";

static const char plain_text[] = "// $: each block folds its elements in shared memory.\n"
                                 "//\n"
                                 "//   wavefold try $.hip\n"
                                 "#include <hip/hip_runtime.h>\n"
                                 "\n"
                                 "__global__ void $(const float *in, float *out, size_t n) {\n"
                                 "    __shared__ float cells[256];\n"
                                 "    const unsigned t = threadIdx.x;\n"
                                 "    const size_t i = size_t(blockIdx.x) * blockDim.x + t;\n"
                                 "\n"
                                 "    cells[t] = i < n ? in[i] : 0;\n"
                                 "    __syncthreads();\n"
                                 "\n"
                                 "    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {\n"
                                 "        if (t < s)\n"
                                 "            cells[t] += cells[t + s];\n"
                                 "        __syncthreads();\n"
                                 "    }\n"
                                 "\n"
                                 "    if (t == 0)\n"
                                 "        out[blockIdx.x] = cells[0];\n"
                                 "}\n"
                                 "\n";

/* Harmless to other compilers. */
static const char launch_text[] = "#ifdef WF_TRY // kernel, threads of a tile, elements of a tile\n"
                                  "WF_TRY($, 256, 256)\n"
                                  "#endif\n";

static void put(FILE *stream, const char *text, const char *name, size_t length) {
    for (; *text != '\0'; text++)
        if (*text == '$')
            fwrite(name, 1, length, stream);
        else
            fputc(*text, stream);
}

/* A list that ends with NULL has these letters as a word. */
static bool has_word(const char *const *words, const char *name, size_t length) {
    for (; *words != NULL; words++)
        if (strncmp(name, *words, length) == 0 && (*words)[length] == '\0')
            return true;
    return false;
}

/* C++ keywords. */
static bool is_keyword(const char *name, size_t length) {
    static const char *const words[] = {
        "alignas",      "alignof",      "and",           "and_eq",
        "asm",          "auto",         "bitand",        "bitor",
        "bool",         "break",        "case",          "catch",
        "char",         "char16_t",     "char32_t",      "char8_t",
        "class",        "co_await",     "co_return",     "co_yield",
        "compl",        "concept",      "const",         "const_cast",
        "consteval",    "constexpr",    "constinit",     "continue",
        "decltype",     "default",      "delete",        "do",
        "double",       "dynamic_cast", "else",          "enum",
        "explicit",     "export",       "extern",        "false",
        "float",        "for",          "friend",        "goto",
        "if",           "inline",       "int",           "long",
        "main",         "mutable",      "namespace",     "new",
        "noexcept",     "not",          "not_eq",        "nullptr",
        "operator",     "or",           "or_eq",         "private",
        "protected",    "public",       "register",      "reinterpret_cast",
        "requires",     "return",       "short",         "signed",
        "sizeof",       "static",       "static_assert", "static_cast",
        "struct",       "switch",       "template",      "this",
        "thread_local", "throw",        "true",          "try",
        "typedef",      "typeid",       "typename",      "union",
        "unsigned",     "using",        "virtual",       "void",
        "volatile",     "wchar_t",      "while",         "xor",
        "xor_eq",       NULL,
    };
    return has_word(words, name, length);
}

/* Names in the kernel's text, its includes and the trial that a user might choose. */
static bool is_taken(const char *name, size_t length, bool is_plain) {
    static const char *const ladder[] = {"Op",          "T",      "Width",  "affine", "array_view",   "host",
                                         "line",        "matmul", "matrix", "max",    "min",          "of",
                                         "pack",        "size_t", "std",    "sum",    "tile_barrier", "tile_static",
                                         "tiled_index", "tried",  "wf",     NULL};
    static const char *const plain[] = {
        "arguments", "assert",    "atomicAdd", "blockDim", "blockIdx", "double2",  "float2", "float4", "gridDim",
        "int2",      "int4",      "max",       "memcpy",   "memmove",  "memset",   "min",    "of",     "size_t",
        "std",       "threadIdx", "tried",     "uint2",    "uint4",    "warpSize", "wf",     NULL};
    return has_word(is_plain ? plain : ladder, name, length);
}

static bool is_name(const char *name, size_t length) {
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", digits[] = "0123456789";
    for (size_t i = 0; i < length; i++)
        if (strchr(letters, name[i]) == NULL && (i == 0 || strchr(digits, name[i]) == NULL))
            return false;
    return length > 0;
}

bool new_kernel_write(const char *name, bool is_plain, bool has_text) {
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".hip") == 0)
        length -= 4;
    if (!is_name(base, length)) {
        cli_error("'%.*s' cannot be a kernel's name: letters, digits and _, and no digit first", (int)length, base);
        return false;
    }
    if (is_keyword(base, length)) {
        cli_error("'%.*s' is a word of C++ itself, and cannot be a kernel's name; take another", (int)length, base);
        return false;
    }
    if (is_taken(base, length, is_plain)) {
        cli_error("'%.*s' is a word of those that the kernel is written in, and cannot be its name; take another",
                  (int)length, base);
        return false;
    }
    char *path = cli_text("%.*s%.*s.hip", (int)(base - name), name, (int)length, base);
    FILE *stream = fopen(path, "wx");
    bool written = stream != NULL;
    int error = errno;
    if (written) {
        errno = 0;
        put(stream, is_plain ? plain_text : ladder_text, base, length);
        put(stream, launch_text, base, length);
        written = !ferror(stream);
        written = fclose(stream) == 0 && written;
        error = errno;
        if (!written)
            (void)unlink(path); /* an incomplete file would block the next attempt */
    }
    if (!written)
        cli_error(error == EEXIST ? "'%s' is there already, and is left as it is" : "cannot write '%s': %s", path,
                  strerror(error));
    char *shown = cli_printable(path);
    if (written && has_text)
        printf("%s: see what it does with wavefold try %s\n", shown, shown);
    free(shown);
    free(path);
    return written;
}
