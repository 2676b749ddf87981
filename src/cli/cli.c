#define _GNU_SOURCE
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *cli_program = "wavefold";

/* Messages quote names of files and arguments, which must not steer the terminal: '?' replaces ASCII's control
 * characters and those from C2 80 to C2 9F in UTF-8. (argp itself reports unknown options.) */
static void make_printable(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)) {
            if (*c == 0xc2)
                c[1] = '?';
            *c = '?';
        }
}

static void print_error(const char *format, va_list arguments) {
    char *text;
    if (vasprintf(&text, format, arguments) < 0) {
        fprintf(stderr, "%s: out of memory for the message '%s'\n", cli_program, format);
        return;
    }
    make_printable(text);
    fprintf(stderr, "%s: %s\n", cli_program, text);
    free(text);
}

void cli_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
}

void cli_usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    exit(CLI_USAGE);
}

static void require(const void *memory) {
    if (memory == NULL) {
        cli_error("out of memory");
        exit(CLI_FAILURE);
    }
}

void *cli_allocate(unsigned long count, unsigned long size) {
    void *memory = calloc(count != 0 ? count : 1, size);
    require(memory);
    return memory;
}

char *cli_text(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    require(text);
    return text;
}

char *cli_printable(const char *name) {
    char *text = cli_text("%s", name);
    make_printable(text);
    return text;
}

char *cli_list(const char *const *words, unsigned long count) {
    char *list = cli_text("%s", words[0]);
    for (unsigned long i = 1; i < count; i++) {
        char *longer = cli_text("%s%s%s", list, i + 1 < count ? ", " : " and ", words[i]);
        free(list);
        list = longer;
    }
    return list;
}
