#define _GNU_SOURCE
#include "own_check.h"

#include "cli/cli.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 60 };

/* "error" is none: lines that give an error of 1e-7 are no failures. */
static const char *const words[] = {"failed",       "fail",          "fails",       "failure",
                                    "incorrect",    "mismatch",      "mismatches",  "not correct",
                                    "wrong answer", "wrong results", "wrong result"};

static const char *skip(const char *c, const char *characters) {
    return c + strspn(c, characters);
}

/* "failed: 0", but not "failed: 0.5". */
static bool is_none_behind(const char *c) {
    c = skip(c, " \t:=()");
    return *c == '0' && !isdigit((unsigned char)c[1]) && c[1] != '.' && c[1] != 'x';
}

/* "0 failed", "no mismatch". */
static bool is_none_before(const char *line, const char *c) {
    static const char *const none[] = {"0", "no", "not", "none", "never", "without", "zero"};
    while (c > line && (c[-1] == ' ' || c[-1] == '\t'))
        c--;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const size_t length = strlen(none[i]);
        if ((size_t)(c - line) >= length && strncasecmp(c - length, none[i], length) == 0 &&
            ((size_t)(c - line) == length ||
             (!isalnum((unsigned char)c[-1 - (ptrdiff_t)length]) && c[-1 - (ptrdiff_t)length] != '.')))
            return true;
    }
    return false;
}

static bool says_failure(const char *line) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        for (const char *c = line; (c = strcasestr(c, words[i])) != NULL; c++)
            if ((c == line || !isalpha((unsigned char)c[-1])) && !isalpha((unsigned char)c[length]) &&
                !is_none_before(line, c) && !is_none_behind(c + length))
                return true;
    }
    return false;
}

char *own_failure(const char *output) {
    char *found = NULL;
    for (size_t number = 1; *output != '\0' && found == NULL; number++) {
        const char *end = output + strcspn(output, "\n");
        char *line = cli_text("%.*s", (int)(end - output), output);
        const char *text = skip(line, " \t");
        if (says_failure(text))
            found =
                cli_text("line %zu is '%.*s%s'", number, (int)MOST_SHOWN, text, strlen(text) > MOST_SHOWN ? "..." : "");
        free(line);
        output = *end == '\n' ? end + 1 : end;
    }
    return found;
}
