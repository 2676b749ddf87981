#define _GNU_SOURCE
#include "fuzz_input.h"

#include <sys/mman.h>
#include <unistd.h>

int memory_file(const uint8_t *bytes, size_t size, char path[FUZZ_PATH]) {
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    must(descriptor >= 0);
    must(write(descriptor, bytes, size) == (ssize_t)size && lseek(descriptor, 0, SEEK_SET) == 0);
    snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", descriptor);
    return descriptor;
}
