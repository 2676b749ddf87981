/* Jansson's calls with the choices that all of this program's JSON shares. */
#ifndef WAVEFOLD_CLI_OUTPUT_JSON_H
#define WAVEFOLD_CLI_OUTPUT_JSON_H

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

/* A number, or "inf", "-inf" or "nan", which JSON has no numbers for. */
json_t *json_number(double number);
/* null for NaN: not known. */
json_t *json_known(double number);
/* Beyond 2^63 - 1 a real, rounded. */
json_t *json_count(uint64_t count);
/* Beyond 2^63 - 1 a string of digits: exact. */
json_t *json_whole(uint64_t number);
/* Bytes that are no UTF-8 become '?'. */
json_t *json_text(const char *text);

/* The other way; NULL if it is no JSON. The text may be changed. */
json_t *json_read(char *text, size_t length);

/* Each exits with CLI_FAILURE if there is no memory, and takes the value over. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

/* Writes it indented, with a newline at the end, as output_write does, and takes the document over. False, with the
 * reason printed, if it could not be written. */
bool json_save(json_t *document, const char *path);

#endif
