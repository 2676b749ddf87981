/* Whether a stream leads to people, and what they can be shown there. */
#ifndef WAVEFOLD_CLI_OUTPUT_TERMINAL_H
#define WAVEFOLD_CLI_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_is(FILE *stream);
/* From now on terminal_is says of standard output that it is one only if it controls this process: some launchers of
 * ranks give each rank a terminal of their own making, which controls none, from which they hand on what it prints to
 * wherever their own standard output leads. */
void terminal_must_control_process(void);
bool terminal_is_utf8(void);
/* On a terminal that is not dumb, and unless the environment's NO_COLOR is set (https://no-color.org). */
bool terminal_has_colour(FILE *stream);

/* The UTF-8 spelling, or the one in ASCII, as the locale wants it. */
const char *terminal_spell(const char *utf8, const char *ascii);

#endif
