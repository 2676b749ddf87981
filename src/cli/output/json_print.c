/* jansson writes every real with one precision, 17 digits by default: 0.1 would be 0.10000000000000001. */
#include "json_print.h"

#include "oracle/value.h"

#include <string.h>

static void start_line(int depth, FILE *stream) {
    enum { INDENT = 2 };
    fprintf(stream, "\n%*s", INDENT * depth, "");
}

/* With a point or an exponent, so that a reader takes it for a real. */
static void print_real(double number, FILE *stream) {
    char text[VALUE_TEXT];
    value_format_shortest(WF_F64, value_of_double(WF_F64, number), text);
    fprintf(stream, "%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

static bool print_key(const char *key, FILE *stream) {
    json_t *string = json_string(key);
    const bool printed = json_dumpf(string, stream, JSON_ENCODE_ANY) == 0;
    json_decref(string);
    fputs(": ", stream);
    return printed;
}

static bool print_value(json_t *element, int depth, FILE *stream);

static bool print_array(json_t *array, int depth, FILE *stream) {
    bool printed = true;
    fputc('[', stream);
    for (size_t i = 0; i < json_array_size(array) && printed; i++) {
        fputs(i != 0 ? "," : "", stream);
        start_line(depth + 1, stream);
        printed = print_value(json_array_get(array, i), depth + 1, stream);
    }
    if (json_array_size(array) != 0)
        start_line(depth, stream);
    fputc(']', stream);
    return printed;
}

static bool print_object(json_t *object, int depth, FILE *stream) {
    bool printed = true;
    const char *between = "";
    fputc('{', stream);
    for (void *at = json_object_iter(object); at != NULL && printed; at = json_object_iter_next(object, at)) {
        fputs(between, stream);
        between = ",";
        start_line(depth + 1, stream);
        printed =
            print_key(json_object_iter_key(at), stream) && print_value(json_object_iter_value(at), depth + 1, stream);
    }
    if (json_object_size(object) != 0)
        start_line(depth, stream);
    fputc('}', stream);
    return printed;
}

static bool print_value(json_t *element, int depth, FILE *stream) {
    if (json_is_object(element))
        return print_object(element, depth, stream);
    if (json_is_array(element))
        return print_array(element, depth, stream);
    if (!json_is_real(element))
        return json_dumpf(element, stream, JSON_ENCODE_ANY) == 0;
    print_real(json_real_value(element), stream);
    return true;
}

bool json_print(json_t *document, FILE *stream) {
    return print_value(document, 0, stream) && !ferror(stream);
}
