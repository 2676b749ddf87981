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
    /* The compiler reads the file again: a pipe would be empty. */
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

/* The last character of the string at this position, or of the line if the string does not end in it. */
static char *string_end(char *c) {
    while (c[1] != '\0' && c[1] != '\n' && *++c != '"')
        if (*c == '\\' && c[1] != '\0')
            c++;
    return c;
}

/* The end of the comment or string that begins at c; else c. A " as a character, '"', begins no string. */
static char *end_of_words(const char *text, char *c) {
    const bool is_character = c > text && (c[-1] == '\'' || c[-1] == '\\');
    if (*c == '"' && !is_character)
        return string_end(c) + 1;
    if (strncmp(c, "//", 2) == 0)
        return c + strcspn(c, "\n");
    if (strncmp(c, "/*", 2) != 0)
        return c;
    char *last = strstr(c + 2, "*/");
    return last != NULL ? last + 2 : c + strlen(c);
}

/* Replaces comments and strings by blanks, so that their text is ignored. */
static void blank_words(char *text) {
    for (char *c = text; *c != '\0';) {
        char *end = end_of_words(text, c);
        if (end == c)
            c++;
        for (; c < end; c++)
            if (*c != '\n')
                *c = ' ';
    }
}

static bool has(const char *text, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0)
        return false;
    const bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

bool kernel_file_read(const char *path, kernel_file *file) {
    char *text = read_text(path);
    if (text == NULL)
        return false;
    *file = (kernel_file){.path = path};
    blank_words(text);
    const bool says_how = has(text, "^[[:blank:]]*WF_TRY(_ATOMIC)?[[:blank:]]*\\(");
    file->is_plain = !has(text, "\\<(tiled_index|array_view)\\>");
    file->has_launcher = has(text, "<<<|\\<main[[:blank:]]*\\(");
    free(text);
    if (!says_how)
        cli_error(
            "'%s' does not say how its kernel is launched: it needs a line WF_TRY(kernel, tile size, elements per "
            "tile) or WF_TRY_ATOMIC(kernel, tile size, tiles); wavefold try --new writes a file that has one",
            path);
    return says_how;
}
