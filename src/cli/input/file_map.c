#define _GNU_SOURCE
#include "file_map.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map_descriptor(file_map *map, int descriptor, const char *path) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        cli_error("cannot read input '%s': %s", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        cli_error("input '%s' is %s; give a regular file (.npy or raw binary)", path,
                  S_ISDIR(status.st_mode) ? "a directory" : "no regular file and cannot be mapped into memory");
        return false;
    }
    if (status.st_size == 0) {
        cli_error("input '%s' is empty, without even a header; to fold no elements, use --n 0 with another one", path);
        return false;
    }
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED) {
        cli_error("cannot map input '%s' (%lld bytes) into memory: %s", path, (long long)status.st_size,
                  strerror(errno));
        return false;
    }
    (void)madvise(bytes, (size_t)status.st_size, MADV_SEQUENTIAL);
    *map = (file_map){.bytes = bytes, .size = (uint64_t)status.st_size};
    return true;
}

bool file_map_open(file_map *map, const char *path) {
    /* Not blocking, so that a FIFO is refused below instead of waited for. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        cli_error("cannot open input '%s': %s", path, strerror(errno));
        return false;
    }
    bool mapped = map_descriptor(map, descriptor, path);
    close(descriptor);
    return mapped;
}

void file_map_close(file_map *map) {
    if (map->bytes != NULL)
        munmap((void *)(uintptr_t)map->bytes, (size_t)map->size);
    *map = (file_map){0};
}
