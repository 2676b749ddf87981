/* The command line of `wavefold scan`. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_SCAN_OPTIONS_H
#define WAVEFOLD_CLI_ARGUMENTS_SCAN_OPTIONS_H

#include "array_options.h"
#include "oracle/folded.h"

typedef struct scan_options {
    array_options array;
    bool exclusive, reverse, as_elements;
    const char *initial; /* NULL: not given */
} scan_options;

/* Exits on --help, --usage, --version and on bad usage. */
void scan_options_parse(scan_options *options, int argc, char **argv);

/* A scan of the type. spec.initial may point into initial, so a request stays where it is. */
typedef struct scan_request {
    wf_scan_spec spec;
    fold of; /* the reduction, with the info of a result of the scan */
    result initial;
} scan_request;

/* NULL, and the request; or the reason why the type has none, which the caller frees. is_bool: bytes are 0 or 1. */
char *scan_refusal(const scan_options *options, wf_type type, bool is_bool, scan_request *request);

#endif
