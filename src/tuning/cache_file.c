#define _GNU_SOURCE
#include "cache_file.h"
#include "cancellation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* secure_getenv: in a program of raised privileges the caller must not choose the folder. */
bool wf_cache_path(const char *name, char path[WF_CACHE_PATH]) {
    const char *own = secure_getenv("WAVEFOLD_CACHE");
    const char *caches = secure_getenv("XDG_CACHE_HOME"); /* the specification ignores relative paths */
    const char *home = secure_getenv("HOME");
    int length = WF_CACHE_PATH;
    if (own != NULL && *own != '\0')
        length = snprintf(path, WF_CACHE_PATH, "%s/%s", own, name);
    else if (caches != NULL && *caches == '/')
        length = snprintf(path, WF_CACHE_PATH, "%s/wavefold/%s", caches, name);
    else if (home != NULL && *home == '/')
        length = snprintf(path, WF_CACHE_PATH, "%s/.cache/wavefold/%s", home, name);
    const bool fits = length > 0 && length < WF_CACHE_PATH;
    if (!fits)
        *path = '\0';
    return fits;
}

static int read_all(int descriptor, char *text, size_t room, size_t *length) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
    size_t used = 0;
    while (used < room) {
        const ssize_t got = read(descriptor, text + used, room - used);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0)
            break;
        used += got > 0 ? (size_t)got : 0;
    }
    *length = used;
    return used < room ? 0 : EFBIG;
}

static int read_file(const char *path, char *text, size_t room, size_t *length) {
    /* If other users can write to the folder, a link could name any file of this user, and a pipe would block. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return errno;
    const int error = read_all(descriptor, text, room, length);
    close(descriptor);
    return error;
}

int wf_cache_read(const char *path, char *text, size_t room, size_t *length) {
    const int before = wf_disable_cancellation();
    const int error = read_file(path, text, room, length);
    wf_restore_cancellation(before);
    return error;
}

/* Creates the folder and its parents, with the mode that the XDG Base Directory Specification demands. */
static int make_folders(char *folder) {
    if (mkdir(folder, 0700) == 0 || errno == EEXIST)
        return 0;
    char *slash = strrchr(folder, '/');
    if (errno != ENOENT || slash == NULL || slash == folder)
        return errno;
    *slash = '\0';
    const int error = make_folders(folder);
    *slash = '/';
    if (error != 0)
        return error;
    return mkdir(folder, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

int wf_cache_prepare(const char *path) {
    char folder[WF_CACHE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0'; /* wf_cache_path put it there */
    if (*folder == '\0')
        return 0;
    const int error = make_folders(folder);
    if (error != 0)
        return error;
    struct stat status; /* the path may name something else than a folder */
    if (stat(folder, &status) != 0)
        return errno;
    if (!S_ISDIR(status.st_mode))
        return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

static int write_all(int descriptor, const char *text, size_t length) {
    size_t written = 0;
    while (written < length) {
        const ssize_t put = write(descriptor, text + written, length - written);
        if (put < 0 && errno != EINTR)
            return errno;
        written += put > 0 ? (size_t)put : 0;
    }
    return fsync(descriptor) == 0 ? 0 : errno;
}

/* Creates a file next to path, in the same file system, so that it can be renamed to path. Unlike mkstemp it respects
 * the umask. */
static int create_beside(const char *path, char temporary[WF_CACHE_PATH + 32]) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(temporary, WF_CACHE_PATH + 32, "%s.%08lx%06lx", path, (unsigned long)getpid(),
                 (unsigned long)(now.tv_nsec + attempt) & 0xffffff);
        /* O_EXCL follows no link, not even a dangling one. */
        const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

int wf_cache_write(const char *path, const char *text, size_t length) {
    char temporary[WF_CACHE_PATH + 32];
    int error = wf_cache_prepare(path);
    if (error != 0)
        return error;
    const int descriptor = create_beside(path, temporary);
    if (descriptor < 0)
        return errno;
    error = write_all(descriptor, text, length);
    if (close(descriptor) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(temporary, path) != 0)
        error = errno;
    if (error != 0)
        (void)unlink(temporary);
    return error;
}
