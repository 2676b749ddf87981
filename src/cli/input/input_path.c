#include "input_path.h"

#include "cli/cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool input_is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

static bool is_there(const char *path, size_t length) {
    char *file = cli_text("%.*s", (int)length, path);
    const bool there = access(file, F_OK) == 0;
    free(file);
    return there;
}

/* Names of files and of arrays may have colons: the first split that names a file counts. */
const char *input_member(const char *path) {
    static const char split[] = ".npz:";
    const char *first = strstr(path, split), *at = first;
    if (first == NULL || is_there(path, strlen(path)))
        return NULL;
    while (at != NULL && !is_there(path, (size_t)(at - path) + sizeof split - 2))
        at = strstr(at + 1, split);
    return (at != NULL ? at : first) + sizeof split - 1;
}

char *input_file(const char *path) {
    const char *member = input_member(path);
    if (input_is_stdin(path))
        return cli_text("/dev/stdin");
    return member != NULL ? cli_text("%.*s", (int)(member - 1 - path), path) : cli_text("%s", path);
}
