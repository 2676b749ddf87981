#define _GNU_SOURCE
#include "misfit.h"

#include "cli/cli.h"
#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parameters of a kernel of WF_TRY ---- */

/* What the parameters of a kernel of WF_TRY(...) are. */
static const struct {
    const char *expected;
    bool is_pointer;
} parameters[] = {{"const float *in", true}, {"float *out", true}, {"size_t n", false}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static const function *kernel_named(const kernel_file *file, const char *name, size_t length) {
    for (size_t i = 0; i < file->functions.count; i++) {
        const function *one = &file->functions.of[i];
        if (one->is_kernel && strlen(one->name) == length && strncmp(one->name, name, length) == 0)
            return one;
    }
    return NULL;
}

/* The kernel that the line WF_TRY(...) names. */
static const function *tried_kernel(const kernel_file *file) {
    for (const char *c = file->code; (c = strstr(c, "WF_TRY")) != NULL; c++) {
        const char *name = c + strcspn(c, "(\n");
        name += strspn(name, "(: ");
        size_t length = 0;
        while (source_is_word(name[length]))
            length++;
        const function *found = kernel_named(file, name, length);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The parameters' texts, separated by commas at the top; the count. */
static size_t split(const function *of, const char **first, size_t *length, size_t most) {
    const char *end = source_after_bracket(of->list) - 1, *begin = of->list + 1;
    size_t count = 0, angles = 0;
    for (const char *c = begin; c <= end; c++) {
        angles += *c == '<';
        angles -= *c == '>' && angles > 0;
        if (c < end && (*c != ',' || angles > 0))
            continue;
        begin += strspn(begin, " \t\r\n");
        if (count < most && (count > 0 || begin < c)) {
            first[count] = begin;
            length[count] = (size_t)(c - begin);
        }
        count += count > 0 || begin < c;
        begin = c + 1;
    }
    return count;
}

static bool has(const char *text, size_t length, const char *word) {
    for (const char *c = text; (c = strstr(c, word)) != NULL && c < text + length; c++)
        if (source_word_at(text, c, word))
            return true;
    return false;
}

static bool fits(size_t p, const char *text, size_t length) {
    const bool is_pointer = memchr(text, '*', length) != NULL || memchr(text, '[', length) != NULL;
    if (!parameters[p].is_pointer)
        return !is_pointer;
    return is_pointer && has(text, length, "float") && (p == 0 || !has(text, length, "const"));
}

static char *misfit_of_line(const kernel_file *file) {
    enum { MOST = 8 };
    const char *first[MOST];
    size_t length[MOST];
    const function *kernel = tried_kernel(file);
    if (kernel == NULL || kernel->is_template)
        return NULL;
    const size_t count = split(kernel, first, length, MOST);
    for (size_t p = 0; p < PARAMETERS && p < count; p++)
        if (!fits(p, first[p], length[p]))
            return cli_text("line %zu: parameter %zu of %s is '%.*s', and '%s' is expected", kernel->line, p + 1,
                            kernel->name, (int)length[p], first[p], parameters[p].expected);
    if (count != PARAMETERS)
        return cli_text(
            "line %zu: %s has %zu parameter%s, and three are expected: const float *in, float *out, size_t n",
            kernel->line, kernel->name, count, count == 1 ? "" : "s");
    return NULL;
}

/* ---- Arguments of a launch ---- */

/* The text between quotes behind `head`, or NULL. */
static char *quoted_behind(const char *text, const char *head) {
    const char *found = strstr(text, head), *open = found != NULL ? strchr(found + strlen(head) - 1, '\'') : NULL;
    const char *close = open != NULL ? strchr(open + 1, '\'') : NULL;
    return close != NULL && close - found < 4096 ? cli_text("%.*s", (int)(close - open - 1), open + 1) : NULL;
}

/* "void k(const float*, int)" as "k"; the text is changed. */
static const char *name_in(char *signature) {
    char *end = signature + strcspn(signature, "(<");
    *end = '\0';
    const char *blank = strrchr(signature, ' ');
    return blank != NULL ? blank + 1 : signature;
}

/* gcc: "cannot convert 'float* const' to 'int*'", "initializing argument 2 of 'void k(...)'". clang: "no known
 * conversion from 'float *const' to 'int *' for 2nd argument". */
static char *wrong_argument(const compiler_messages *of) {
    static const char *const froms[] = {"cannot convert '", "invalid conversion from '", "no known conversion from '"};
    char *given = NULL;
    for (size_t i = 0; given == NULL && i < sizeof froms / sizeof *froms; i++)
        given = quoted_behind(of->block, froms[i]);
    char *expected = quoted_behind(of->block, "' to '"), *made = NULL;
    const char *number = strstr(of->block, "initializing argument ");
    char *signature = number != NULL ? quoted_behind(number, " of '") : quoted_behind(of->block, "call to '");
    number = number != NULL ? number + strlen("initializing argument ") : strstr(of->block, "' for ");
    if (number != NULL && strncmp(number, "' for ", 6) == 0)
        number += 6;
    const unsigned long place = number != NULL ? strtoul(number, NULL, 10) : 0;
    if (given != NULL && expected != NULL && signature != NULL && place != 0)
        made = cli_text("line %zu: argument %lu of %s is '%s', and '%s' is expected", of->line, place,
                        name_in(signature), given, expected);
    free(signature);
    free(expected);
    free(given);
    return made;
}

/* gcc: "too few arguments to function 'void k(...)'". */
static char *wrong_count(const compiler_messages *of) {
    const bool is_few = strncmp(of->error, "too few arguments to function ", 30) == 0;
    const bool is_many = strncmp(of->error, "too many arguments to function ", 31) == 0;
    char *signature = is_few || is_many ? quoted_behind(of->error, "function '") : NULL;
    char *made = signature != NULL
                     ? cli_text("line %zu: too %s arguments for %s", of->line, is_few ? "few" : "many", signature)
                     : NULL;
    free(signature);
    return made;
}

char *misfit_of(const kernel_file *file, const compiler_messages *messages) {
    if (messages->error == NULL || messages->block == NULL)
        return NULL;
    if (strstr(messages->error, "a kernel that is tried takes") != NULL)
        return misfit_of_line(file);
    if (messages->line == 0)
        return NULL;
    char *count = wrong_count(messages);
    return count != NULL ? count : wrong_argument(messages);
}
