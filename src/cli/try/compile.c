#define _GNU_SOURCE
#include "compile.h"

#include "cli/cli.h"
#include "interruption.h"
#include "launched_arrays.h"
#include "misfit.h"
#include "translate.h"
#include "translated_text.h"
#include "wavefold.h"

#include <dirent.h>
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
    bool is_too_long; /* words are missing: it must not run */
} command;

static void add(command *to, char *word) {
    if (to->count < MOST_WORDS) {
        to->words[to->count++] = word;
    } else {
        to->is_too_long = true;
        free(word);
    }
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
static command compile_command(const char *compiler, const kernel_file *file, const char *runtime, const char *source,
                               const char *object) {
    static const char *const flags[] = {"-std=c++20", "-O1", "-g", "-pthread", "-DWF_HOST_DEVICE", "-DWF_WATCHED"};
    static const char *const plain_flags[] = {"-fsanitize=thread", "-DWF_TRY_PLAIN"};
    command made = begin_command(compiler);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add(&made, cli_text("%s", flags[i]));
    for (size_t i = 0; file->is_plain && i < sizeof plain_flags / sizeof *plain_flags; i++)
        add(&made, cli_text("%s", plain_flags[i]));
    add(&made, cli_text("-iquote"));
    add(&made, folder_of(file->path));
    add(&made, cli_text("-I%s/include", runtime));
    if (file->is_plain)
        add(&made, cli_text("-I%s/include/host/try/shadow", runtime));
    add(&made, cli_text("-include"));
    add(&made, cli_text("%s/include/host/try/try.hpp", runtime));
    add(&made, cli_text("-c"));
    add(&made, cli_text("-o"));
    add(&made, cli_text("%s", object));
    add(&made, cli_text("-x"));
    add(&made, cli_text("c++"));
    add(&made, cli_text("%s", source));
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
    add(&made, cli_text("-Xlinker")); /* also for a program that calls nothing of the library */
    add(&made, cli_text("--no-as-needed"));
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

/* The environment in which compilers speak English. */
static char **english_environment(void) {
    static char language[] = "LC_ALL=C";
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    char **made = cli_allocate(count + 2, sizeof *made);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], language, strlen("LC_ALL=")) != 0)
            made[kept++] = environ[i];
    made[kept++] = language;
    made[kept] = NULL;
    return made;
}

/* messages: the file that its standard error goes to. 0 if it ran and succeeded, ENOENT if there is no such program, or
 * another number. */
