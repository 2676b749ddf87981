/* Whether a stream is a terminal, and the characters that it can show. */
#ifndef WAVEFOLD_CLI_OUTPUT_TERMINAL_H
#define WAVEFOLD_CLI_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_is(FILE *stream);
/* From now on standard output counts as a terminal only if it controls this process: some launchers of ranks give each
 * rank a pseudo-terminal, which controls none, and forward its output elsewhere. */
void terminal_must_control_process(void);
bool terminal_is_utf8(void);
/* On a terminal that is not dumb, and unless the environment's NO_COLOR is set (https://no-color.org). */
bool terminal_has_colour(FILE *stream);

/* The UTF-8 or the ASCII spelling, by the locale. */
const char *terminal_spell(const char *utf8, const char *ascii);

#endif
