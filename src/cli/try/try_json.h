/* A trial's results as JSON. */
#ifndef WAVEFOLD_CLI_TRY_TRY_JSON_H
#define WAVEFOLD_CLI_TRY_TRY_JSON_H

#include "compiler_messages.h"
#include "try_text.h"
#include "unsupported.h"

json_t *try_document(const tried *what);
/* Of a file that cannot run: what the compiler says, or what a trial does not support. */
json_t *try_document_of_error(const char *path, const compiler_messages *messages);
json_t *try_document_of_unsupported(const char *path, const unsupported *found, size_t count);

#endif
