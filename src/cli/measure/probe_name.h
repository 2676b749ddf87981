/* The names of probes in messages. */
#ifndef WAVEFOLD_CLI_MEASURE_PROBE_NAME_H
#define WAVEFOLD_CLI_MEASURE_PROBE_NAME_H

#include "oracle/probe.h"

/* "4096 distinct i32 weights", malloc'ed. */
char *probe_name(const probe *made);

#endif
