#define _GNU_SOURCE
#include "watch_file.h"

#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { SETTLES = 60 /* ms: an editor's several writes are one change */ };

bool file_watch_begin(file_watch *of, const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? cli_text(".") : cli_text("%.*s", slash == path ? 1 : (int)(slash - path), path);
    *of = (file_watch){.events = inotify_init1(IN_CLOEXEC), .name = slash == NULL ? path : slash + 1};
    const uint32_t changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    const bool is_watched = of->events >= 0 && inotify_add_watch(of->events, folder, changes) >= 0;
    if (!is_watched)
        cli_error("cannot watch '%s': %s", folder, strerror(errno));
    if (!is_watched && of->events >= 0)
        close(of->events);
    free(folder);
    return is_watched;
}

/* Reads all events that are there. is_changed: one of them is of the file. False: the folder is gone, or the read
 * failed. */
static bool take_events(const file_watch *of, bool *is_changed) {
    _Alignas(struct inotify_event) char events[1 << 14];
    const ssize_t length = read(of->events, events, sizeof events);
    if (length <= 0)
        return length < 0 && errno == EINTR;
    for (ssize_t at = 0; at < length;) {
        const struct inotify_event *event = (const struct inotify_event *)(events + at);
        if ((event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0)
            return false;
        /* A hard link or a symbolic link that takes the file's place is a creation without a write. */
        if ((event->mask & IN_Q_OVERFLOW) != 0 || (event->len > 0 && strcmp(event->name, of->name) == 0))
            *is_changed = true;
        at += (ssize_t)(sizeof *event + event->len);
    }
    return true;
}

bool file_watch_wait(file_watch *of) {
    bool is_changed = false;
    struct pollfd readable = {.fd = of->events, .events = POLLIN};
    for (;;) {
        const int ready = poll(&readable, 1, is_changed ? SETTLES : -1);
        if (ready == 0)
            return true;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0 || !take_events(of, &is_changed))
            break;
    }
    cli_error("cannot watch the folder of '%s' any more: it was moved or removed", of->name);
    return false;
}

void file_watch_end(file_watch *of) {
    close(of->events);
}
