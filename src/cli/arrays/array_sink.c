#include "array_sink.h"

#include "cli/cli.h"
#include "cli/output/npy_head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool fail(array_sink *sink, int error, progress *bar) {
    progress_end(bar);
    sink->is_open = false;
    (void)output_end(&sink->file, sink->path, error != 0 ? error : EIO);
    return false; /* also for standard output, whose errors appear at exit */
}

bool array_sink_begin(array_sink *sink, const array_head *head, progress *bar) {
    const bool is_shown = bar->shown;
    progress_end(bar); /* for a message */
    sink->is_open = output_begin(&sink->file, sink->path);
    bar->shown = is_shown && sink->is_open;
    if (!sink->is_open)
        return false;
    errno = 0;
    return npy_head_write(head->descr, head->fortran_order, head->counts, head->dimensions, sink->file.stream) ||
           fail(sink, errno, bar);
}

static void keep(array_sink *sink, const void *bytes, size_t size) {
    if (sink->capacity - sink->kept_bytes < size) {
        const size_t capacity = 2 * sink->capacity + size;
        unsigned char *larger = cli_allocate(capacity, 1);
        if (sink->kept_bytes != 0)
            memcpy(larger, sink->kept, sink->kept_bytes);
        free(sink->kept);
        sink->kept = larger;
        sink->capacity = capacity;
    }
    memcpy(sink->kept + sink->kept_bytes, bytes, size);
    sink->kept_bytes += size;
}

bool array_sink_write(array_sink *sink, const void *bytes, size_t size, progress *bar) {
    if (sink->path == NULL) {
        keep(sink, bytes, size);
        return true;
    }
    errno = 0;
    if (fwrite(bytes, 1, size, sink->file.stream) != size)
        return fail(sink, errno, bar);
    return !output_is_interrupted() || fail(sink, EINTR, bar);
}

bool array_sink_end(array_sink *sink, progress *bar) {
    if (!sink->is_open)
        return true;
    progress_end(bar);
    sink->is_open = false;
    return output_end(&sink->file, sink->path, 0);
}

void array_sink_close(array_sink *sink) {
    if (sink->is_open)
        output_abandon(&sink->file);
    sink->is_open = false;
    free(sink->kept);
    sink->kept = NULL;
}
