#include "standard_output.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool standard_output_close(void) {
    bool failed = ferror(stdout);
    errno = 0;
    failed |= fclose(stdout) != 0;
    if (failed)
        cli_error("cannot write standard output%s%s", errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return !failed;
}
