#include "standard_output.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

bool standard_output_close(void) {
    bool failed = ferror(stdout);
    const bool has_more = __fpending(stdout) != 0;
    errno = 0;
    /* A closed standard output is no error while nothing is written to it. */
    failed |= fclose(stdout) != 0 && (has_more || errno != EBADF);
    if (failed)
        cli_error("cannot write standard output%s%s", errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return !failed;
}
