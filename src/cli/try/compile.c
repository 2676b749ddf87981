#define _GNU_SOURCE
#include "compile.h"

#include "cli/cli.h"
#include "interruption.h"
#include "launched_arrays.h"
#include "wavefold.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 64 };

typedef struct command {
    char *words[MOST_WORDS + 1]; /* ends with NULL */
    size_t count;
} command;

static void add(command *to, char *word) {
    if (to->count < MOST_WORDS)
        to->words[to->count++] = word;
    else
        free(word);
}

static void free_words(command *of) {
    for (size_t i = 0; i < of->count; i++)
        free(of->words[i]);
}

/* wavefold-try/ next to the library: headers and library for compiled kernels. Prints the reason and returns NULL if
 * missing. */
static char *find_runtime(void) {
    Dl_info library;
    const char *slash = NULL;
    if (dladdr((const void *)(uintptr_t)&wf_version, &library) != 0)
        slash = strrchr(library.dli_fname, '/');
    char *folder = slash != NULL ? cli_text("%.*s/wavefold-try", (int)(slash - library.dli_fname), library.dli_fname)
                                 : cli_text("wavefold-try");
    char *runtime = cli_text("%s/libwavefold-try.so", folder);
    const bool is_there = access(runtime, R_OK) == 0;
    if (!is_there)
        cli_error("there is no '%s': it is built and installed with the host backend, by gcc 11, clang 16 or newer",
                  runtime);
    free(runtime);
    if (!is_there) {
        free(folder);
        return NULL;
    }
    return folder;
}

static const char *temporary_folder(void) {
    const char *named = secure_getenv("TMPDIR");
    return named != NULL && *named != '\0' ? named : "/tmp";
}

/* The compiler's command: $CXX, which may be several words, or the name. */
static command begin_command(const char *compiler) {
    command made = {.count = 0};
    char *words = cli_text("%s", compiler), *rest = words;
    for (char *word; (word = strsep(&rest, " \t")) != NULL;)
        if (*word != '\0')
            add(&made, cli_text("%s", word));
    free(words);
    return made;
}

/* Plain kernels need the instrumentation only: its calls end in libwavefold-try.so. */
static command compile_command(const char *compiler, const kernel_file *file, const char *runtime, const char *object) {
    static const char *const flags[] = {"-std=c++20", "-O1", "-g", "-pthread", "-DWF_HOST_DEVICE", "-DWF_WATCHED"};
    static const char *const plain_flags[] = {"-fsanitize=thread", "-fno-exceptions", "-DWF_TRY_PLAIN"};
    command made = begin_command(compiler);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add(&made, cli_text("%s", flags[i]));
    for (size_t i = 0; file->is_plain && i < sizeof plain_flags / sizeof *plain_flags; i++)
        add(&made, cli_text("%s", plain_flags[i]));
    add(&made, cli_text("-I%s/include", runtime));
    if (file->is_plain)
        add(&made, cli_text("-I%s/include/host/try", runtime));
    add(&made, cli_text("-include"));
    add(&made, cli_text("%s/include/host/try/try.hpp", runtime));
    add(&made, cli_text("-c"));
    add(&made, cli_text("-o"));
    add(&made, cli_text("%s", object));
    add(&made, cli_text("-x"));
    add(&made, cli_text("c++"));
    /* Otherwise the compiler would read an option, or a file of options. */
    add(&made, cli_text("%s%s", file->path[0] == '-' || file->path[0] == '@' ? "./" : "", file->path));
    return made;
}

static command arrays_command(const char *compiler, const char *arrays, const char *object) {
    command made = begin_command(compiler);
    add(&made, cli_text("-c"));
    add(&made, cli_text("-o"));
    add(&made, cli_text("%s", object));
    add(&made, cli_text("%s", arrays));
    return made;
}

