#define _GNU_SOURCE
#include "functions.h"

#include "cli/cli.h"
#include "source_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *code;
    functions found;
} reader;

static const char *skip_blanks(const char *c) {
    return c + strspn(c, " \t\r\n\v\f");
}

static bool has_word(const char *code, const char *first, const char *end, const char *word) {
    for (const char *c = first; (c = strstr(c, word)) != NULL && c < end; c++)
        if (source_word_at(code, c, word))
            return true;
    return false;
}

static char *text_between(const char *first, const char *end) {
    return cli_text("%.*s", (int)(end - first), first);
}

/* The last word before `end`, without brackets behind it as in "float *in[]"; "" if there is none. */
static char *last_word(const char *first, const char *end) {
    while (end > first && !source_is_word(end[-1]))
        end--;
    const char *word = end;
    while (word > first && source_is_word(word[-1]))
        word--;
    return text_between(word, end);
}

/* The names of the parameters between the brackets at `open` and before `end`. */
static char *parameter_names(const char *open, const char *end) {
    char *names = cli_text("%s", ""), *joined;
    const char *first = open + 1;
    size_t angles = 0;
    for (const char *c = first; c < end; c++) {
        const char *behind = strchr("([{", *c) != NULL ? source_after_bracket(c) : NULL;
        if (behind != NULL && behind < end) {
            c = behind - 1;
            continue;
        }
        angles += *c == '<';
        angles -= *c == '>' && angles > 0;
        const bool is_last = c + 1 == end;
        if (!(*c == ',' && angles == 0) && !is_last)
            continue;
        const char *stop = memchr(first, '=', (size_t)(c - first));
        const char *bound = stop != NULL ? stop : is_last && *c != ')' ? c + 1 : c;
        const char *square = memchr(first, '[', (size_t)(bound - first));
        char *name = last_word(first, square != NULL ? square : bound);
        joined = cli_text("%s%s%s", names, *names != '\0' ? "," : "", name);
        free(name);
        free(names);
        names = joined;
        first = c + 1;
    }
    return names;
}

static void add_function(reader *in, const char *head, const char *list, const char *body, const char *end,
                         bool is_inner) {
    const char *code = in->code, *name_end = list;
    while (name_end > head && !source_is_word(name_end[-1]))
        name_end--;
    function one = {.head = head, .list = list, .body = body, .end = end, .is_inner = is_inner};
    one.name = last_word(head, name_end);
    const char *name = name_end - strlen(one.name), *list_end = source_after_bracket(list);
    one.line = source_line(code, name);
    one.parameters = parameter_names(list, list_end - 1);
    one.is_kernel = has_word(code, head, name, "__global__");
    one.is_device = has_word(code, head, name, "__device__");
    one.is_template = has_word(code, head, name, "template");
    one.is_void = has_word(code, head, name, "void") && memchr(head, '*', (size_t)(name - head)) == NULL;
    one.has_pointer = memchr(list, '*', (size_t)(list_end - list)) != NULL;
    one.launches = memmem(body, (size_t)(end - body), "<<<", 3) != NULL ||
                   memmem(body, (size_t)(end - body), "<< <", 4) != NULL ||
                   has_word(code, body, end, "hipLaunchKernelGGL") || has_word(code, body, end, "cudaLaunchKernel");
    functions *to = &in->found;
    function *more = cli_allocate(to->count + 1, sizeof *more);
    if (to->count > 0)
        memcpy(more, to->of, to->count * sizeof *more);
    free(to->of);
    to->of = more;
    to->of[to->count++] = one;
}

/* Where the parameters of a definition begin whose body is at `body`: the first round bracket at this level whose word
 * is no specifier. NULL: what begins at head defines no function. */