static int run(const command *what, int messages) {
    pid_t child;
    int status = 0, error;
    posix_spawnattr_t apart; /* in a process group, so that its children can be ended, too */
    posix_spawn_file_actions_t actions;
    if (what->count == 0)
        return ENOENT;
    if (what->is_too_long)
        return E2BIG;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    char **in_english = english_environment();
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    error = posix_spawnp(&child, what->words[0], &actions, &apart, what->words, in_english);
    free(in_english);
    posix_spawn_file_actions_destroy(&actions);
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
static int run_once(command what, int messages) {
    const int error = run(&what, messages);
    free_words(&what);
    return error;
}

/* Runs the first compiler that exists. ENOENT: none exists. ECANCELED: the failure was reported. */
static int make(const kernel_file *file, const char *runtime, const trial_program *program, int messages) {
    const char *const own = getenv("CXX");
    const char *const compilers[] = {own != NULL && *own != '\0' ? own : "c++",
                                     own != NULL && *own != '\0' ? own : "g++"};
    char *object = cli_text("%s/.kernel.o", program->folder), *arrays = cli_text("%s/.arrays.cpp", program->folder);
    char *arrays_object = cli_text("%s/.arrays.o", program->folder), *source = translate(file, program->folder);
    int error = source != NULL ? ENOENT : ECANCELED;
    for (size_t i = 0; i < 2 && error == ENOENT; i++) {
        error = run_once(compile_command(compilers[i], file, runtime, source, object), messages);
        if (error == 0 && interruption_came())
            error = EINTR;
        if (error == 0 && !launched_arrays_write(object, arrays))
            error = ECANCELED;
        if (error == 0)
            error = run_once(arrays_command(compilers[i], arrays, arrays_object), messages);
        if (error == 0)
            error = run_once(link_command(compilers[i], runtime, object, arrays_object, program->path), messages);
    }
    free(source);
    free(arrays_object);
    free(arrays);
    free(object);
    return error;
}

/* Prints the compiler's messages, and what they mean. */
static void report_messages(const kernel_file *file, bool is_verbose, const char *text, const compiler_messages *of) {
    char *misfit = misfit_of(file, of);
    if (is_verbose)
        fputs(text, stderr);
    else if (misfit == NULL)
        fputs(of->shown, stderr);
    if (of->more > 0 && !is_verbose && misfit == NULL)
        fprintf(stderr, "%zu more error%s; --verbose prints all\n", of->more, of->more == 1 ? "" : "s");
    if (of->missing != NULL)
        cli_error(
            "'%s' includes '%s', which is not there: put it beside the file, or leave the include and its uses out",
            file->path, of->missing);
    else if (misfit != NULL)
        cli_error("'%s' does not compile: %s", file->path, misfit);
    else
        cli_error("'%s' does not compile: the compiler's own message is above", file->path);
    free(misfit);
}

/* Prints why there is no program. */
static void report_failure(const kernel_file *file, bool is_verbose, int error, const char *text,
                           compiler_messages *messages) {
    if (error == ENOENT) {
        cli_error("no C++ compiler was found (%s): install g++, or name one in CXX",
                  getenv("CXX") != NULL ? getenv("CXX") : "c++, g++");
    } else if (error == E2BIG) {
        cli_error("the compiler's command has more than %d words: shorten CXX, or name a script in it",
                  (int)MOST_WORDS);
    } else if (error != ECANCELED) {
        *messages = compiler_messages_read(text, file->path);
        report_messages(file, is_verbose, text, messages);
    }
}

static bool make_folder(trial_program *program) {
    program->folder = cli_text("%s/wavefold-try-XXXXXX", temporary_folder());
    if (mkdtemp(program->folder) != NULL) {
        program->path = cli_text("%s/.kernel", program->folder);
        return true;
    }
    cli_error("cannot make a folder in '%s': %s", temporary_folder(), strerror(errno));
    free(program->folder);
    return false;
}

/* Removes "FOLDER/" everywhere: a linker names the files of the trial's folder, which have the user's names. */
static void cut_folder(char *text, const char *folder) {
    const size_t length = strlen(folder);
    for (char *c = text; (c = strstr(c, folder)) != NULL;)
        if (c[length] == '/')
            memmove(c, c + length + 1, strlen(c + length + 1) + 1);
        else
            c++;
}

bool compile_trial(const kernel_file *file, bool is_verbose, trial_program *program, compiler_messages *messages) {
    *messages = (compiler_messages){.shown = NULL};
    const int heard = compiler_messages_open();
    if (heard < 0) {
        cli_error("cannot keep the compiler's messages: %s", strerror(errno));
        return false;
    }
    char *runtime = find_runtime();
    if (runtime == NULL || !make_folder(program)) {
        free(runtime);
        close(heard);
        return false;
    }
    const int error = make(file, runtime, program, heard);
    free(runtime);
    char *text = compiler_messages_text(heard);
    close(heard);
    cut_folder(text, program->folder);
    if (error != 0)
        remove_trial(program); /* first: standard error may be closed */
    if (error == 0 && is_verbose)
        fputs(text, stderr);
    else if (error != 0 && !interruption_came())
        report_failure(file, is_verbose, error, text, messages);
    free(text);
    return error == 0;
}

void remove_trial(trial_program *program) {
    DIR *folder = opendir(program->folder);
    for (const struct dirent *each; folder != NULL && (each = readdir(folder)) != NULL;) {
        char *path = cli_text("%s/%s", program->folder, each->d_name);
        unlink(path); /* not "." and ".." */
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(program->folder);
    free(program->path);
    free(program->folder);
}
