#ifndef WAVEFOLD_CLI_INPUT_FILE_MAP_H
#define WAVEFOLD_CLI_INPUT_FILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* A mapped file's bytes, without a copy; a pipe's bytes are in memory. */
typedef struct file_map {
    const unsigned char *bytes;
    uint64_t size;
} file_map;

/* "-" is standard input. Prints the reason and returns false for empty inputs, and for inputs that are neither a file
 * nor standard input. */
bool file_map_open(file_map *map, const char *path);
void file_map_close(file_map *map);

#endif
