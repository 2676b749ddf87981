/* A program that defines these has them called by every library. */
#define _GNU_SOURCE
#include "failing_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local struct {
    bool is_on;
    const char *name;
    unsigned number, seen;
    int error;
    size_t most;
    file_calls calls;
} now;

void fail_file_call(const char *name, unsigned number, int error) {
    now.is_on = true;
    now.name = name;
    now.number = number;
    now.seen = 0;
    now.error = error;
}

void shorten_file_calls(size_t most) {
    now.is_on = true;
    now.most = most;
}

file_calls end_failing_files(void) {
    const file_calls calls = now.calls;
    memset(&now, 0, sizeof now);
    return calls;
}

static bool fails(const char *name) {
    if (!now.is_on || now.name == NULL || strcmp(now.name, name) != 0 || (++now.seen != now.number && now.number != 0))
        return false;
    errno = now.error;
    return true;
}

static size_t shortened(size_t bytes) {
    return now.is_on && now.most != 0 && bytes > now.most ? now.most : bytes;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
        if (now.is_on) {
            now.calls.opened++;
            snprintf(now.calls.made, sizeof now.calls.made, "%s", path);
        }
        if (fails("open"))
            return -1;
    } else if (now.is_on) {
        now.calls.flags = flags;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int descriptor, void *to, size_t bytes) {
    const bool is_ours = (now.calls.flags & O_NOFOLLOW) != 0; /* not what the emulator asks the system */
    if (is_ours && bytes > now.calls.most_read)
        now.calls.most_read = bytes;
    return is_ours && fails("read") ? -1 : syscall(SYS_read, descriptor, to, shortened(bytes));
}

ssize_t write(int descriptor, const void *from, size_t bytes) {
    if (now.is_on && bytes > now.calls.most_written)
        now.calls.most_written = bytes;
    if (fails("write"))
        return now.error == 0 ? 0 : -1;
    return syscall(SYS_write, descriptor, from, shortened(bytes));
}

int close(int descriptor) {
    const int closed = (int)syscall(SYS_close, descriptor);
    return fails("close") ? -1 : closed;
}

int mkdir(const char *path, mode_t mode) {
    const bool is_failing = fails("mkdir");
    if (is_failing && now.error != EEXIST)
        return -1;
    const int made = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (is_failing)
        errno = EEXIST;
    return is_failing ? -1 : made;
}

int access(const char *path, int mode) {
    if (now.is_on)
        now.calls.access_mode = mode;
    return fails("access") ? -1 : (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int fsync(int descriptor) {
    return fails("fsync") ? -1 : (int)syscall(SYS_fsync, descriptor);
}
