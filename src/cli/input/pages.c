#define _GNU_SOURCE
#include "pages.h"

#include <stddef.h>
#include <sys/mman.h>

void *pages_resize(void *pages, uint64_t from, uint64_t to) {
    void *resized = pages == NULL ? mmap(NULL, (size_t)to, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                  : mremap(pages, (size_t)from, (size_t)to, MREMAP_MAYMOVE);
    return resized != MAP_FAILED ? resized : NULL;
}
