/* What a program's own check says of its results. */
#ifndef WAVEFOLD_CLI_TRY_OWN_CHECK_H
#define WAVEFOLD_CLI_TRY_OWN_CHECK_H

/* "line 3 is 'Test FAILED'", malloc'ed: the first line of the output that names a failure; NULL: none does. */
char *own_failure(const char *output);

#endif
