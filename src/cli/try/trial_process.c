#define _GNU_SOURCE
#include "trial_process.h"

#include "cli/cli.h"
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

enum { GRACE = 2 /* seconds for a stopped program to report its position */ };
enum { MOST_AT_ONCE = 8, ANSWER = 3 /* the descriptor in a program of its own */ };
enum { MOST_ANSWER = 1 << 26, MOST_OUTPUT = 1 << 18 };

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
        ends[e] = fcntl(low[e], F_DUPFD_CLOEXEC, ANSWER + 1);
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

/* ---- The beginning of a process ---- */

/* The environment with the variable that program.cpp reads; its last entry is the variable. */
static char **program_environment(const trial_process *of, unsigned seconds) {
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    char **extended = cli_allocate(count + 2, sizeof *extended);
    memcpy(extended, environ, count * sizeof *extended);
    extended[count] = cli_text("WAVEFOLD_TRY_RUN=%u %u %u %d", of->width, of->order, seconds, (int)ANSWER);
    extended[count + 1] = NULL;
    return extended;
}

/* In a process group, so that its children end with it. */
static int spawn_apart(trial_process *of, const char *program, const posix_spawn_file_actions_t *actions,
                       char *const *arguments, char *const *environment) {
    posix_spawnattr_t apart;
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    const int error = posix_spawn(&of->id, program, actions, &apart, arguments, environment);
    posix_spawnattr_destroy(&apart);
    return error;
}

static int spawn_program(trial_process *of, const char *program, unsigned seconds, char **arguments, int answer,
                         int output) {
    char *none[] = {(char[]){"program"}, NULL};
    char **environment = program_environment(of, seconds);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, answer, ANSWER);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    const int error = spawn_apart(of, program, &actions, arguments != NULL ? arguments : none, environment);
    posix_spawn_file_actions_destroy(&actions);
    size_t last = 0;
    while (environment[last + 1] != NULL)
        last++;
    free(environment[last]);
    free(environment);
    return error;
}

static int spawn_trial(trial_process *of, const char *program, unsigned seconds, int answer) {
    char *arguments[] = {(char[]){"wavefold try"}, cli_text("%u", of->width), cli_text("%u", seconds), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, answer, STDOUT_FILENO);
    const int error = spawn_apart(of, program, &actions, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(arguments[1]);
    free(arguments[2]);
    return error;
}

static bool start(trial_process *of, const char *program, unsigned seconds, char **arguments) {
    int answer[2] = {-1, -1}, output[2] = {-1, -1}, error = 0;
    if (!open_pipe(answer) || (of->is_program && !open_pipe(output)))
        error = errno;
    if (error == 0)
        error = of->is_program ? spawn_program(of, program, seconds, arguments, answer[1], output[1])
                               : spawn_trial(of, program, seconds, answer[1]);
    of->deadline = now() + (double)seconds + (double)GRACE;
    for (size_t i = 0; i < 2; i++) {
        const int unused = i == 0 ? answer[1] : output[1];
        if (unused >= 0)
            close(unused);
    }
    of->answer.from = answer[0];
    of->output.from = output[0];
    if (error == 0)
        return true;
    of->id = 0;
    cli_error("cannot run the kernel: %s", strerror(error));
    return false;
}

/* ---- What comes from it ---- */

static void close_text(trial_text *of) {
    if (of->from >= 0)
        close(of->from);
    of->from = -1;
}

/* Reads what is there; closes the pipe at its end. */
static void take(trial_text *of, size_t most) {
    char piece[1 << 14];
    const ssize_t length = read(of->from, piece, sizeof piece);
    if (length < 0 && errno == EINTR)
        return;
    char *longer = length > 0 && of->length < most ? realloc(of->text, of->length + (size_t)length + 1) : NULL;
    if (length <= 0) {
        close_text(of);
    } else if (longer == NULL) {
        of->is_cut = true;
    } else {
        memcpy(longer + of->length, piece, (size_t)length);
        of->text = longer;
        of->length += (size_t)length;
        of->text[of->length] = '\0';
    }
}

static void finish(trial_process *of) {
    kill(-of->id, SIGKILL); /* it may still run with closed pipes, or have left children */
    close_text(&of->answer);
    close_text(&of->output);
    while (waitpid(of->id, &of->status, 0) < 0 && errno == EINTR)
        continue;
    of->id = 0;
}

/* Waits until a process has something to say, or the first deadline. */
static void listen(trial_process *of, size_t count) {
    struct pollfd ends[2 * MOST_AT_ONCE];
    trial_text *texts[2 * MOST_AT_ONCE];
    size_t open = 0;
    double deadline = now() + 3600;
    for (size_t i = 0; i < count; i++) {
        if (of[i].id == 0)
            continue;
        deadline = of[i].deadline < deadline ? of[i].deadline : deadline;
        for (size_t t = 0; t < 2; t++) {
            trial_text *const text = t == 0 ? &of[i].answer : &of[i].output;
            texts[open] = text;
            ends[open++] = (struct pollfd){.fd = text->from, .events = POLLIN};
        }
    }
    const double left = deadline - now();
    const int ready = poll(ends, open, left > 0 ? (int)(left * 1000) + 1 : 0);
    for (size_t i = 0; ready > 0 && i < open; i++)
        if (ends[i].revents != 0)
            take(texts[i], i % 2 == 0 ? MOST_ANSWER : MOST_OUTPUT);
    for (size_t i = 0; i < count; i++)
        if (of[i].id != 0 && ((of[i].answer.from < 0 && of[i].output.from < 0) || now() >= of[i].deadline))
            finish(&of[i]);
}

bool trial_processes_run(trial_process *of, size_t count, const char *program, unsigned seconds, char **arguments) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = cores < 2 ? 2 : cores < MOST_AT_ONCE ? (size_t)cores : MOST_AT_ONCE;
    size_t started = 0, running = 0;
    bool can_go_on = true;
    for (size_t i = 0; i < count; i++)
        of[i].answer.from = of[i].output.from = -1;
    do {
        while (can_go_on && started < count && running < most && !interruption_came()) {
            can_go_on = start(&of[started], program, seconds, arguments);
            started += can_go_on;
            running += can_go_on;
        }
        if (running > 0 && can_go_on && !interruption_came())
            listen(of, started);
        running = 0;
        for (size_t i = 0; i < started; i++) {
            if (of[i].id != 0 && (!can_go_on || interruption_came()))
                finish(&of[i]);
            running += of[i].id != 0;
        }
    } while (running > 0 || (can_go_on && started < count && !interruption_came()));
    return can_go_on;
}

char *trial_process_end(const trial_process *of) {
    return !WIFSIGNALED(of->status) ? cli_text("it ended without an answer (exit status %d)", WEXITSTATUS(of->status))
           : WTERMSIG(of->status) == SIGKILL ? cli_text("it did not end")
                                             : cli_text("it crashed (%s)", strsignal(WTERMSIG(of->status)));
}

void trial_process_free(trial_process *of) {
    close_text(&of->answer);
    close_text(&of->output);
    free(of->answer.text);
    free(of->output.text);
}
