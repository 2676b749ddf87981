#define _GNU_SOURCE
#include "output_difference.h"

#include "cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 60 };
static const double rounding = 1e-4; /* relative, of f32 sums in another order */

/* "0.5 s": the s stands behind a number. */
static bool is_behind_number(const char *line, const char *c) {
    while (c > line && c[-1] == ' ')
        c--;
    return c > line && isdigit((unsigned char)c[-1]);
}

/* Of lines that measure something. */
static bool is_about_time(const char *line) {
    static const char *const words[] = {
        "time",        "times",  "timing", "runtime", "elapsed", "took",      "duration",     "latency",
        "seconds",     "sec",    "secs",   "msec",    "usec",    "ms",        "milliseconds", "microseconds",
        "nanoseconds", "us",     "ns",     "s",       "gb/s",    "gbps",      "gib/s",        "mb/s",
        "flops",       "mflops", "gflops", "tflops",  "speedup", "bandwidth", "throughput"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        for (const char *c = line; (c = strcasestr(c, words[i])) != NULL; c++)
            if ((c == line || !isalpha((unsigned char)c[-1])) && !isalpha((unsigned char)c[length]) &&
                (length > 1 || is_behind_number(line, c)))
                return true;
    }
    return false;
}

/* Takes a number from each; whether they are the same but for rounding. */
static bool take_numbers(const char **first, const char **other) {
    char *ends[2];
    const double a = strtod(*first, &ends[0]), b = strtod(*other, &ends[1]);
    if (ends[0] == *first || ends[1] == *other)
        return false;
    const bool is_fraction = memchr(*first, '.', (size_t)(ends[0] - *first)) != NULL ||
                             memchr(*first, 'e', (size_t)(ends[0] - *first)) != NULL;
    const bool is_address = strncmp(*first, "0x", 2) == 0;
    if (!is_address && !(a == b) && !(is_fraction && fabs(a - b) <= rounding * (fabs(a) + fabs(b))))
        return false;
    *first = ends[0];
    *other = ends[1];
    return true;
}

static bool is_same_line(const char *a, const char *a_end, const char *b, const char *b_end) {
    char *first = cli_text("%.*s", (int)(a_end - a), a), *other = cli_text("%.*s", (int)(b_end - b), b);
    const char *c = first, *d = other;
    bool is_same = true;
    while (is_same && (*c != '\0' || *d != '\0')) {
        if (isdigit((unsigned char)*c) || isdigit((unsigned char)*d) || (*c == '-' && *d == '-' && c[1] != '-'))
            is_same = take_numbers(&c, &d) || (*c == *d && *c == '-' && (c++, d++, true));
        else if (*c == *d)
            c++, d++;
        else
            is_same = false;
    }
    is_same = is_same || is_about_time(first);
    free(other);
    free(first);
    return is_same;
}

static char *shown(const char *line, const char *end) {
    const size_t length = (size_t)(end - line);
    char *cut =
        cli_text("%.*s%s", (int)(length < MOST_SHOWN ? length : MOST_SHOWN), line, length < MOST_SHOWN ? "" : "...");
    return cut;
}

/* ---- Lines in another order: those that lanes print ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Cuts the text into its lines, and sorts them. */
static char **sorted_lines(char *text, size_t *count) {
    size_t most = 1;
    for (const char *c = text; *c != '\0'; c++)
        most += *c == '\n';
    char **lines = cli_allocate(most, sizeof *lines), *rest = text;
    *count = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        lines[(*count)++] = line;
    qsort(lines, *count, sizeof *lines, by_text);
    return lines;
}

static bool has_same_lines(const char *first, const char *other) {
    char *texts[2] = {cli_text("%s", first), cli_text("%s", other)};
    size_t counts[2];
    char **lines[2] = {sorted_lines(texts[0], &counts[0]), sorted_lines(texts[1], &counts[1])};
    bool is_same = counts[0] == counts[1];
    for (size_t i = 0; is_same && i < counts[0]; i++)
        is_same = is_same_line(lines[0][i], lines[0][i] + strlen(lines[0][i]), lines[1][i],
                               lines[1][i] + strlen(lines[1][i]));
    for (size_t i = 0; i < 2; i++) {
        free(lines[i]);
        free(texts[i]);
    }
    return is_same;
}

char *output_difference(const char *first, const char *other) {
    if (has_same_lines(first, other))
        return NULL;
    for (size_t line = 1; *first != '\0' || *other != '\0'; line++) {
        const char *first_end = first + strcspn(first, "\n"), *other_end = other + strcspn(other, "\n");
        if (!is_same_line(first, first_end, other, other_end)) {
            char *a = shown(first, first_end), *b = shown(other, other_end);
            char *difference = cli_text("line %zu is '%s', or '%s'", line, a, b);
            free(b);
            free(a);
            return difference;
        }
        first = *first_end == '\n' ? first_end + 1 : first_end;
        other = *other_end == '\n' ? other_end + 1 : other_end;
    }
    return NULL;
}
