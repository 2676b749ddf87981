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
static const char *const failures[] = {
    "failed",      "fail",         "fails",        "failure",       "failures",  "incorrect", "mismatch", "mismatches",
    "not correct", "wrong answer", "wrong result", "wrong results", "not match", "n't match", "not pass", "not ok"};
static const char *const nothing[] = {"0", "no", "not", "none", "never", "without", "zero"};
static const char *const places[] = {"at", "index", "element", "position"};
static const char *const success[] = {"ok", "pass", "passed", "success", "false", "no", "none"};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether one of the words is there, by itself. */
static bool has_word(const char *text, size_t length, const char *const *words, size_t count) {
    for (size_t start = 0; start < length; start++)
        for (size_t i = 0; i < count; i++) {
            const size_t end = start + strlen(words[i]);
            if (end <= length && strncasecmp(text + start, words[i], strlen(words[i])) == 0 &&
                (start == 0 || (!is_word(text[start - 1]) && text[start - 1] != '.')) &&
                (end == length || (!is_word(text[end]) && text[end] != '.')))
                return true;
        }
    return false;
}

/* "0 of 10 tests failed", "no mismatch", "none of them fails": what stands before, since the last comma or colon. */
static bool is_none_before(const char *line, const char *word) {
    const char *first = word;
    while (first > line && strchr(",;:|", first[-1]) == NULL)
        first--;
    return has_word(first, (size_t)(word - first), nothing, sizeof nothing / sizeof *nothing);
}

/* "mismatches found: 0", "failed: 0.00%", but not "mismatch: 0 != 5", "failed: 0.5" or "mismatch at 0". */
static bool ends_with_zero(const char *rest) {
    const char *number = rest + strcspn(rest, "0123456789\n");
    if (!isdigit((unsigned char)*number) || (number > rest && strchr("(-xX", number[-1]) != NULL) ||
        has_word(rest, (size_t)(number - rest), places, sizeof places / sizeof *places))
        return false;
    char *end;
    const double value = strtod(number, &end);
    return value == 0 && end[strcspn(end, "0123456789=\n")] == '\0';
}

/* "mismatch: OK", "failed: false" */
static bool is_success_behind(const char *rest) {
    return has_word(rest, strcspn(rest, ",;|"), success, sizeof success / sizeof *success);
}

static bool says_failure(const char *line) {
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const size_t length = strlen(failures[i]);
        for (const char *c = line; (c = strcasestr(c, failures[i])) != NULL; c++) {
            const char *rest = c + length;
            const bool is_alone = (c == line || !is_word(c[-1]) || *failures[i] == 'n') && !is_word(*rest) &&
                                  *rest != '-' && (c == line || c[-1] != '-');
            const bool is_none = *rest != ']' && (ends_with_zero(rest) || is_success_behind(rest));
            if (is_alone && !is_none && !is_none_before(line, c))
                return true;
        }
    }
    return strcasecmp(line, "wrong") == 0 || strcasecmp(line, "wrong!") == 0;
}

char *own_failure(const char *output) {
    char *found = NULL;
    for (size_t number = 1; *output != '\0' && found == NULL; number++) {
        const char *end = output + strcspn(output, "\n");
        const char *first = output + strspn(output, " \t");
        const size_t length = end > first && end[-1] == '\r' ? (size_t)(end - first) - 1
                              : end > first                  ? (size_t)(end - first)
                                                             : 0;
        char *line = cli_text("%.*s", (int)length, first);
        if (says_failure(line))
            found = cli_text("line %zu is '%.*s%s'", number, (int)MOST_SHOWN, line, length > MOST_SHOWN ? "..." : "");
        free(line);
        output = *end == '\n' ? end + 1 : end;
    }
    return found;
}
