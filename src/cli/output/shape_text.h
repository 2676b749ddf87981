#ifndef WAVEFOLD_CLI_OUTPUT_SHAPE_TEXT_H
#define WAVEFOLD_CLI_OUTPUT_SHAPE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Python's tuple of a shape or an index, malloc'ed: "()", "(3,)", "(3, 4)". */
char *shape_text(const uint64_t *numbers, size_t count);

#endif
