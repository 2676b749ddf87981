#include "proposed_line.h"

#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 256, MOST = 1024 };

/* The number behind `word` and an opening bracket between first and end; 0: there is none. */
static unsigned long number_in_brackets(const char *first, const char *end, const char *word, char bracket) {
    for (const char *c = first; (c = strstr(c, word)) != NULL && c < end; c++) {
        const char *open = c;
        while (open < end && *open != bracket && *open != ';' && *open != '\n')
            open++;
        if (open < end && *open == bracket && isdigit((unsigned char)open[1]))
            return strtoul(open + 1, NULL, 10);
    }
    return 0;
}

static unsigned long tile_size_of(const function *kernel) {
    unsigned long size = number_in_brackets(kernel->head, kernel->list, "__launch_bounds__", '(');
    if (size == 0)
        size = number_in_brackets(kernel->body, kernel->end, "__shared__", '[');
    return size >= 32 && size <= MOST && (size & (size - 1)) == 0 ? size : USUAL;
}

static bool loads_two(const function *kernel) {
    static const char *const ways[] = {"blockDim.x * 2", "blockDim.x*2", "2 * blockDim.x", "2*blockDim.x"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *found = strstr(kernel->body, ways[i]);
        if (found != NULL && found < kernel->end)
            return true;
    }
    return false;
}

char *proposed_line(const char *code, const function *kernel) {
    const unsigned long size = tile_size_of(kernel);
    return cli_text("WF_TRY%s(%s, %lu, %lu)", function_has_word(code, kernel, "atomicAdd") ? "_ATOMIC_ELEMENTS" : "",
                    kernel->name, size, loads_two(kernel) ? 2 * size : size);
}
