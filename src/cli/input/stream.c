#include "stream.h"

#include "cli/cli.h"
#include "host_memory.h"
#include "pages.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory that stays free for the reduction and other programs. */
static const uint64_t MARGIN_BYTES = UINT64_C(64) << 20;
enum { LEAST_ROOM = 1 << 20 };

/* Doubles the buffer, up to half of the available memory: the length of the stream is unknown. */
static bool make_room(unsigned char **bytes, uint64_t *room, const char *path) {
    const uint64_t available = memory_of_host(), free_bytes = available > MARGIN_BYTES ? available - MARGIN_BYTES : 0;
    const uint64_t doubled = *room > LEAST_ROOM ? *room : LEAST_ROOM;
    const uint64_t more = doubled < free_bytes / 2 ? doubled : free_bytes / 2;
    void *larger = more >= LEAST_ROOM ? pages_resize(*bytes, *room, *room + more) : NULL;
    if (larger == NULL) {
        cli_error("input '%s' is longer than the %" PRIu64 " bytes that it may take of the memory; save it to a file, "
                  "which is not read into memory",
                  path, *room);
        return false;
    }
    *bytes = larger;
    *room += more;
    return true;
}

bool stream_read(unsigned char **bytes, uint64_t *size, int descriptor, const char *path) {
    uint64_t room = 0;
    ssize_t got = 1;
    *bytes = NULL;
    *size = 0;
    while (got != 0) {
        if (*size == room && !make_room(bytes, &room, path))
            break;
        got = read(descriptor, *bytes + *size, (size_t)(room - *size));
        if (got < 0 && errno != EINTR) {
            cli_error("cannot read input '%s': %s", path, strerror(errno));
            break;
        }
        *size += got > 0 ? (uint64_t)got : 0;
    }
    if (got == 0 && *size != 0) {
        void *shrunk = pages_resize(*bytes, room, *size);
        *bytes = shrunk != NULL ? shrunk : *bytes; /* shrinking does not fail */
        return true;
    }
    if (room != 0)
        munmap(*bytes, (size_t)room);
    *bytes = NULL;
    return got == 0;
}
