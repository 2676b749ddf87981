#include "host_arrays.h"

#include "source_text.h"

#include <string.h>

static const char *behind_blanks(const char *c) {
    return c + strspn(c, " \t\r\n");
}

/* The comma or bracket that ends the argument. */
static const char *argument_end(const char *c) {
    while (*c != ',' && *c != ')' && *c != '\0') {
        const char *behind = strchr("([{", *c) != NULL ? source_after_bracket(c) : NULL;
        c = behind != NULL ? behind : c + 1;
    }
    return c;
}

static bool is_parameter(const function *of, const char *word, size_t length) {
    for (const char *c = of->parameters; *c != '\0'; c += *c == ',') {
        const size_t name = strcspn(c, ",");
        if (name == length && strncmp(c, word, length) == 0)
            return true;
        c += name;
    }
    return false;
}

/* The arguments of cudaMemcpy() and its kind: target, source, bytes, direction. */
static bool copies_parameter(const char *open, const function *of) {
    const char *source = argument_end(open + 1);
    if (*source != ',')
        return false;
    source = behind_blanks(source + 1);
    while (*source == '(') { /* a cast */
        const char *behind = source_after_bracket(source);
        if (behind == NULL)
            return false;
        source = behind_blanks(behind);
    }
    size_t length = 0;
    while (source_is_word(source[length]))
        length++;
    const char *direction = argument_end(source);
    direction = *direction == ',' ? argument_end(direction + 1) : direction;
    if (*direction != ',' || !is_parameter(of, source, length))
        return false;
    direction = behind_blanks(direction + 1);
    return source_word_at(open, direction, "cudaMemcpyHostToDevice") ||
           source_word_at(open, direction, "hipMemcpyHostToDevice");
}

bool takes_host_arrays(const char *code, const function *of) {
    static const char *const names[] = {"cudaMemcpy", "cudaMemcpyAsync", "hipMemcpy", "hipMemcpyAsync"};
    for (const char *c = of->body; c < of->end; c++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (!source_word_at(code, c, names[i]))
                continue;
            const char *open = behind_blanks(c + strlen(names[i]));
            if (*open == '(' && copies_parameter(open, of))
                return true;
        }
    return false;
}