/* Links only objects: clang would leave its own temporary objects outside the trial's folder when interrupted. */
static command link_command(const char *compiler, const char *runtime, const char *object, const char *arrays,
                            const char *program) {
    command made = begin_command(compiler);
    add(&made, cli_text("-pthread"));
    add(&made, cli_text("-o"));
    add(&made, cli_text("%s", program));
    add(&made, cli_text("%s", object));
    add(&made, cli_text("%s", arrays));
    add(&made, cli_text("%s/libwavefold-try.so", runtime));
    for (int i = 0; i < 2; i++) { /* not by -Wl, which a comma in the folder's name would cut */
        add(&made, cli_text("-Xlinker"));
        add(&made, i == 0 ? cli_text("-rpath") : cli_text("%s", runtime));
    }
    return made;
}

/* 0 if it ran and succeeded, ENOENT if there is no such program, or another number. */
static int run(const command *what) {
    pid_t child;
    int status = 0, error;
    posix_spawnattr_t apart; /* in a process group, so that its children can be ended, too */
    if (what->count == 0)
        return ENOENT;
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    error = posix_spawnp(&child, what->words[0], NULL, &apart, what->words, environ);
    posix_spawnattr_destroy(&apart);
    if (error != 0)
        return error;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (interruption_came())
            kill(-child, SIGTERM);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0     ? 0
           : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT
                                                             : EIO;
}

/* As run; the command's words are freed. */
static int run_once(command what) {
    const int error = run(&what);
    free_words(&what);
    return error;
}

/* Runs the first compiler that exists. ENOENT: none exists. ECANCELED: the failure was reported. */
static int make(const kernel_file *file, const char *runtime, const trial_program *program) {
    const char *const own = getenv("CXX");
    const char *const compilers[] = {own != NULL && *own != '\0' ? own : "c++",
                                     own != NULL && *own != '\0' ? own : "g++"};
    char *object = cli_text("%s/kernel.o", program->folder), *arrays = cli_text("%s/arrays.cpp", program->folder);
    char *arrays_object = cli_text("%s/arrays.o", program->folder);
    int error = ENOENT;
    for (size_t i = 0; i < 2 && error == ENOENT; i++) {
        error = run_once(compile_command(compilers[i], file, runtime, object));
        if (error == 0 && interruption_came())
            error = EINTR;
        if (error == 0 && !launched_arrays_write(object, arrays))
            error = ECANCELED;
        if (error == 0)
            error = run_once(arrays_command(compilers[i], arrays, arrays_object));
        if (error == 0)
            error = run_once(link_command(compilers[i], runtime, object, arrays_object, program->path));
    }
    free(arrays_object);
    free(arrays);
    free(object);
    return error;
}

bool compile_trial(const kernel_file *file, trial_program *program) {
    char *runtime = find_runtime();
    if (runtime == NULL)
        return false;
    program->folder = cli_text("%s/wavefold-try-XXXXXX", temporary_folder());
    if (mkdtemp(program->folder) == NULL) {
        cli_error("cannot make a folder in '%s': %s", temporary_folder(), strerror(errno));
        free(program->folder);
        free(runtime);
        return false;
    }
    program->path = cli_text("%s/kernel", program->folder);
    const int error = make(file, runtime, program);
    free(runtime);
    if (error != 0)
        remove_trial(program); /* first: standard error may be closed */
    if (error != 0 && interruption_came())
        return false;
    if (error == ENOENT)
        cli_error("no C++ compiler was found (%s): install g++, or name one in CXX",
                  getenv("CXX") != NULL ? getenv("CXX") : "c++, g++");
    else if (error != 0 && error != ECANCELED)
        cli_error("'%s' does not compile: the compiler's own message is above%s", file->path,
                  file->has_launcher ? "; what launches the kernel on a GPU stands between #ifndef WF_TRY and #endif"
                                     : "");
    return error == 0;
}

void remove_trial(trial_program *program) {
    static const char *const made[] = {"arrays.cpp", "arrays.o", "kernel.o", "kernel"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char *path = cli_text("%s/%s", program->folder, made[i]);
        unlink(path);
        free(path);
    }
    rmdir(program->folder);
    free(program->path);
    free(program->folder);
}
