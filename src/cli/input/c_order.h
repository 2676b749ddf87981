#ifndef WAVEFOLD_CLI_INPUT_C_ORDER_H
#define WAVEFOLD_CLI_INPUT_C_ORDER_H

#include "input.h"

/* Copies an array in Fortran order to C order in memory; keeps an array in C order. Prints the reason and returns false
 * without memory. */
bool input_make_c_order(input *in);

#endif
