/* Launch tables in files, for tests: a folder of their own, what stands in a file, and which table is in use. */
#ifndef WAVEFOLD_TESTS_TABLE_FILES_H
#define WAVEFOLD_TESTS_TABLE_FILES_H

#include <wavefold.h>
#include <wavefold_tune.h>

#include <stddef.h>
#include <stdint.h>

#define DEVICE "host:32"
#define ROWS "bytes tile_size loads tiles_per_processor\n4096 128 2 1\n1048576 64 16 8\nrest 512 4 2\n"

extern char folder[]; /* for all that a test makes, and WAVEFOLD_CACHE */

/* Before each test: the folder, with nothing in it. */
int begin(void **state);
void remove_tree(const char *path);
void write_bytes(const char *path, const char *bytes, size_t length);
void read_text(const char *path, char text[4096]);
/* But for those whose names begin with a dot. */
size_t files_in(const char *path);

/* What is in a valid file for the device: a launch table's rows, or what a thread table has in their place. */
char *valid_text(const char *rows);
char *valid_thread_text(const char *shares);
wf_tuning_info tuning_of(const char *device);

/* The tile that a sum of count elements is folded in; and it must be right. */
uint32_t tile_of_sum(wf_context *context, size_t count);
/* The table in the file must not be used, for this reason. */
void is_ignored(const char *what, wf_status status, const char *says);

#endif
