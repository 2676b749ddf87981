/* wavefold try --new: a file to start from. */
#ifndef WAVEFOLD_CLI_TRY_NEW_KERNEL_H
#define WAVEFOLD_CLI_TRY_NEW_KERNEL_H

#include <stdbool.h>

/* Writes NAME.hip, where name may have a folder and ".hip", and prints a line if has_text. Prints the reason and
 * returns false if the name is invalid, or the file exists or cannot be written. */
bool new_kernel_write(const char *name, bool is_plain, bool has_text);

#endif
