/* Kernel launches by <<< >>> in a C++ source. */
#ifndef WAVEFOLD_CLI_TRY_KERNEL_LAUNCHES_H
#define WAVEFOLD_CLI_TRY_KERNEL_LAUNCHES_H

#include <stdbool.h>
#include <stdio.h>

/* The code has a <<<, also one that a formatter has written as << <. */
bool launches_are_in(const char *code);
/* Writes the text with each launch as a call of wf::tried::launch (hip/host/try/launch.hpp), with as many lines. code:
 * of source_code(). What is no complete launch is written as it is. */
void launches_write(FILE *to, const char *text, const char *code);

#endif
