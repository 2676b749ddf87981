#define _GNU_SOURCE
#include "trial.h"

#include "cli/cli.h"
#include "cli/output/json.h"
#include "interruption.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

const unsigned trial_widths[TRIAL_WIDTHS] = {32, 64};

enum { GRACE = 2 /* seconds for a stopped program to report its position */ };

typedef struct child {
    pid_t process;
    int from; /* its standard output */
    char *text;
    size_t length;
} child;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A pipe whose ends are not the numbers of closed standard streams, as one end becomes the child's standard output.
 * Children inherit neither end. */
static bool open_pipe(int ends[2]) {
    int low[2];
    if (pipe(low) != 0)
        return false;
    for (size_t e = 0; e < 2; e++)
        ends[e] = fcntl(low[e], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(low[0]);
    close(low[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (size_t e = 0; e < 2; e++)
        if (ends[e] >= 0)
            close(ends[e]);
    errno = error;
    return false;
}

static bool start(child *of, const char *program, unsigned width, unsigned seconds) {
    int ends[2];
    if (!open_pipe(ends)) {
        cli_error("cannot run the kernel: %s", strerror(errno));
        return false;
    }
    char *arguments[] = {(char[]){"wavefold try"}, cli_text("%u", width), cli_text("%u", seconds), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error = posix_spawn(&of->process, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(arguments[1]);
    free(arguments[2]);
    close(ends[1]);
    *of = (child){.process = of->process, .from = ends[0]};
    if (error != 0) {
        cli_error("cannot run the kernel: %s", strerror(error));
        close(ends[0]);
    }
    return error == 0;
}

/* Reads available output; false at the end. */
static bool take(child *of) {
    char piece[1 << 14];
    const ssize_t length = read(of->from, piece, sizeof piece);
    if (length < 0 && errno == EINTR)
        return true;
    if (length <= 0)
        return false;
    char *longer = realloc(of->text, of->length + (size_t)length);
    if (longer == NULL)
        return false;
    memcpy(longer + of->length, piece, (size_t)length);
    of->text = longer;
    of->length += (size_t)length;
    return true;
}

/* Reads until both programs end, the time is over, or a signal arrives. */
static void listen(child *children, double deadline) {
    struct pollfd ends[TRIAL_WIDTHS];
    size_t open = TRIAL_WIDTHS;
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        ends[i] = (struct pollfd){.fd = children[i].from, .events = POLLIN};
    while (open > 0 && !interruption_came()) {
        const double left = deadline - now();
        const int ready = poll(ends, TRIAL_WIDTHS, left > 0 ? (int)(left * 1000) + 1 : 0);
        if (ready == 0 && now() >= deadline)
            break;
        for (size_t i = 0; ready > 0 && i < TRIAL_WIDTHS; i++)
            if (ends[i].revents != 0 && !take(&children[i])) {
                ends[i].fd = -1; /* which poll ignores */
                open--;
            }
    }
}

/* The answer in place of a program that gave none. */
static json_t *no_answer(unsigned width, int status) {
    json_t *answer = json_object(), *stopped = json_object();
    char *why = !WIFSIGNALED(status) ? cli_text("it ended without an answer (exit status %d)", WEXITSTATUS(status))
                : WTERMSIG(status) == SIGKILL ? cli_text("it did not end")
                                              : cli_text("it crashed (%s)", strsignal(WTERMSIG(status)));
    json_put(stopped, "why", json_text(why));
    json_put(answer, "wave", json_integer(width));
    json_put(answer, "findings", json_array());
    json_put(answer, "stopped", stopped);
    free(why);
    return answer;
}

static json_t *finish(child *of, unsigned width) {
    int status = 0;
    kill(of->process, SIGKILL); /* it may still run with a closed output */
    close(of->from);
    while (waitpid(of->process, &status, 0) < 0 && errno == EINTR)
        continue;
    json_t *answer = of->length > 0 ? json_read(of->text, of->length) : NULL;
    free(of->text);
    /* A file with a main() of its own may have printed anything. */
    if (json_integer_value(json_object_get(answer, "wave")) == (json_int_t)width)
        return answer;
    json_decref(answer);
    return no_answer(width, status);
}

bool run_trial(const char *program, unsigned seconds, json_t *answers[TRIAL_WIDTHS]) {
    child children[TRIAL_WIDTHS];
    size_t started = 0;
    while (started < TRIAL_WIDTHS && start(&children[started], program, trial_widths[started], seconds))
        started++;
    if (started < TRIAL_WIDTHS) {
        for (size_t i = 0; i < started; i++)
            json_decref(finish(&children[i], trial_widths[i]));
        return false;
    }
    listen(children, now() + (double)seconds + (double)GRACE);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        answers[i] = finish(&children[i], trial_widths[i]);
    return true;
}
