#ifndef WAVEFOLD_CLI_OUTPUT_STANDARD_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_STANDARD_OUTPUT_H

#include <stdbool.h>

/* Standard output is buffered: a full disk is found out here, or before without the reason being kept. Nothing can be
 * printed afterwards. False, with the reason printed, if not all of it could be written. */
bool standard_output_close(void);

#endif
