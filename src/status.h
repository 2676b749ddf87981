/* Reporting a failure, for the library's own files. */
#ifndef WAVEFOLD_STATUS_H
#define WAVEFOLD_STATUS_H

#include "wavefold.h"

/* Sets wf_last_error() to the formatted sentence and returns status. */
wf_status wf_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
