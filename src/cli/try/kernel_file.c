#define _GNU_SOURCE
#include "kernel_file.h"

#include "cli/cli.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 20 }; /* no kernel is larger */

static char *read_text(const char *path) {
    struct stat status;
    /* The compiler reads it, too, and would wait for what has been read here. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        cli_error("'%s' is no regular file, and a kernel is read more than once; save it to a file first", path);
        return NULL;
    }
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        cli_error("cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = cli_allocate(MOST_BYTES + 1, 1);
    const size_t length = fread(text, 1, MOST_BYTES + 1, stream);
    const int error = ferror(stream) ? errno : 0;
    fclose(stream);
    if (error != 0)
        cli_error("cannot read '%s': %s", path, strerror(error));
    else if (length > MOST_BYTES)
        cli_error("'%s' has more than %d bytes, and is no kernel's source; give a smaller file", path, (int)MOST_BYTES);
    else if (memchr(text, '\0', length) != NULL)
        cli_error("'%s' is no file of source: it has a byte that is 0", path);
    else
        return text;
    free(text);
    return NULL;
}

/* The last character of the string that begins there, or of the line if it does not end in it. */
static char *string_end(char *c) {
    while (c[1] != '\0' && c[1] != '\n' && *++c != '"')
        if (*c == '\\' && c[1] != '\0')
            c++;
    return c;
}

/* Comments become blanks, so that what they say counts for nothing. */
static void blank_comments(char *text) {
    for (char *c = text; *c != '\0'; c++) {
        char *end = c;
        if (*c == '"') {
            c = string_end(c);
            continue;
        }
        if (strncmp(c, "//", 2) == 0)
            end = c + strcspn(c, "\n");
        else if (strncmp(c, "/*", 2) == 0)
            end = strstr(c, "*/") != NULL ? strstr(c, "*/") + 2 : c + strlen(c);
        for (; c < end; c++)
            if (*c != '\n')
                *c = ' ';
        if (*c == '\0')
            return;
    }
}

/* Where the pattern is found; group 1 of it, if the pattern has one, else all. Returns what follows, or NULL. */
static const char *find(const char *pattern, const char *text, const char **first, size_t *length) {
    regex_t compiled;
    regmatch_t groups[2] = {{0, 0}, {-1, -1}};
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE) != 0)
        return NULL;
    const bool found = regexec(&compiled, text, 2, groups, 0) == 0;
    regfree(&compiled);
    if (!found)
        return NULL;
    const regmatch_t *group = &groups[groups[1].rm_so >= 0];
    *first = text + group->rm_so;
    *length = (size_t)(group->rm_eo - group->rm_so);
    return text + groups[0].rm_eo;
}

/* A name may be declared in several functions. */
static void add_launched_array(kernel_file *file, const char *first, size_t length) {
    char *name = cli_text("%.*s", (int)length, first);
    size_t i = 0;
    while (file->launched_arrays[i] != NULL && strcmp(file->launched_arrays[i], name) != 0)
        i++;
    if (i < MOST_LAUNCHED_ARRAYS && file->launched_arrays[i] == NULL)
        file->launched_arrays[i] = name;
    else
        free(name);
}

/* A declaration may go over lines, and have several names. */
static void find_launched_arrays(const char *text, kernel_file *file) {
    static const char *const declares = "\\<extern([^;={]|\n)*[[:space:]]__shared__\\>",
                             *const name = "\\<([A-Za-z_][A-Za-z_0-9]*)[[:space:]]*\\[";
    const char *first;
    size_t length;
    while ((text = find(declares, text, &first, &length)) != NULL) {
        const char *const end = text + strcspn(text, ";=");
        for (const char *next = text; (next = find(name, next, &first, &length)) != NULL && next <= end;)
            add_launched_array(file, first, length);
        text = end;
    }
}

bool kernel_file_read(const char *path, kernel_file *file) {
    char *text = read_text(path);
    const char *first;
    size_t length;
    if (text == NULL)
        return false;
    *file = (kernel_file){.path = path};
    blank_comments(text);
    const bool says_how = find("^[[:blank:]]*WF_TRY(_ATOMIC)?[[:blank:]]*\\(", text, &first, &length) != NULL;
    file->is_plain = find("\\<(tiled_index|array_view)\\>", text, &first, &length) == NULL;
    find_launched_arrays(text, file);
    free(text);
    if (!says_how) {
        cli_error(
            "'%s' does not say how its kernel is launched: it needs a line WF_TRY(kernel, tile size, elements per "
            "tile) or WF_TRY_ATOMIC(kernel, tile size, tiles); wavefold try --new writes a file that has one",
            path);
        kernel_file_free(file);
    }
    return says_how;
}

void kernel_file_free(kernel_file *file) {
    for (char **name = file->launched_arrays; *name != NULL; name++)
        free(*name);
}
