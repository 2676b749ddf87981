#define _GNU_SOURCE
#include "file_map.h"

#include "cli/cli.h"
#include "input_path.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_as_empty(const char *path) {
    cli_error("input '%s' is empty, without even a header; for no elements, use --n 0 with another file", path);
    return false;
}

static bool map_descriptor(file_map *map, int descriptor, const char *path, uint64_t size) {
    if (size == 0)
        return fail_as_empty(path);
    void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED) {
        cli_error("cannot map input '%s' (%" PRIu64 " bytes) into memory: %s", path, size, strerror(errno));
        return false;
    }
    (void)madvise(bytes, (size_t)size, MADV_SEQUENTIAL);
    *map = (file_map){.bytes = bytes, .size = size};
    return true;
}

static bool read_descriptor(file_map *map, int descriptor, const char *path) {
    unsigned char *bytes;
    uint64_t size;
    if (!stream_read(&bytes, &size, descriptor, path))
        return false;
    *map = (file_map){.bytes = bytes, .size = size};
    return size != 0 || fail_as_empty(path);
}

static bool get_status(struct stat *status, int descriptor, const char *path) {
    if (fstat(descriptor, status) != 0) {
        cli_error("cannot read input '%s': %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status->st_mode)) {
        cli_error("input '%s' is a directory; give a regular file (.npy or raw binary)", path);
        return false;
    }
    return true;
}

/* A redirected file is mapped, unless a part of it was read before. */
static bool open_stdin(file_map *map, const char *path) {
    struct stat status;
    if (!get_status(&status, STDIN_FILENO, path))
        return false;
    if (isatty(STDIN_FILENO)) {
        cli_error("input '%s' is standard input, which is a terminal here; redirect a file or a pipe to it", path);
        return false;
    }
    if (S_ISREG(status.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0)
        return map_descriptor(map, STDIN_FILENO, path, (uint64_t)status.st_size);
    return read_descriptor(map, STDIN_FILENO, path);
}

static bool open_descriptor(file_map *map, int descriptor, const char *path) {
    struct stat status;
    if (!get_status(&status, descriptor, path))
        return false;
    if (!S_ISREG(status.st_mode)) {
        cli_error("input '%s' is no regular file and cannot be mapped into memory; give a regular file (.npy or raw "
                  "binary), or pipe it to wavefold as -",
                  path);
        return false;
    }
    return map_descriptor(map, descriptor, path, (uint64_t)status.st_size);
}

bool file_map_open(file_map *map, const char *path) {
    if (input_is_stdin(path))
        return open_stdin(map, path);
    /* Not blocking, so that a FIFO is refused below without a wait. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        cli_error("cannot open input '%s': %s", path, strerror(errno));
        return false;
    }
    bool mapped = open_descriptor(map, descriptor, path);
    close(descriptor);
    return mapped;
}

void file_map_close(file_map *map) {
    if (map->bytes != NULL)
        munmap((void *)(uintptr_t)map->bytes, (size_t)map->size);
    *map = (file_map){0};
}
