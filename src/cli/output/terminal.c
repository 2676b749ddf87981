#define _GNU_SOURCE
#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool output_must_control;

bool terminal_is(FILE *stream) {
    const int file = fileno(stream);
    const bool must_control = output_must_control && stream == stdout;
    return isatty(file) != 0 && (!must_control || tcgetpgrp(file) >= 0);
}

void terminal_must_control_process(void) {
    output_must_control = true;
}

bool terminal_is_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool terminal_has_colour(FILE *stream) {
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    return !(no_colour != NULL && *no_colour != '\0') && kind != NULL && strcmp(kind, "dumb") != 0 &&
           terminal_is(stream);
}

const char *terminal_spell(const char *utf8, const char *ascii) {
    return terminal_is_utf8() ? utf8 : ascii;
}
