/* Defers signals that would end the program until its temporary files are removed. */
#ifndef WAVEFOLD_CLI_TRY_INTERRUPTION_H
#define WAVEFOLD_CLI_TRY_INTERRUPTION_H

#include <stdbool.h>

/* From now on SIGHUP, SIGINT and SIGTERM are recorded, and blocking calls end with EINTR. */
void interruption_begin(void);
bool interruption_came(void);
/* Raises a recorded signal. */
void interruption_end(void);

#endif
