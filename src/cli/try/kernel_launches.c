#include "kernel_launches.h"

#include "source_text.h"

#include <stddef.h>
#include <string.h>

/* Offsets in the text. */
typedef struct launch {
    size_t kernel, kernel_end; /* the expression before <<< */
    size_t shape, shape_end;   /* between <<< and >>> */
    size_t first, end;         /* between the brackets of the arguments */
} launch;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\';
}

/* Where the bracket before `end` opens; -1: nowhere. Angle brackets are no others than those of a template. */
static ptrdiff_t opening(const char *code, ptrdiff_t end) {
    const bool is_angle = code[end - 1] == '>';
    ptrdiff_t depth = 0;
    for (ptrdiff_t i = end - 1; i >= 0; i--) {
        const char c = code[i];
        if (c == ';' || (is_angle && (c == '{' || c == '}')))
            return -1;
        if (strchr(is_angle ? ">)]" : ")]}", c) != NULL && c != '\0')
            depth++;
        else if (strchr(is_angle ? "<([" : "([{", c) != NULL && c != '\0' && --depth == 0)
            return i;
    }
    return -1;
}

/* The beginning of the kernel's name: of `ns::name<a, b>`, `table[i]`, `(pointer)` or `object->kernel`. */
static ptrdiff_t kernel_begin(const char *code, ptrdiff_t end) {
    ptrdiff_t first = end;
    for (;;) {
        ptrdiff_t word = first;
        while (word > 0 && strchr(">)]", code[word - 1]) != NULL) {
            const ptrdiff_t open = opening(code, word);
            if (open < 0)
                return -1;
            word = open;
            while (word > 0 && code[word - 1] == ' ' && code[open] == '<')
                word--;
        }
        while (word > 0 && source_is_word(code[word - 1]))
            word--;
        if (word == first)
            return first < end ? first : -1;
        first = word;
        if (first >= 2 && (strncmp(code + first - 2, "::", 2) == 0 || strncmp(code + first - 2, "->", 2) == 0))
            first -= 2;
        else if (first >= 1 && code[first - 1] == '.')
            first -= 1;
        else
            return first;
    }
}

/* Behind <<< or >>>, which formatters write as << <; NULL: c is at none. */
static const char *behind_brackets(const char *c, const char *two) {
    if (strncmp(c, two, 2) != 0)
        return NULL;
    const char *last = c + 2 + strspn(c + 2, " ");
    return *last == two[0] && last[1] != two[0] && last[1] != '=' ? last + 1 : NULL;
}

/* The >>> that ends what begins at c, at its level; NULL: none does. */
static const char *shape_end(const char *c) {
    while (*c != '\0' && *c != ';' && *c != '}' && *c != ')' && *c != ']') {
        if (behind_brackets(c, ">>") != NULL)
            return c;
        const char *behind = strchr("([{", *c) != NULL ? source_after_bracket(c) : NULL;
        c = behind != NULL ? behind : c + 1;
    }
    return NULL;
}

/* The launch whose <<< is at `at`; false if it is none. */
static bool read_launch(const char *code, size_t at, launch *of) {
    ptrdiff_t end = (ptrdiff_t)at;
    while (end > 0 && is_blank(code[end - 1]))
        end--;
    const ptrdiff_t first = kernel_begin(code, end);
    const char *shape = behind_brackets(code + at, "<<"), *behind = shape_end(shape);
    if (first < 0 || behind == NULL)
        return false;
    const char *open = behind_brackets(behind, ">>");
    while (is_blank(*open))
        open++;
    const char *last = *open == '(' ? source_after_bracket(open) : NULL;
    if (last == NULL)
        return false;
    *of = (launch){(size_t)first,
                   (size_t)end,
                   (size_t)(shape - code),
                   (size_t)(behind - code),
                   (size_t)(open + 1 - code),
                   (size_t)(last - 1 - code)};
    return true;
}

/* Without ends of lines. */
static void write_flat(FILE *to, const char *text, size_t first, size_t end, bool is_string) {
    for (size_t i = first; i < end; i++) {
        if (is_string && (text[i] == '"' || text[i] == '\\'))
            fputc('\\', to);
        fputc(text[i] == '\n' || (text[i] == '\\' && text[i + 1] == '\n') ? ' ' : text[i], to);
    }
}

/* In a macro's definition each line but the last ends with a backslash. */
static void write_ends(FILE *to, const char *text, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (text[i] == '\n')
            fputs(i > 0 && text[i - 1] == '\\' ? "\\\n" : "\n", to);
}

static bool has_code(const char *text, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (!is_blank(text[i]))
            return true;
    return false;
}

static void write_between(FILE *to, const char *text, const char *code, size_t first, size_t end);

/* NULL is a number once it has been passed on. */
static void write_argument(FILE *to, const char *text, const char *code, size_t first, size_t end) {
    const size_t word = first + strspn(code + first, " \t\r\n");
    const bool is_null = word < end && source_word_at(code, code + word, "NULL") && !has_code(code, word + 4, end);
    if (!is_null) {
        write_between(to, text, code, first, end);
        return;
    }
    fwrite(text + first, 1, word - first, to);
    fputs("nullptr", to);
    fwrite(text + word + 4, 1, end - word - 4, to);
}

static void write_arguments(FILE *to, const char *text, const char *code, size_t first, size_t end) {
    if (!has_code(code, first, end) && !has_code(text, first, end))
        return;
    fputs(", ", to);
    for (size_t i = first; i < end; i++) {
        const char *behind = code[i] != '\0' && strchr("([{", code[i]) != NULL ? source_after_bracket(code + i) : NULL;
        if (behind != NULL) {
            i = (size_t)(behind - code) - 1;
        } else if (code[i] == ',') {
            write_argument(to, text, code, first, i);
            fputc(',', to);
            first = i + 1;
        }
    }
    write_argument(to, text, code, first, end);
}

static void write_launch(FILE *to, const char *text, const char *code, const launch *of, size_t line) {
    fputs("::wf::tried::launch(\"", to);
    write_flat(to, code, of->kernel, of->kernel_end, true);
    fprintf(to, "\", %zu, ::wf::tried::launch_shape(", line);
    write_between(to, text, code, of->shape, of->shape_end);
    fputs("), [&](const auto &...wf_of) __attribute__((no_sanitize(\"thread\"))) { ", to);
    write_flat(to, code, of->kernel, of->kernel_end, false);
    fputs("(wf_of...); }", to);
    write_ends(to, text, of->kernel, of->shape); /* the lines of its name, which stands on one here */
    write_ends(to, text, of->shape_end, of->first);
    write_arguments(to, text, code, of->first, of->end);
    fputc(')', to);
}

static void write_between(FILE *to, const char *text, const char *code, size_t first, size_t end) {
    size_t written = first;
    for (size_t i = first; i + 3 <= end; i++) {
        launch of;
        if (behind_brackets(code + i, "<<") == NULL || !read_launch(code, i, &of) || of.kernel < written ||
            of.end >= end + 1)
            continue;
        fwrite(text + written, 1, of.kernel - written, to);
        write_launch(to, text, code, &of, source_line(code, code + i));
        i = of.end;
        written = of.end + 1;
    }
    fwrite(text + written, 1, end - written, to);
}

void launches_write(FILE *to, const char *text, const char *code) {
    write_between(to, text, code, 0, strlen(text));
}

bool launches_are_in(const char *code) {
    for (const char *c = code; (c = strstr(c, "<<")) != NULL; c++)
        if (behind_brackets(c, "<<") != NULL)
            return true;
    return false;
}
