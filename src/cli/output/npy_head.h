#ifndef WAVEFOLD_CLI_OUTPUT_NPY_HEAD_H
#define WAVEFOLD_CLI_OUTPUT_NPY_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Checks early that a .npy file can be written; "-" is standard output, which must not be a terminal. Prints the reason
 * and returns false if not. */
bool npy_can_write(const char *path);

/* Writes the head of a .npy file, version 1.0, padded so that the elements begin at a multiple of 64 bytes.
 *   descr: Python's literal of the dtype: '<f4' in quotes, or a list of fields */
bool npy_head_write(const char *descr, bool fortran_order, const uint64_t *counts, size_t dimensions, FILE *stream);

#endif