static const char *parameter_list(const char *code, const char *head, const char *body) {
    static const char *const specifiers[] = {"__launch_bounds__", "__attribute__", "__align__", "alignas",
                                             "decltype",          "noexcept",      "requires",  "__declspec"};
    size_t angles = 0;
    for (const char *c = head; c < body; c++) {
        if (*c == '=' && angles == 0) /* a variable */
            return NULL;
        angles += *c == '<';
        angles -= *c == '>' && angles > 0;
        if (*c != '(')
            continue;
        const char *behind = source_after_bracket(c);
        if (behind == NULL || behind > body)
            return NULL;
        const char *word_end = c;
        while (word_end > head && strchr(" \t\n", word_end[-1]) != NULL)
            word_end--;
        const char *word = word_end;
        while (word > head && source_is_word(word[-1]))
            word--;
        bool is_specifier = word == word_end || angles > 0;
        for (size_t i = 0; i < sizeof specifiers / sizeof *specifiers; i++)
            is_specifier = is_specifier || source_word_at(code, word, specifiers[i]);
        if (!is_specifier)
            return c;
        c = behind - 1;
    }
    return NULL;
}

/* Reads definitions from c to the end, or to the bracket that closes a namespace; returns where it ends. */
static const char *read_level(reader *in, const char *c, bool is_inner) {
    const char *head = c = skip_blanks(c);
    while (*c != '\0' && *c != '}') {
        if (*c == ';') {
            head = skip_blanks(++c);
        } else if (*c == '{') {
            const char *after = source_after_bracket(c);
            if (after == NULL)
                return c + strlen(c);
            const bool is_namespace = has_word(in->code, head, c, "namespace");
            const char *list = is_namespace ? NULL : parameter_list(in->code, head, c);
            const bool is_linkage =
                !is_namespace && list == NULL && source_word_at(in->code, head, "extern") && skip_blanks(head + 6) == c;
            if (is_namespace || is_linkage) {
                char *name = last_word(head, c);
                read_level(in, c + 1, is_inner || (is_namespace && strcmp(name, "namespace") != 0));
                free(name);
            } else if (list != NULL) {
                add_function(in, head, list, c, after, is_inner);
            }
            c = after;
            if (is_namespace || is_linkage || list != NULL)
                head = skip_blanks(c);
        } else if (*c == '(' || *c == '[') {
            const char *after = source_after_bracket(c);
            if (after == NULL)
                return c + strlen(c);
            c = after;
            if (strncmp(head, "WF_TRY", 6) == 0) /* a line of its own, without a semicolon */
                head = skip_blanks(c);
        } else {
            c++;
        }
        if (head > c)
            c = head;
    }
    return c;
}

/* A definition that read_level missed: operators' names, macros without a semicolon and branches of the preprocessor
 * hide what stands behind them. */
static void find_by_name(reader *in, const char *name) {
    if (function_named(&in->found, name) != NULL)
        return;
    for (const char *c = in->code; (c = strstr(c, name)) != NULL; c++) {
        const char *list = skip_blanks(c + strlen(name));
        const char *behind = source_word_at(in->code, c, name) && *list == '(' ? source_after_bracket(list) : NULL;
        const char *body = behind != NULL ? skip_blanks(behind) : NULL, *head = c;
        if (body == NULL || *body != '{')
            continue;
        while (head > in->code && strchr(";}\n", head[-1]) == NULL)
            head--;
        const char *end = source_after_bracket(body);
        add_function(in, head, list, body, end != NULL ? end : in->code + strlen(in->code), false);
        return;
    }
}

functions functions_of(const char *code) {
    reader in = {.code = code};
    const char *c = code;
    while (*(c = read_level(&in, c, false)) == '}') /* one too many, of a branch that the preprocessor takes out */
        c++;
    static const char *const entries[] = {"main", "solve", "solution"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        find_by_name(&in, entries[i]);
    return in.found;
}

void functions_free(functions *of) {
    for (size_t i = 0; i < of->count; i++) {
        free(of->of[i].name);
        free(of->of[i].parameters);
    }
    free(of->of);
}

const function *function_named(const functions *of, const char *name) {
    for (size_t i = 0; i < of->count; i++)
        if (strcmp(of->of[i].name, name) == 0)
            return &of->of[i];
    return NULL;
}

bool function_has_word(const char *code, const function *of, const char *word) {
    return has_word(code, of->body, of->end, word);
}
