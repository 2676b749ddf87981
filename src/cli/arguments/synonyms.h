/* Names that other programs have for what wavefold has, too: a message suggests wavefold's. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_SYNONYMS_H
#define WAVEFOLD_CLI_ARGUMENTS_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

/* The one of the names that the word was meant to be, or NULL: the same in other case, another program's word for it,
 * or a name that differs by a typing error. */
const char *suggested_name(const char *word, const char *const *names, size_t count);
/* True for words such as std, var and count, which --op describe answers, and for describe itself. */
bool is_described(const char *word);

#endif
