/* What a C++ compiler says of a file that does not compile: the first error, and how many more. */
#ifndef WAVEFOLD_CLI_TRY_COMPILER_MESSAGES_H
#define WAVEFOLD_CLI_TRY_COMPILER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct compiler_messages {
    char *shown;   /* the first error with its marked lines of source, and the line of the user's file; may be "" */
    char *error;   /* its sentence alone; NULL: there is none */
    char *block;   /* the error with all of its notes */
    size_t line;   /* of the user's file; 0: unknown */
    size_t more;   /* further errors */
    char *missing; /* an included file that does not exist; NULL: that is not the error */
} compiler_messages;

/* A file without a name that receives standard error of compilers; -1 with errno set on failure. */
int compiler_messages_open(void);
/* What the file received; malloc'ed. */
char *compiler_messages_text(int file);
/* path: of the user's file, as the compiler names it. The text is in English: compilers run with LC_ALL=C. */
compiler_messages compiler_messages_read(const char *text, const char *path);
void compiler_messages_free(compiler_messages *of);

#endif
