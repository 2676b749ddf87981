#ifndef WAVEFOLD_CLI_OUTPUT_TERMINAL_H
#define WAVEFOLD_CLI_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_is(FILE *stream);
bool terminal_is_utf8(void);
/* On a terminal that is not dumb, and unless the environment's NO_COLOR is set (https://no-color.org). */
bool terminal_has_colour(FILE *stream);

/* The UTF-8 spelling, or the one in ASCII, as the locale wants it. */
const char *terminal_spell(const char *utf8, const char *ascii);

#endif
