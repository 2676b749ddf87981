/* The functions that a C++ source defines outside of classes. */
#ifndef WAVEFOLD_CLI_TRY_FUNCTIONS_H
#define WAVEFOLD_CLI_TRY_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct function {
    char *name;
    char *parameters;                     /* their names, with commas between; "" for one without a name */
    const char *head, *list, *body, *end; /* in the code: its first word, "(" of its parameters, "{", after "}" */
    size_t line;
    bool is_kernel, is_device, is_template, is_inner /* of a namespace with a name */;
    bool has_pointer; /* among its parameters */
    bool is_void;
    bool launches; /* kernels, by its own text */
} function;

typedef struct functions {
    function *of;
    size_t count;
} functions;

/* code: of source_code(), with hidden directives; it must live longer. */
functions functions_of(const char *code);
void functions_free(functions *of);
/* The function of this name, or NULL. */
const function *function_named(const functions *of, const char *name);
/* The body of `of` has this word. */
bool function_has_word(const char *code, const function *of, const char *word);

#endif
