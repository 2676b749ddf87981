/* Headers of the user's that launch kernels: the compiler gets translated copies. */
#ifndef WAVEFOLD_CLI_TRY_OWN_HEADERS_H
#define WAVEFOLD_CLI_TRY_OWN_HEADERS_H

/* The text with each #include "x" of such a header naming its copy in the trial's folder; malloc'ed, with as many
 * lines. path: of the text. */
char *own_headers_translate(const char *text, const char *path, const char *folder);

#endif
