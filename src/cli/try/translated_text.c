#include "translated_text.h"

#include "cli/cli.h"
#include "kernel_launches.h"
#include "source_text.h"

#include <stdlib.h>
#include <string.h>

char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? cli_text(".") : slash == path ? cli_text("/") : cli_text("%.*s", (int)(slash - path), path);
}

void write_line_one(FILE *to, const char *path) {
    fputs("#line 1 \"", to);
    for (; *path != '\0'; path++) {
        if (*path == '"' || *path == '\\')
            fputc('\\', to);
        fputc(*path, to);
    }
    fputs("\"\n", to);
}

bool write_translated(const char *to, const char *path, const char *text) {
    FILE *stream = fopen(to, "w");
    if (stream == NULL)
        return false;
    char *code = source_code(text);
    write_line_one(stream, path);
    launches_write(stream, text, code);
    free(code);
    return fclose(stream) == 0;
}
