#ifndef WAVEFOLD_CLI_ARGUMENTS_NUMBER_H
#define WAVEFOLD_CLI_ARGUMENTS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers as people write them: 4096, 2^26, 1e6, 16k 16M 16G 16T (powers of 1000, K is k), 16Ki 16Mi 16Gi 16Ti
 * (powers of 1024). A point may precede an exponent or a suffix if the number is whole: 1.5k is 1500, without rounding.
 * No sign, no space, nothing after it; 2^3Mi and 1e3k are refused. */
typedef enum number_status { NUMBER_OK, NUMBER_MALFORMED, NUMBER_TOO_LARGE } number_status;
number_status number_parse(const char *text, uint64_t *number);

/* False if the product does not fit. */
bool number_multiply(uint64_t a, uint64_t b, uint64_t *product);

#endif
