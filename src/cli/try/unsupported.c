#define _GNU_SOURCE
#include "unsupported.h"

#include "cli/cli.h"
#include "source_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A kind has words of the code, and headers. A word that ends with * is the beginning of one. */
enum { MOST_WORDS = 12 };

typedef struct kind {
    const char *what, *remedy;
    const char *words[MOST_WORDS], *headers[MOST_WORDS];
} kind;

static const kind kinds[] = {
    {"textures and surfaces",
     "read the array by a pointer",
     {"tex1D*", "tex2D*", "tex3D*", "texture", "cudaTextureObject_t", "hipTextureObject_t", "cudaBindTexture*",
      "surf1D*", "surf2D*", "surf3D*", "surface", "cudaSurfaceObject_t"},
     {NULL}},
    {"inline assembly", "write the operation in C++", {"asm", "__asm__", "__asm"}, {NULL}},
    {"matrix units", "leave these kernels out", {"wmma", "nvcuda", "rocwmma", "__mma*"}, {"mma.h", "rocwmma/"}},
    {"PyTorch's extensions",
     "keep the kernel and call it from main() or solve(float *in, float *out, int n)",
     {"torch", "PYBIND11_MODULE", "TORCH_LIBRARY*", "AT_DISPATCH*"},
     {"torch/", "ATen/", "c10/", "pybind11/"}},
    {"Thrust", "leave these calls out, or use cudaMalloc and a loop", {"thrust"}, {"thrust/"}},
    {"cuBLAS and its kin",
     "leave these calls out",
     {"cublas*", "hipblas*", "rocblas*", "cusparse*", "cusolver*", "cufft*"},
     {"cublas", "hipblas", "rocblas", "cusparse", "cusolver", "cufft"}},
    {"cuRAND", "fill the array with rand()", {"curand*", "hiprand*", "rocrand*"}, {"curand", "hiprand", "rocrand"}},
    {"cuDNN", "leave these calls out", {"cudnn*", "miopen*"}, {"cudnn", "miopen"}},
    {"compilation at run time", "compile the kernel with the file", {"nvrtc*", "hiprtc*"}, {"nvrtc", "hip/hiprtc"}},
    {"libcu++ beyond atomics",
     "use __syncthreads() and atomicAdd",
     {"cuda::barrier", "cuda::pipeline", "cuda::latch"},
     {"cuda/barrier", "cuda/pipeline", "cuda/latch", "cuda/semaphore"}},
    {"CUTLASS and CuTe", "leave these kernels out", {"cutlass", "cute"}, {"cutlass/", "cute/"}},
    {"clusters of blocks",
     "use one block, or several launches",
     {"cluster_group", "this_cluster", "__cluster_dims__"},
     {NULL}},
    {"NCCL and MPI", "run on one device", {"nccl*", "MPI_*"}, {"nccl", "mpi.h"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char nested_remedy[] = "launch it from host code, or call it as a __device__ function";

static void add(unsupported *found, size_t *count, const char *text, const char *at, char *what, const char *remedy) {
    if (*count < MOST_UNSUPPORTED)
        found[(*count)++] = (unsupported){source_line(text, at), what, remedy};
    else
        free(what);
}

/* ---- Words ---- */

/* The word is a name of its own, not a member, nor a variable that is assigned. */
static bool is_own_name(const char *code, const char *c, const char *end) {
    const bool is_member = c > code && (c[-1] == '.' || (c[-1] == '>' && c - 1 > code && c[-2] == '-'));
    const char *behind = end + strspn(end, " ");
    return !is_member && (*behind == '(' || *behind == '<' || strncmp(behind, "::", 2) == 0 ||
                          source_is_word(*behind) || *behind == '&' || *behind == '*');
}

/* The end of the word at c if it is this one; else NULL. */
static const char *end_of_word(const char *c, const char *word) {
    const size_t length = strlen(word);
    const bool is_beginning = word[length - 1] == '*';
    const size_t least = is_beginning ? length - 1 : length;
    if (strncmp(c, word, least) != 0 || (!is_beginning && source_is_word(c[least])))
        return NULL;
    const char *end = c + least;
    while (source_is_word(*end))
        end++;
    return end;
}

/* asm(""), a barrier for the compiler: its string is two blanks in the code. */
static bool is_empty_assembly(const char *word, const char *end) {
    const char *open = strpbrk(end, "(;{");
    return strstr(word, "asm") != NULL && open != NULL && *open == '(' && strspn(open + 1, " ") < 4;
}

static const char *find_word(const char *code, const char *word, const char **end) {
    const size_t length = strlen(word);
    char *plain = cli_text("%.*s", (int)(word[length - 1] == '*' ? length - 1 : length), word);
    const char *found = NULL;
    for (const char *c = code; found == NULL && (c = strstr(c, plain)) != NULL; c++)
        if ((c == code || !source_is_word(c[-1])) && (*end = end_of_word(c, word)) != NULL &&
            is_own_name(code, c, *end) && !is_empty_assembly(word, *end))
            found = c;
    free(plain);
    return found;
}

/* The first use of any word of the kind. */
static const char *find_use(const char *code, const kind *of, const char **end) {
    const char *first = NULL;
    for (size_t w = 0; w < MOST_WORDS && of->words[w] != NULL; w++) {
        const char *behind, *found = find_word(code, of->words[w], &behind);
        if (found != NULL && (first == NULL || found < first)) {
            first = found;
            *end = behind;
        }
    }
    return first;
}

/* ---- Headers ---- */

/* The text of an include's name if the line at c is one: "<torch/extension.h>". */
static char *included(const char *text, const char *c) {
    c += strspn(c, " \t");
    if (*c != '#')
        return NULL;
    c += 1 + strspn(c + 1, " \t");
    if (strncmp(c, "include", 7) != 0)
        return NULL;
    c += 7 + strspn(c + 7, " \t");
    (void)text;
    const size_t length = strcspn(c, "\n") < 1 ? 0 : strcspn(c + 1, ">\"\n") + 2;
    return *c == '<' || *c == '"' ? cli_text("%.*s", (int)length, c) : NULL;
}

/* An include that no condition may leave out: outside of #if, but for a guard around the whole file. */
static const char *find_header(const char *text, const char *without_comments, const kind *of, char **name) {
    size_t depth = 0;
    for (const char *c = without_comments; c != NULL; c = strchr(c, '\n') != NULL ? strchr(c, '\n') + 1 : NULL) {
        const char *word = c + strspn(c, " \t");
        if (*word != '#')
            continue;
        word += 1 + strspn(word + 1, " \t");
        depth += strncmp(word, "if", 2) == 0;
        depth -= strncmp(word, "endif", 5) == 0 && depth > 0;
        char *header = depth == 0 ? included(text, text + (c - without_comments)) : NULL;
        for (size_t h = 0; header != NULL && h < MOST_WORDS && of->headers[h] != NULL; h++)
            if (strncmp(header + 1, of->headers[h], strlen(of->headers[h])) == 0) {
                *name = header;
                return c;
            }
        free(header);
    }
    return NULL;
}

/* ---- Kernels that launch kernels ---- */

static const function *nested_launch(const kernel_file *file, const char **at) {
    for (size_t i = 0; i < file->functions.count; i++) {
        const function *one = &file->functions.of[i];
        const char *found = one->is_kernel ? memmem(one->body, (size_t)(one->end - one->body), "<<<", 3) : NULL;
        if (found != NULL) {
            *at = found;
            return one;
        }
    }
    return NULL;
}

static int by_line(const void *a, const void *b) {
    const unsigned long x = ((const unsupported *)a)->line, y = ((const unsupported *)b)->line;
    return (x > y) - (x < y);
}

size_t unsupported_find(const kernel_file *file, unsupported found[MOST_UNSUPPORTED]) {
    size_t count = 0;
    char *without_comments = source_code(file->text);
    for (size_t k = 0; k < KINDS; k++) {
        char *name = NULL;
        const char *end, *header = find_header(file->text, without_comments, &kinds[k], &name);
        const char *use = header == NULL ? find_use(file->code, &kinds[k], &end) : NULL;
        if (header != NULL)
            add(found, &count, without_comments, header, cli_text("%s (%s)", kinds[k].what, name), kinds[k].remedy);
        else if (use != NULL)
            add(found, &count, file->code, use, cli_text("%s (%.*s)", kinds[k].what, (int)(end - use), use),
                kinds[k].remedy);
        free(name);
    }
    const char *at;
    const function *nested = nested_launch(file, &at);
    if (nested != NULL)
        add(found, &count, file->code, at, cli_text("kernels that launch kernels (%s)", nested->name), nested_remedy);
    free(without_comments);
    qsort(found, count, sizeof *found, by_line);
    return count;
}

void unsupported_free(unsupported *found, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(found[i].what);
}
