#define _GNU_SOURCE
#include "state_file.h"

#include "cli.h"
#include "output/output_file.h"
#include "output/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_INPUT "-"

/* Up to so many bytes; false, with the reason in errno, if they cannot be read. */
static bool read_bytes(const char *path, unsigned char *bytes, size_t most, size_t *count) {
    FILE *stream = strcmp(path, STANDARD_INPUT) == 0 ? stdin : fopen(path, "rbe");
    if (stream == NULL)
        return false;
    errno = 0;
    *count = fread(bytes, 1, most, stream);
    int error = !ferror(stream) ? 0 : errno != 0 ? errno : EIO;
    if (stream != stdin)
        (void)fclose(stream);
    errno = error;
    return error == 0;
}

bool state_file_read(const char *path, wf_sum_state *state) {
    unsigned char bytes[WF_SUM_STATE_BYTES + 1]; /* one more shows that a file is too long */
    size_t count;
    if (!read_bytes(path, bytes, sizeof bytes, &count)) {
        cli_error("cannot read state '%s': %s", path, strerror(errno));
        return false;
    }
    if (count > WF_SUM_STATE_BYTES) {
        cli_error("'%s' is no state of a sum: it has more than %d bytes; give files that --state wrote, one by one",
                  path, WF_SUM_STATE_BYTES);
        return false;
    }
    if (count < WF_SUM_STATE_BYTES) {
        cli_error("'%s' is no state of a sum: it has %zu bytes, not %d; give a file that --state wrote, all of it",
                  path, count, WF_SUM_STATE_BYTES);
        return false;
    }
    if (wf_sum_state_read(state, bytes) != WF_OK) {
        cli_error("'%s' cannot be merged: %s; give a file that --state wrote", path, wf_last_error());
        return false;
    }
    return true;
}

bool state_file_check(const char *path) {
    if (output_is_stdout(path) && terminal_is(stdout)) {
        cli_error("--state - writes %d bytes that are no text, and standard output is a terminal; give a file, or a "
                  "pipe to wavefold merge -",
                  WF_SUM_STATE_BYTES);
        return false;
    }
    return output_check(path);
}

static bool print(const void *state, FILE *stream) {
    unsigned char bytes[WF_SUM_STATE_BYTES];
    return wf_sum_state_write(state, bytes) == WF_OK && fwrite(bytes, 1, sizeof bytes, stream) == sizeof bytes;
}

bool state_file_write(const char *path, const wf_sum_state *state) {
    return output_write(path, print, state);
}
