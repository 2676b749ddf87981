/* Text files of numbers, such as CSV, which would be read as binary. */
#ifndef WAVEFOLD_CLI_INPUT_TEXT_H
#define WAVEFOLD_CLI_INPUT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* True if the first KiB is printable ASCII, white space or other characters of UTF-8, with a digit and with white
 * space, a comma or a semicolon. Numbers of two bytes or more hardly ever match: small integers have zero bytes, and
 * the low bytes of floats are arbitrary. */
bool looks_like_text(const unsigned char *bytes, uint64_t size);
/* The command that converts it to .npy, malloc'ed. */
char *text_conversion(const unsigned char *bytes, uint64_t size, const char *path);

#endif
