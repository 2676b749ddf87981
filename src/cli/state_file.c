#define _GNU_SOURCE
#include "state_file.h"

#include "cli.h"
#include "output/output_file.h"
#include "output/terminal.h"
#include "wavefold_sum.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_INPUT "-"

enum { NAME_BYTES = 8, FILE_BYTES = WF_SUM_STATE_BYTES + NAME_BYTES };

/* Operators with different terms; a mean has the state of a sum. */
static const wf_op named_ops[] = {WF_SUM, WF_ASUM, WF_SUMSQ};

/* Padded with zeros. */
static void put_name(wf_op op, unsigned char name[NAME_BYTES]) {
    memset(name, 0, NAME_BYTES);
    memcpy(name, wf_op_name(op), strlen(wf_op_name(op)));
}

static bool find_op(const unsigned char name[NAME_BYTES], wf_op *op) {
    unsigned char known[NAME_BYTES];
    for (size_t i = 0; i < sizeof named_ops / sizeof *named_ops; i++) {
        put_name(named_ops[i], known);
        if (memcmp(name, known, NAME_BYTES) == 0) {
            *op = named_ops[i];
            return true;
        }
    }
    return false;
}

/* Reads at most this many bytes; false, with the reason in errno, on failure. */
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

bool state_file_read(const char *path, wf_sum_state *state, wf_op *op) {
    unsigned char bytes[FILE_BYTES + 1]; /* one more byte detects a longer file */
    size_t count;
    wf_op named = WF_OP_COUNT;
    if (!read_bytes(path, bytes, sizeof bytes, &count)) {
        cli_error("cannot read state '%s': %s", path, strerror(errno));
        return false;
    }
    if (count > FILE_BYTES) {
        cli_error("'%s' is not the state of a sum: it has more than %d bytes; give each file of --state by itself",
                  path, FILE_BYTES);
        return false;
    }
    if (count != FILE_BYTES && count != WF_SUM_STATE_BYTES) {
        cli_error("'%s' is not the state of a sum: it has %zu bytes, not %d; give a complete file of --state", path,
                  count, FILE_BYTES);
        return false;
    }
    if (count == FILE_BYTES && !find_op(bytes + WF_SUM_STATE_BYTES, &named)) {
        cli_error("'%s' is not the state of a sum: its last %d bytes name none of sum, asum and sumsq; give a file of "
                  "--state",
                  path, NAME_BYTES);
        return false;
    }
    if (wf_sum_state_read(state, bytes) != WF_OK) {
        cli_error("'%s' cannot be merged: %s; give a file of --state", path, wf_last_error());
        return false;
    }
    *op = named;
    return true;
}

bool state_file_check(const char *path) {
    if (output_is_stdout(path) && terminal_is(stdout)) {
        cli_error("--state - writes %d bytes of binary data, and standard output is a terminal; give a file, or a pipe "
                  "to wavefold merge -",
                  FILE_BYTES);
        return false;
    }
    return output_check(path);
}

typedef struct named_state {
    const wf_sum_state *state;
    wf_op op;
} named_state;

static bool print(const void *printed, FILE *stream) {
    const named_state *named = printed;
    unsigned char bytes[FILE_BYTES];
    put_name(named->op, bytes + WF_SUM_STATE_BYTES);
    return wf_sum_state_write(named->state, bytes) == WF_OK && fwrite(bytes, 1, sizeof bytes, stream) == sizeof bytes;
}

bool state_file_write(const char *path, const wf_sum_state *state, wf_op op) {
    const named_state named = {.state = state, .op = op == WF_MEAN ? WF_SUM : op};
    return output_write(path, print, &named);
}
