#define _GNU_SOURCE
#include "output_file.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_stdout(const char *path) {
    return strcmp(path, "-") == 0;
}

/* For a file that does not exist yet: its folder, and its name in it. */
static int stat_folder(const char *path, struct stat *status, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    char *folder = slash == NULL ? cli_text(".") : cli_text("%.*s", (int)(slash - path) + 1, path);
    const int result = stat(folder, status);
    free(folder);
    return result;
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A symbolic link stays; its target is replaced or created. */
static char *follow_links(const char *path) {
    enum { MOST_LINKS = 40 /* Linux's limit */ };
    char *target = cli_text("%s", path), next[PATH_MAX];
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t length = readlink(target, next, sizeof next);
        if (length < 0 || length == sizeof next)
            break;
        const char *slash = *next == '/' ? NULL : strrchr(target, '/');
        char *followed = cli_text("%.*s%.*s", slash != NULL ? (int)(slash - target) + 1 : 0, target, (int)length, next);
        free(target);
        target = followed;
    }
    return target;
}

/* For files that do not exist yet: whether both names lead to one. */
static bool same_new_file(const char *a, const char *b) {
    struct stat a_folder, b_folder;
    const char *a_name, *b_name;
    char *const a_target = follow_links(a), *const b_target = follow_links(b);
    const bool same = stat_folder(a_target, &a_folder, &a_name) == 0 &&
                      stat_folder(b_target, &b_folder, &b_name) == 0 && same_inode(&a_folder, &b_folder) &&
                      strcmp(a_name, b_name) == 0;
    free(a_target);
    free(b_target);
    return same;
}

bool output_same_file(const char *a, const char *b) {
    struct stat a_status, b_status;
    if (strcmp(a, b) == 0)
        return true;
    if (output_is_stdout(a) || output_is_stdout(b))
        return false;
    if (stat(a, &a_status) == 0 && stat(b, &b_status) == 0)
        return S_ISREG(a_status.st_mode) && same_inode(&a_status, &b_status);
    return same_new_file(a, b);
}

static bool failed(const char *path, int error) {
    cli_error("cannot write '%s': %s", path, strerror(error));
    return false;
}

/* The standard stream that writes to this file, or -1: the output is appended there. */
static int stream_of(const char *path) {
    struct stat status, stream;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return -1;
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; number++)
        if (fstat(number, &stream) == 0 && same_inode(&status, &stream))
            return number;
    return -1;
}

/* A device or a pipe must not be replaced by a file of its name. */
static bool is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* In a sticky folder that is writable for all, another user's file can be written, not replaced. */
static bool is_others_for_good(const char *path) {
    struct stat file, folder;
    const char *name;
    const uid_t user = geteuid();
    return user != 0 && stat(path, &file) == 0 && stat_folder(path, &folder, &name) == 0 &&
           (folder.st_mode & S_ISVTX) != 0 && file.st_uid != user && folder.st_uid != user;
}

/* In the target's folder, because a file can be renamed only within its file system. */
static int create_temporary(const char *target, char **temporary) {
    const char *slash = strrchr(target, '/');
    int folder = slash != NULL ? (int)(slash - target) + 1 : 0;
    *temporary = cli_text("%.*s.wavefold.XXXXXX", folder, target);
    int descriptor = mkostemp(*temporary, O_CLOEXEC);
    if (descriptor < 0) {
        int error = errno;
        free(*temporary);
        *temporary = NULL;
        errno = error;
    }
    return descriptor;
}

/* Signals are blocked while the temporary file exists, or it would remain: one at a time. The library's own threads
 * take no signals. */
static sigset_t blocked_before;
static const int held[] = {SIGHUP, SIGINT, SIGTERM};
enum { HELD = sizeof held / sizeof *held };

static void hold_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < HELD; i++)
        sigaddset(&set, held[i]);
    (void)pthread_sigmask(SIG_BLOCK, &set, &blocked_before);
}

static void release_signals(void) {
    (void)pthread_sigmask(SIG_SETMASK, &blocked_before, NULL);
}

/* A signal that is ignored waits, too, while it is blocked. */
bool output_is_interrupted(void) {
    sigset_t waiting;
    struct sigaction action;
    bool came = false;
    if (sigpending(&waiting) != 0)
        return false;
    for (size_t i = 0; i < HELD; i++)
        came |= sigismember(&waiting, held[i]) == 1 && sigismember(&blocked_before, held[i]) == 0 &&
                sigaction(held[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN;
    return came;
}

bool output_check(const char *path) {
    struct stat status;
    if (output_is_stdout(path))
        return true;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) /* a link that may not be followed, for one */
        return failed(path, errno);
    if (exists && S_ISDIR(status.st_mode))
        return failed(path, EISDIR);
    if (*path == '\0' || path[strlen(path) - 1] == '/')
        return failed(path, *path != '\0' ? EISDIR : ENOENT);
    /* Renaming would replace a write-protected file, which its owner wants to keep. */
    if (exists && access(path, W_OK) != 0)
        return failed(path, errno);
    if (is_special(path) || stream_of(path) >= 0)
        return true;
    char *target = follow_links(path), *temporary;
    if (is_others_for_good(target)) {
        free(target);
        return failed(path, EPERM);
    }
    hold_signals();
    int descriptor = create_temporary(target, &temporary);
    int error = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(temporary);
        free(temporary);
    }
    release_signals();
    free(target);
    return descriptor >= 0 || failed(path, error);
}

/* The permissions of the target, or of a new file. */
static mode_t target_mode(const char *target) {
    struct stat status;
    if (stat(target, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool output_begin(output_file *file, const char *path) {
    *file = (output_file){0};
    if (output_is_stdout(path)) {
        file->stream = stdout;
        return true;
    }
    int descriptor;
    const int stream = stream_of(path);
    file->target = follow_links(path);
    if (stream >= 0) {
        fflush(stdout);
        descriptor = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (is_special(path)) {
        descriptor = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        hold_signals();
        descriptor = create_temporary(file->target, &file->temporary);
        if (descriptor >= 0)
            (void)fchmod(descriptor, target_mode(file->target));
        else
            release_signals();
    }
    file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    return file->stream != NULL || output_end(file, path, errno);
}

/* 0, or the errno of an incomplete write. */
static int close_stream(FILE *stream, bool keep) {
    int error = 0;
    if (fflush(stream) != 0 || (keep && fsync(fileno(stream)) != 0))
        error = errno;
    if (fclose(stream) != 0 && error == 0)
        error = errno;
    return error;
}

/* 0, or the errno of what failed: error if it is not 0. */
static int end(output_file *file, int error) {
    if (file->stream == stdout)
        return 0;
    if (file->stream != NULL) {
        int closing = close_stream(file->stream, error == 0 && file->temporary != NULL);
        error = error != 0 ? error : closing;
    }
    if (error == 0 && file->temporary != NULL && rename(file->temporary, file->target) != 0)
        error = errno;
    if (error != 0 && file->temporary != NULL)
        (void)unlink(file->temporary);
    if (file->temporary != NULL)
        release_signals();
    free(file->temporary);
    free(file->target);
    *file = (output_file){0};
    return error;
}

bool output_end(output_file *file, const char *path, int error) {
    error = end(file, error);
    return error == 0 || failed(path, error);
}

void output_abandon(output_file *file) {
    (void)end(file, ECANCELED);
}

bool output_write(const char *path, bool write(const void *what, FILE *stream), const void *what) {
    output_file file;
    if (!output_begin(&file, path))
        return false;
    errno = 0;
    int error = write(what, file.stream) ? 0 : errno != 0 ? errno : EIO;
    return output_end(&file, path, error);
}
