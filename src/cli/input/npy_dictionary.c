#include "npy_dictionary.h"

#include <stdio.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_space(cursor *c) {
    while (c->at < c->end && strchr(" \t\n\r\f", *c->at) != NULL && *c->at != '\0')
        c->at++;
}

static bool next_is(cursor *c, char wanted) {
    skip_space(c);
    return c->at < c->end && *c->at == wanted;
}

static bool take(cursor *c, char wanted) {
    bool found = next_is(c, wanted);
    c->at += found;
    return found;
}

static bool take_word(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* No escapes and no line ends: no key and no element type has them. */
static bool take_string(cursor *c, char *text, size_t size) {
    char quote = next_is(c, '"') ? '"' : '\'';
    size_t length = 0;
    if (!take(c, quote))
        return false;
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if (*c->at == '\\' || *c->at == '\n' || *c->at == '\0' || length + 1 == size)
            return false;
        text[length++] = *c->at;
    }
    text[length] = '\0';
    return take(c, quote);
}

static const char *parse_descr(npy_header *header, cursor *c) {
    if (next_is(c, '[')) { /* a structured type is not supported: the rest is not parsed */
        const char *bracket = memchr(c->at, ']', (size_t)(c->end - c->at));
        snprintf(header->descr, sizeof header->descr, "%.*s", (int)((bracket != NULL ? bracket + 1 : c->end) - c->at),
                 c->at);
        return NULL;
    }
    return take_string(c, header->descr, sizeof header->descr) ? NULL : "'descr' is no string";
}

static const char *parse_order(npy_header *header, cursor *c) {
    header->fortran_order = take_word(c, "True");
    return header->fortran_order || take_word(c, "False") ? NULL : "'fortran_order' is neither True nor False";
}

static const char *parse_dimension(cursor *c, uint64_t *dimension) {
    skip_space(c);
    const char *start = c->at;
    *dimension = 0;
    if (next_is(c, '-'))
        return "'shape' has a negative dimension";
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        uint64_t digit = (uint64_t)(*c->at - '0');
        if (*dimension > (UINT64_MAX - digit) / 10)
            return "'shape' has a dimension beyond 2^64";
        *dimension = *dimension * 10 + digit;
    }
    if (c->at == start)
        return "'shape' is no tuple of whole numbers";
    const char *end = c->at;
    c->at += c->at < c->end && *c->at == 'L'; /* Python 2 wrote long integers with L, and NumPy still reads it */
    return *start == '0' && end > start + 1 ? "'shape' has a number with a leading zero" : NULL;
}

static const char *parse_shape(npy_header *header, cursor *c) {
    bool comma = true, empty = false, overflow = false;
    header->count = 1;
    skip_space(c);
    const char *start = c->at;
    if (!take(c, '('))
        return "'shape' is no tuple";
    while (!next_is(c, ')')) {
        uint64_t dimension;
        if (!comma)
            return "'shape' lacks a comma or its closing parenthesis";
        const char *wrong = parse_dimension(c, &dimension);
        if (wrong != NULL)
            return wrong;
        if (header->dimensions < NPY_SIZES)
            header->sizes[header->dimensions] = dimension;
        header->dimensions++;
        header->last[1] = header->last[0];
        header->last[0] = dimension;
        if (dimension > 1 && header->long_shape.dimensions < NPY_DIMENSIONS) /* more are beyond 2^64 */
            header->long_shape.sizes[header->long_shape.dimensions++] = dimension;
        empty |= dimension == 0;
        if (dimension > 1 && header->count > UINT64_MAX / dimension)
            overflow = true;
        else if (dimension > 1)
            header->count *= dimension;
        comma = take(c, ',');
    }
    if (header->dimensions == 1 && !comma)
        return "'shape' is a number in parentheses, not a tuple: the comma is missing";
    if (empty)
        header->count = 0;
    else if (overflow)
        return "the product of 'shape' is beyond 2^64";
    if (!take(c, ')'))
        return "'shape' does not end";
    snprintf(header->shape, sizeof header->shape, "%.*s", (int)(c->at - start), start);
    return NULL;
}

const char *npy_header_parse(npy_header *header, const char *text, size_t length) {
    typedef const char *parse(npy_header *, cursor *);
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static parse *const parsers[] = {parse_descr, parse_order, parse_shape};
    bool seen[3] = {false, false, false}, comma = true;
    cursor c = {.at = text, .end = text + length};
    *header = (npy_header){.count = 0};
    if (!take(&c, '{'))
        return "it does not begin with {";
    while (!next_is(&c, '}')) {
        char key[NPY_DESCR];
        size_t i = 0;
        if (!comma)
            return "a comma or the closing } is missing";
        if (!take_string(&c, key, sizeof key) || !take(&c, ':'))
            return "a key is not a string with a colon after it, or the closing } is missing";
        while (i < 3 && strcmp(key, keys[i]) != 0)
            i++;
        if (i == 3 || seen[i])
            return "it has a key that is neither 'descr' nor 'fortran_order' nor 'shape', or one twice";
        seen[i] = true;
        const char *wrong = parsers[i](header, &c);
        if (wrong != NULL)
            return wrong;
        if (header->descr[0] == '[')
            return NULL;
        comma = take(&c, ',');
    }
    (void)take(&c, '}');
    skip_space(&c);
    if (c.at < c.end)
        return "something follows the closing }";
    return seen[0] && seen[1] && seen[2] ? NULL : "it lacks 'descr', 'fortran_order' or 'shape'";
}
