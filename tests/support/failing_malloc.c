/* A program that defines malloc has it called by every library. glibc's own stays behind it, with free and all else. */
#include "failing_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

static _Thread_local unsigned long left; /* 0: none fails */
static _Thread_local bool is_paused, has_failed;

static _Atomic long held;

#ifdef IS_SANITIZED

bool can_fail_malloc(void) {
    return false;
}

#else

bool can_fail_malloc(void) {
    return true;
}

static bool fails(void) {
    if (left == 0 || is_paused || --left != 0)
        return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory) {
    held += memory != NULL;
    return memory;
}

void *malloc(size_t bytes) {
    return fails() ? NULL : counted(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes) {
    return fails() ? NULL : counted(__libc_calloc(count, bytes));
}

/* These are counted, and do not fail: the library has no use for them. */
void *realloc(void *memory, size_t bytes) {
    void *const moved = __libc_realloc(memory, bytes);
    held += (memory == NULL && moved != NULL) - (memory != NULL && moved == NULL && bytes == 0);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return counted(__libc_memalign(alignment, bytes));
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    void *const made = aligned_alloc(alignment, bytes);
    if (made == NULL)
        return ENOMEM;
    *memory = made;
    return 0;
}

void free(void *memory) {
    held -= memory != NULL;
    __libc_free(memory);
}

#endif

long blocks_held(void) {
    return held;
}

void fail_malloc_at(unsigned long number) {
    has_failed = false;
    left = number;
}

bool end_failing_malloc(void) {
    left = 0;
    return has_failed;
}

void pause_failing_malloc(void) {
    is_paused = true;
}

void resume_failing_malloc(void) {
    is_paused = false;
}
