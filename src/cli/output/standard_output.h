#ifndef WAVEFOLD_CLI_OUTPUT_STANDARD_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_STANDARD_OUTPUT_H

#include <stdbool.h>

/* Flushes standard output, which reports a full disk; print nothing afterwards. Prints the reason and returns false if
 * not all of it could be written. */
bool standard_output_close(void);

#endif
