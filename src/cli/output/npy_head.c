#include "npy_head.h"

#include "cli/cli.h"
#include "output_file.h"
#include "shape_text.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

bool npy_can_write(const char *path) {
    if (output_is_stdout(path) && terminal_is(stdout)) {
        cli_error("--output - writes binary data, and standard output is a terminal; give a file, or a pipe");
        return false;
    }
    return output_check(path);
}

bool npy_head_write(const char *descr, bool fortran_order, const uint64_t *counts, size_t dimensions, FILE *stream) {
    enum { ALIGNMENT = 64, BEFORE = 10 /* magic bytes, version, length */ };
    char *shape = shape_text(counts, dimensions);
    char *text =
        cli_text("{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, fortran_order ? "True" : "False", shape);
    const size_t used = strlen(text) + 1, length = used + (ALIGNMENT - (BEFORE + used) % ALIGNMENT) % ALIGNMENT;
    const unsigned char before[BEFORE] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, length & 0xff, length >> 8 & 0xff};
    const bool written = fwrite(before, 1, sizeof before, stream) == sizeof before &&
                         fprintf(stream, "%s%*s\n", text, (int)(length - used), "") == (int)length;
    free(text);
    free(shape);
    return written;
}
