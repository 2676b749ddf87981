/* Other programs' names for types and operators: a message suggests wavefold's. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_SYNONYMS_H
#define WAVEFOLD_CLI_ARGUMENTS_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

/* The intended name, or NULL: the word in other case, another program's name, or a name with a typing error. */
const char *suggested_name(const char *word, const char *const *names, size_t count);
/* True for words such as std, var and count, which --op describe answers, and for describe. */
bool is_described(const char *word);

#endif
