#ifndef WAVEFOLD_CLI_INPUT_C_ORDER_H
#define WAVEFOLD_CLI_INPUT_C_ORDER_H

#include "input.h"

/* Has the elements of an array in Fortran order stand in C order, in a copy in memory; an array in C order stays where
 * it is. False, with the reason printed, if there is no memory for it. */
bool input_make_c_order(input *in);

#endif
