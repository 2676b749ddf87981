#define _GNU_SOURCE
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *cli_program = "wavefold";

static void print_error(const char *format, va_list arguments) {
    fprintf(stderr, "%s: ", cli_program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
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

char *cli_list(const char *const *words, unsigned long count) {
    char *list = cli_text("%s", words[0]);
    for (unsigned long i = 1; i < count; i++) {
        char *longer = cli_text("%s%s%s", list, i + 1 < count ? ", " : " and ", words[i]);
        free(list);
        list = longer;
    }
    return list;
}
