/* In place of src/cli/cli.c: messages are not printed but kept, and what would end the program goes back to
 * the target. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "fuzz_input.h"

#include <stdarg.h>

const char *cli_program = "wavefold";
jmp_buf fuzz_program_ended;

static char *message;

const char *fuzz_message(void) {
    return message != NULL ? message : "";
}

void fuzz_forget_message(void) {
    free(message);
    message = NULL;
}

__attribute__((format(printf, 1, 0))) static void note(const char *format, va_list arguments) {
    fuzz_forget_message();
    must(vasprintf(&message, format, arguments) >= 0 && *message != '\0');
}

void cli_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
}

void cli_usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
    longjmp(fuzz_program_ended, CLI_USAGE);
}

void *cli_allocate(unsigned long count, unsigned long size) {
    void *memory = calloc(count != 0 ? count : 1, size);
    must(memory != NULL);
    return memory;
}

char *cli_text(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    must(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    return text;
}

char *cli_list(const char *const *words, unsigned long count) {
    char *list = cli_text("%s", words[0]);
    for (unsigned long i = 1; i < count; i++) {
        char *longer = cli_text("%s, %s", list, words[i]);
        free(list);
        list = longer;
    }
    return list;
}
