#include "source_text.h"

#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool source_is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

size_t source_line(const char *text, const char *at) {
    size_t line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return line;
}

bool source_word_at(const char *text, const char *c, const char *word) {
    const size_t length = strlen(word);
    return strncmp(c, word, length) == 0 && !source_is_word(c[length]) && (c == text || !source_is_word(c[-1]));
}

const char *source_after_bracket(const char *open) {
    size_t depth = 0;
    for (const char *c = open; *c != '\0'; c++) {
        if (strchr("([{", *c) != NULL)
            depth++;
        else if (strchr(")]}", *c) != NULL && --depth == 0)
            return c + 1;
    }
    return NULL;
}

/* ---- What is no code ---- */

/* The end of a string or character: its quote, or the end of its line. */
static const char *quoted_end(const char *c) {
    const char quote = *c;
    for (c++; *c != '\0' && *c != '\n' && *c != quote; c++)
        if (*c == '\\' && c[1] != '\0')
            c++;
    return *c == quote ? c + 1 : c;
}

/* Of R"name(...)name", where c is the quote. */
static const char *raw_end(const char *c) {
    char last[20] = ")";
    const size_t length = strcspn(c + 1, "(");
    if (length > 16 || c[1 + length] != '(')
        return quoted_end(c);
    memcpy(last + 1, c + 1, length);
    last[1 + length] = '"';
    const char *end = strstr(c, last);
    return end != NULL ? end + length + 2 : c + strlen(c);
}

static const char *line_comment_end(const char *c) {
    for (; *c != '\0' && *c != '\n'; c++)
        if (*c == '\\' && c[1] == '\n')
            c++;
    return c;
}

/* The end of the comment, string or character that begins at c; else c. */
static const char *end_of_words(const char *text, const char *c) {
    const bool follows_word = c > text && source_is_word(c[-1]);
    if (*c == '"')
        return c > text && c[-1] == 'R' && (c == text + 1 || !source_is_word(c[-2]) || strchr("LuU8", c[-2]) != NULL)
                   ? raw_end(c)
                   : quoted_end(c);
    if (*c == '\'') /* in a number it separates digits */
        return follows_word && isxdigit((unsigned char)c[-1]) && source_is_word(c[1]) && c[2] != '\'' ? c
                                                                                                      : quoted_end(c);
    if (strncmp(c, "//", 2) == 0)
        return line_comment_end(c);
    if (strncmp(c, "/*", 2) != 0)
        return c;
    const char *last = strstr(c + 2, "*/");
    return last != NULL ? last + 2 : c + strlen(c);
}

char *source_code(const char *text) {
    char *code = cli_text("%s", text);
    for (const char *c = text; *c != '\0';) {
        const char *end = end_of_words(text, c);
        if (end == c)
            c++;
        for (; c < end; c++)
            if (*c != '\n')
                code[c - text] = ' ';
    }
    return code;
}

/* ---- Preprocessor lines ---- */

/* Blank up to the end of the line; one that ends with a backslash goes on in the next. */
static char *blank_line(char *c) {
    for (; *c != '\0' && *c != '\n'; c++) {
        if (*c == '\\' && c[1] == '\n')
            c++;
        else
            *c = ' ';
    }
    return c;
}

static const char *after_blanks(const char *c) {
    return c + strspn(c, " \t");
}

static bool begins(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0 && !source_is_word(text[strlen(word)]);
}

/* Whether a directive before `end` defines the name, or includes a file of the author's, which may. */
static bool may_be_defined(const char *code, const char *end, const char *name, size_t length) {
    for (const char *c = code; (c = memchr(c, '#', (size_t)(end - c))) != NULL; c++) {
        const char *word = after_blanks(c + 1);
        if (begins(word, "include") && *after_blanks(word + strlen("include")) != '<')
            return true;
        if (!begins(word, "define"))
            continue;
        const char *defined = after_blanks(word + strlen("define"));
        if (strncmp(defined, name, length) == 0 && !source_is_word(defined[length]))
            return true;
    }
    return false;
}

/* A name that nothing defines: of the author, for a build with -DNAME. Names of compilers, toolkits and system headers
 * begin as listed here. */
static bool is_undefined(const char *code, const char *directive, const char *name, size_t length) {
    static const char *const beginnings[] = {
        "_",    "WF_",  "CUDA",  "HIP",  "linux", "unix", "M_",   "INT", "UINT", "LONG",  "CHAR",   "SHRT",   "SIZE",
        "FLT_", "DBL_", "LDBL_", "NULL", "NAN",   "INF",  "HUGE", "EOF", "EXIT", "RAND_", "CLOCKS", "BUFSIZ", "assert"};
    bool is_known = length == 0;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        is_known = is_known || strncmp(name, beginnings[i], strlen(beginnings[i])) == 0;
    return !is_known && !may_be_defined(code, directive, name, length);
}

