/* Signals that would end the program wait until what it made is removed. */
#ifndef WAVEFOLD_CLI_TRY_INTERRUPTION_H
#define WAVEFOLD_CLI_TRY_INTERRUPTION_H

#include <stdbool.h>

/* From here on SIGHUP, SIGINT and SIGTERM are noted, and calls that wait end with EINTR. */
void interruption_begin(void);
bool interruption_came(void);
/* One that came takes effect. */
void interruption_end(void);

#endif
