/* wavefold try --new: a file to start from. */
#ifndef WAVEFOLD_CLI_TRY_NEW_KERNEL_H
#define WAVEFOLD_CLI_TRY_NEW_KERNEL_H

#include <stdbool.h>

/* Writes NAME.hip, where name may have a folder before it and ".hip" behind, and says so if it has_text. False, with
 * the reason printed, if name is none for a kernel, or the file is there already, or cannot be written. */
bool new_kernel_write(const char *name, bool is_plain, bool has_text);

#endif
