#define _GNU_SOURCE
#include "compiler_messages.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 22, MOST_MARKED = 6 };

int compiler_messages_open(void) {
    return memfd_create("messages", MFD_CLOEXEC);
}

char *compiler_messages_text(int file) {
    char *text = cli_allocate(MOST_BYTES + 1, 1);
    const ssize_t length = pread(file, text, MOST_BYTES, 0);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

/* ---- Lines ---- */

typedef struct lines {
    char **of; /* point into the text */
    size_t count;
} lines;

static lines lines_of(char *text) {
    lines made = {NULL, 0};
    for (const char *c = text; *c != '\0'; c++)
        made.count += *c == '\n';
    made.of = cli_allocate(made.count + 1, sizeof *made.of);
    made.count = 0;
    for (char *line, *rest = text; (line = strsep(&rest, "\n")) != NULL;)
        if (rest != NULL || *line != '\0')
            made.of[made.count++] = line;
    return made;
}

/* "   12 |   sum += inn[i];" and what stands below: the source that a message is about. */
static bool is_marked(const char *line) {
    const char *c = line + strspn(line, " ");
    c += strspn(c, "0123456789");
    c += strspn(c, " ");
    return c > line && *c == '|';
}

static bool is_error(const char *line) {
    return strstr(line, ": error: ") != NULL || strstr(line, ": fatal error: ") != NULL ||
           strstr(line, ": undefined reference to ") != NULL || strstr(line, ": multiple definition of ") != NULL;
}

static bool is_note(const char *line) {
    return strstr(line, ": note: ") != NULL;
}

/* The number behind "PATH:"; 0: the line does not name the path. */
static size_t line_behind(const char *line, const char *path) {
    const size_t length = strlen(path);
    for (const char *c = line; (c = strstr(c, path)) != NULL; c++)
        if ((c == line || strchr(" /(", c[-1]) != NULL) && c[length] == ':')
            return strtoul(c + length + 1, NULL, 10);
    return 0;
}

/* Linkers leave the folder out. */
static size_t line_of_path(const char *line, const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t number = line_behind(line, path);
    return number == 0 && slash != NULL ? line_behind(line, slash + 1) : number;
}

/* ---- The first error ---- */

/* Ends before the next error or warning. */
static size_t end_of_error(const lines *of, size_t first) {
    size_t end = first + 1;
    while (end < of->count && !is_error(of->of[end]) && strstr(of->of[end], ": warning: ") == NULL &&
           strstr(of->of[end], ": In ") == NULL)
        end++;
    return end;
}

static size_t first_error(const lines *of) {
    size_t first = 0;
    while (first < of->count && !is_error(of->of[first]))
        first++;
    return first;
}

static void write_marked(FILE *to, const lines *of, size_t line) {
    fprintf(to, "%s\n", of->of[line]);
    for (size_t i = line + 1; i < of->count && i <= line + MOST_MARKED && is_marked(of->of[i]); i++)
        fprintf(to, "%s\n", of->of[i]);
}

/* What names the user's file: the error, a note of it, or how the compiler came there. */
static size_t find_users_line(const lines *of, size_t first, size_t end, const char *path, size_t *number) {
    for (size_t i = first; i < end; i++)
        if (!is_marked(of->of[i]) && (*number = line_of_path(of->of[i], path)) != 0)
            return i;
    for (size_t i = first; i-- > 0 && !is_error(of->of[i]);)
        if (!is_marked(of->of[i]) && (*number = line_of_path(of->of[i], path)) != 0)
            return i;
    return of->count;
}

static void write_first(FILE *to, const lines *of, size_t first, const char *path, size_t *number) {
    const size_t end = end_of_error(of, first), users = find_users_line(of, first, end, path, number);
    size_t note = first + 1;
    while (note < end && !is_note(of->of[note]))
        note++;
    if (users < first)
        fprintf(to, "%s\n", of->of[users]);
    write_marked(to, of, first);
    if (note < end)
        write_marked(to, of, note);
    if (users < of->count && users > first && users != note)
        write_marked(to, of, users);
}

static char *sentence_of(const char *line) {
    static const char *const heads[] = {": fatal error: ", ": error: "};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const char *found = strstr(line, heads[i]);
        if (found != NULL)
            return cli_text("%s", found + strlen(heads[i]));
    }
    const char *last = strstr(line, ": undefined reference");
    last = last != NULL ? last : strstr(line, ": multiple definition");
    return cli_text("%s", last != NULL ? last + 2 : line);
}

/* gcc: "x.h: No such file or directory"; clang: "'x.h' file not found". */
static char *missing_of(const char *sentence) {
    const char *gcc = strstr(sentence, ": No such file or directory"), *clang = strstr(sentence, "' file not found");
    if (gcc != NULL)
        return cli_text("%.*s", (int)(gcc - sentence), sentence);
    if (clang != NULL && sentence[0] == '\'')
        return cli_text("%.*s", (int)(clang - sentence - 1), sentence + 1);
    return NULL;
}

/* A linker names a function that is missing at each of its uses. */
static bool is_another(const char *line, const char *first) {
    if (!is_error(line) || strstr(line, "ld returned") != NULL || strstr(line, "linker command failed") != NULL ||
        strstr(line, "too many errors") != NULL)
        return false;
    char *sentence = sentence_of(line);
    const bool is_other = strcmp(sentence, first) != 0;
    free(sentence);
    return is_other;
}

static char *block_of(const lines *of, size_t first) {
    char *block = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&block, &length);
    for (size_t i = first; to != NULL && i < end_of_error(of, first); i++)
        fprintf(to, "%s\n", of->of[i]);
    if (to != NULL)
        fclose(to);
    return block;
}

compiler_messages compiler_messages_read(const char *text, const char *path) {
    compiler_messages made = {.shown = NULL};
    char *copy = cli_text("%s", text);
    lines of = lines_of(copy);
    const size_t first = first_error(&of);
    size_t length = 0;
    FILE *shown = open_memstream(&made.shown, &length);
    if (first < of.count) {
        if (shown != NULL)
            write_first(shown, &of, first, path, &made.line);
        made.error = sentence_of(of.of[first]);
        made.missing = missing_of(made.error);
        made.block = block_of(&of, first);
        for (size_t i = first + 1; i < of.count; i++)
            made.more += is_another(of.of[i], made.error);
    } else if (shown != NULL) {
        for (size_t i = 0; i < of.count && i < MOST_MARKED; i++)
            fprintf(shown, "%s\n", of.of[i]);
    }
    if (shown != NULL)
        fclose(shown);
    free(of.of);
    free(copy);
    return made;
}

void compiler_messages_free(compiler_messages *of) {
    free(of->missing);
    free(of->block);
    free(of->error);
    free(of->shown);
}
