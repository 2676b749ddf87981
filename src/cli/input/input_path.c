#include "input_path.h"

#include "cli/cli.h"

#include <string.h>

bool input_is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

char *input_file(const char *path) {
    return cli_text("%s", input_is_stdin(path) ? "/dev/stdin" : path);
}
