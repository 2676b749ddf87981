#define _GNU_SOURCE
#include "own_headers.h"

#include "cli/cli.h"
#include "kernel_launches.h"
#include "source_text.h"
#include "translated_text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_HEADERS = 64, MOST_BYTES = 1 << 20 };

typedef struct headers {
    const char *folder;
    char *paths[MOST_HEADERS]; /* resolved */
    bool is_copied[MOST_HEADERS];
    size_t count;
} headers;

/* NULL: there is no such file, or it is no header that a person wrote. */
static char *read_header(const char *path) {
    struct stat status;
    FILE *stream =
        stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES ? fopen(path, "r") : NULL;
    if (stream == NULL)
        return NULL;
    char *text = cli_allocate((size_t)status.st_size + 1, 1);
    text[fread(text, 1, (size_t)status.st_size, stream)] = '\0';
    fclose(stream);
    return source_without_mark(text);
}

static char *copy_of(const headers *all, size_t i) {
    return cli_text("%s/.header-%zu.hpp", all->folder, i);
}

static char *translated(headers *all, const char *text, const char *path, bool is_header);

/* The number of the header at this path; its copy is written if it launches kernels. -1: it cannot be read. */
static ptrdiff_t add_header(headers *all, const char *path) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->paths[i], path) == 0)
            return (ptrdiff_t)i;
    char *text = all->count < MOST_HEADERS ? read_header(path) : NULL;
    if (text == NULL)
        return -1;
    const size_t number = all->count++;
    all->paths[number] = cli_text("%s", path);
    all->is_copied[number] = false;
    char *code = source_code(text), *with_copies = translated(all, text, path, true);
    bool includes_copy = false;
    for (size_t i = number + 1; i < all->count; i++)
        includes_copy = includes_copy || all->is_copied[i];
    if (launches_are_in(code) || includes_copy) {
        char *copy = copy_of(all, number);
        all->is_copied[number] = write_translated(copy, path, with_copies);
        free(copy);
    }
    free(with_copies);
    free(code);
    free(text);
    return (ptrdiff_t)number;
}

/* The name between quotes of an #include line; its length is 0 if the line is none. */
static const char *included_name(const char *line, const char *code_line, size_t *length) {
    const char *c = code_line + strspn(code_line, " \t");
    *length = 0;
    if (*c != '#')
        return NULL;
    c += 1 + strspn(c + 1, " \t");
    if (strncmp(c, "include", 7) != 0)
        return NULL;
    const char *quote = line + (c + 7 - code_line);
    quote += strspn(quote, " \t");
    const char *end = *quote == '"' ? strpbrk(quote + 1, "\"\n") : NULL;
    if (end == NULL || *end != '"')
        return NULL;
    *length = (size_t)(end - quote - 1);
    return quote + 1;
}

/* What to include instead, malloc'ed; NULL: the same. A copied header is in another folder than what it includes. */
static char *replacement(headers *all, const char *folder, const char *name, size_t length, bool is_header) {
    char *path = name[0] == '/' ? cli_text("%.*s", (int)length, name) : cli_text("%s/%.*s", folder, (int)length, name);
    char *resolved = realpath(path, NULL), *instead = NULL;
    const ptrdiff_t number = resolved != NULL ? add_header(all, resolved) : -1;
    if (number >= 0 && all->is_copied[number])
        instead = copy_of(all, (size_t)number);
    else if (resolved != NULL && is_header)
        instead = cli_text("%s", resolved);
    free(resolved);
    free(path);
    return instead;
}

static char *translated(headers *all, const char *text, const char *path, bool is_header) {
    char *code = source_code(text), *folder = folder_of(path), *made = NULL;
    size_t length = 0, size = 0;
    FILE *to = open_memstream(&made, &size);
    for (const char *line = text; to != NULL && *line != '\0';) {
        const char *end = line + strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        const char *name = included_name(line, code + (line - text), &length);
        char *instead = name != NULL ? replacement(all, folder, name, length, is_header) : NULL;
        if (instead != NULL)
            fprintf(to, "%.*s%s%.*s", (int)(name - line), line, instead, (int)(end - name - (ptrdiff_t)length),
                    name + length);
        else
            fwrite(line, 1, (size_t)(end - line), to);
        free(instead);
        line = end;
    }
    if (to != NULL)
        fclose(to);
    free(folder);
    free(code);
    return made != NULL ? made : cli_text("%s", text);
}

char *own_headers_translate(const char *text, const char *path, const char *folder) {
    headers all = {.folder = folder};
    char *made = translated(&all, text, path, false);
    for (size_t i = 0; i < all.count; i++)
        free(all.paths[i]);
    return made;
}
