#ifndef WAVEFOLD_CLI_OUTPUT_PRINTED_NUMBER_H
#define WAVEFOLD_CLI_OUTPUT_PRINTED_NUMBER_H

#include "oracle/value.h"

/* Numbers of results on standard output: with the fewest digits that restore the value, or true and false. */
void print_number(wf_type type, value v, bool is_bool);
/* "none" for NO_INDEX. */
void print_index(uint64_t index);

#endif
