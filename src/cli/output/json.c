#include "json.h"

#include "cli/cli.h"
#include "json_print.h"
#include "output_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double number) {
    if (isnan(number))
        return json_string("nan");
    if (isinf(number))
        return json_string(number > 0 ? "inf" : "-inf");
    return json_real(number);
}

json_t *json_known(double number) {
    return isnan(number) ? json_null() : json_number(number);
}

json_t *json_count(uint64_t count) {
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}

json_t *json_whole(uint64_t number) {
    char digits[24];
    if (number <= INT64_MAX)
        return json_integer((json_int_t)number);
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    return json_string(digits);
}

static void make_ascii(char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] > 0x7f)
            text[i] = '?';
}

json_t *json_text(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *ascii = cli_text("%s", text);
    make_ascii(ascii, strlen(ascii));
    value = json_string(ascii);
    free(ascii);
    return value;
}

json_t *json_read(char *text, size_t length) {
    json_t *value = json_loadb(text, length, 0, NULL);
    if (value != NULL)
        return value;
    make_ascii(text, length);
    return json_loadb(text, length, 0, NULL);
}

static void require(int status) {
    if (status != 0) {
        cli_error("out of memory");
        exit(CLI_FAILURE);
    }
}

void json_put(json_t *object, const char *key, json_t *value) {
    require(json_object_set_new(object, key, value));
}

void json_add(json_t *array, json_t *value) {
    require(json_array_append_new(array, value));
}

static bool print(const void *document, FILE *stream) {
    return json_print(*(json_t *const *)document, stream) && fputc('\n', stream) != EOF;
}

bool json_save(json_t *document, const char *path) {
    bool saved = output_write(path, print, &document);
    json_decref(document);
    return saved;
}
