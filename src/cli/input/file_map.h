#ifndef WAVEFOLD_CLI_INPUT_FILE_MAP_H
#define WAVEFOLD_CLI_INPUT_FILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* A file's bytes, read as they are touched: nothing is copied. Of a pipe they are in memory. */
typedef struct file_map {
    const unsigned char *bytes;
    uint64_t size;
} file_map;

/* "-" is standard input. False, with the reason printed, for what is empty, and for what is neither a file nor standard
 * input. */
bool file_map_open(file_map *map, const char *path);
void file_map_close(file_map *map);

#endif