/* Of "ifdef NAME" and "if defined(NAME)": -1 if nothing defines the name; of their opposites then 1; else 0. */
static int condition_of_name(const char *code, const char *directive) {
    const char *c = directive;
    bool is_negated = begins(c, "ifndef");
    if (is_negated || begins(c, "ifdef")) {
        c = after_blanks(c + strlen(is_negated ? "ifndef" : "ifdef"));
    } else if (begins(c, "if")) {
        c = after_blanks(c + strlen("if"));
        is_negated = *c == '!';
        c = after_blanks(c + is_negated);
        if (!begins(c, "defined"))
            return 0;
        c = after_blanks(c + strlen("defined"));
        c = after_blanks(c + (*c == '('));
    }
    const char *name = c;
    while (source_is_word(*c))
        c++;
    const char *rest = after_blanks(c);
    rest = after_blanks(rest + (*rest == ')'));
    const bool is_alone = *rest == '\n' || *rest == '\r' || *rest == '\0';
    return !is_alone || !is_undefined(code, directive, name, (size_t)(c - name)) ? 0 : is_negated ? 1 : -1;
}

/* Whether the condition of an #if of any kind is known to be false or true: -1 or 1, else 0. */
static int known_condition(const char *code, const char *directive) {
    static const struct {
        const char *text;
        int is;
    } known[] = {{"if 0", -1},
                 {"if 1", 1},
                 {"ifdef WF_TRY", 1},
                 {"ifndef WF_TRY", -1},
                 {"if defined(WF_TRY)", 1},
                 {"if !defined(WF_TRY)", -1},
                 {"ifdef __CUDA_ARCH__", -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t length = strlen(known[i].text);
        if (strncmp(directive, known[i].text, length) == 0 && !source_is_word(directive[length]))
            return known[i].is;
    }
    return condition_of_name(code, directive);
}

void source_hide_directives(char *code) {
    enum { MOST = 64 };
    int conditions[MOST]; /* of the open #ifs; -1: this branch is not compiled */
    size_t depth = 0;
    char *original = cli_text("%s", code);
    for (char *line = code; *line != '\0';) {
        char *first = line + strspn(line, " \t");
        if (*first == '#') {
            const char *directive = first + 1 + strspn(first + 1, " \t");
            if (strncmp(directive, "if", 2) == 0) {
                if (depth < MOST)
                    conditions[depth] = known_condition(original, original + (directive - code));
                depth++;
            } else if (depth > 0 && depth <= MOST && strncmp(directive, "el", 2) == 0) {
                conditions[depth - 1] = strncmp(directive, "else", 4) == 0 ? -conditions[depth - 1] : 0;
            } else if (depth > 0 && strncmp(directive, "endif", 5) == 0) {
                depth--;
            }
            line = blank_line(first);
        } else {
            bool is_hidden = false;
            for (size_t i = 0; i < depth && i < MOST; i++)
                is_hidden = is_hidden || conditions[i] < 0;
            if (is_hidden)
                line = blank_line(first);
            else
                line += strcspn(line, "\n");
        }
        line += *line == '\n';
    }
    free(original);
}

/* ---- Launches ---- */

static void join(char *text, char *code, char bracket) {
    for (size_t i = 0; code[i] != '\0'; i++) {
        size_t end = i, count = 0;
        for (; count < 3 && (code[end] == bracket || (count > 0 && (code[end] == ' ' || code[end] == '\t'))); end++)
            count += code[end] == bracket;
        if (count < 3 || memcmp(text + i, code + i, end - i) != 0) /* else a string stands between */
            continue;
        char *const both[] = {text, code};
        for (size_t k = 0; k < 2; k++) {
            memset(both[k] + i, bracket, 3);
            memset(both[k] + i + 3, ' ', end - i - 3);
        }
        i = end - 1;
    }
}

void source_join_launches(char *text, char *code) {
    join(text, code, '<');
    if (strstr(code, "<<<") != NULL)
        join(text, code, '>');
}

/* The end of "(void *)", with const or without; NULL: there is another. */
static const char *cast_end(const char *open) {
    const char *end = *open == '(' ? source_after_bracket(open) : NULL;
    bool is_void = false;
    for (const char *c = open + 1; end != NULL && c < end - 1;) {
        const bool is_word = source_word_at(open, c, "void"), is_const = source_word_at(open, c, "const");
        if (!is_word && !is_const && strchr(" \t*", *c) == NULL)
            return NULL;
        is_void = is_void || is_word;
        c += is_word ? strlen("void") : is_const ? strlen("const") : 1;
    }
    return is_void ? end : NULL;
}

void source_uncast_kernels(char *text, char *code) {
    static const char *const calls[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchKernel",
                                        "hipLaunchCooperativeKernel"};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        for (const char *c = code; (c = strstr(c, calls[k])) != NULL; c += strlen(calls[k])) {
            const char *open = c + strlen(calls[k]);
            open += strspn(open, " \t\n");
            const char *cast = *open == '(' ? open + 1 + strspn(open + 1, " \t\n") : open;
            const char *end = *open == '(' && source_word_at(code, c, calls[k]) ? cast_end(cast) : NULL;
            if (end == NULL)
                continue;
            memset(text + (cast - code), ' ', (size_t)(end - cast));
            memset(code + (cast - code), ' ', (size_t)(end - cast));
        }
}

char *source_without_mark(char *text) {
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        memset(text, ' ', 3);
    return text;
}
