#define _GNU_SOURCE
#include "kernel_file.h"

#include "cli/cli.h"
#include "proposed_line.h"
#include "source_text.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 20 }; /* no kernel is larger */

static char *read_text(const char *path) {
    struct stat status;
    /* The compiler reads the file again: a pipe would be empty. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        cli_error("'%s' is no regular file, and a kernel is read more than once; save it to a file first", path);
        return NULL;
    }
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        cli_error("cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = cli_allocate(MOST_BYTES + 1, 1);
    const size_t length = fread(text, 1, MOST_BYTES + 1, stream);
    const int error = ferror(stream) ? errno : 0;
    fclose(stream);
    if (error != 0)
        cli_error("cannot read '%s': %s", path, strerror(error));
    else if (length > MOST_BYTES)
        cli_error("'%s' has more than %d bytes, and is no kernel's source; give a smaller file", path, (int)MOST_BYTES);
    else if (memchr(text, '\0', length) != NULL)
        cli_error("'%s' is no file of source: it has a byte that is 0", path);
    else
        return source_without_mark(text);
    free(text);
    return NULL;
}

static bool has(const char *text, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0)
        return false;
    const bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* ---- What it runs ---- */

/* A host function at the top that launches kernels on arrays and is called by no other one. */
static bool may_launch(const kernel_file *file, const function *one) {
    if (one->is_kernel || one->is_device || one->is_template || one->is_inner || !one->launches || !one->has_pointer)
        return false;
    for (size_t i = 0; i < file->functions.count; i++) {
        const function *other = &file->functions.of[i];
        if (other != one && function_has_word(file->code, other, one->name))
            return false;
    }
    return true;
}

/* The function of TRIAL_FUNCTION; NULL: there is none, or several that may be meant, whose names `names` gets. */
static const function *find_launcher(const kernel_file *file, char **names) {
    const function *found = function_named(&file->functions, "solve");
    size_t count = 0;
    found = found != NULL ? found : function_named(&file->functions, "solution");
    if (found != NULL)
        return found;
    for (size_t i = 0; i < file->functions.count; i++) {
        const function *one = &file->functions.of[i];
        if (!may_launch(file, one))
            continue;
        found = one;
        char *longer = cli_text("%s%s%s", *names != NULL ? *names : "", *names != NULL ? ", " : "", one->name);
        free(*names);
        *names = longer;
        count++;
    }
    return count == 1 ? found : NULL;
}

static const function *first_kernel(const functions *of) {
    for (size_t i = 0; i < of->count; i++)
        if (of->of[i].is_kernel)
            return &of->of[i];
    return NULL;
}

static void report_nothing_to_run(const kernel_file *file, const char *launchers) {
    const function *kernel = first_kernel(&file->functions);
    if (launchers != NULL) {
        cli_error("'%s' has no main(), and more than one function that launches kernels: %s; rename the one to run to "
                  "solve",
                  file->path, launchers);
    } else if (kernel != NULL) {
        char *line = proposed_line(file->code, kernel);
        cli_error("'%s' has kernels and no host code that launches them; add at its end a line that says how: %s",
                  file->path, line);
        free(line);
    } else {
        cli_error("'%s' has no kernel that a trial can run: no __global__ function, no main() and no solve(); wavefold "
                  "try --new writes a file to start from",
                  file->path);
    }
}

static bool choose_mode(kernel_file *file) {
    char *launchers = NULL;
    const function *own_main = function_named(&file->functions, "main");
    const bool has_line = has(file->code, "^[[:blank:]]*WF_TRY(_ATOMIC|_ATOMIC_ELEMENTS)?[[:blank:]]*\\(");
    file->mode = has_line ? TRIAL_LINE : own_main != NULL ? TRIAL_PROGRAM : TRIAL_FUNCTION;
    if (file->mode == TRIAL_FUNCTION)
        file->launcher = find_launcher(file, &launchers);
    const bool is_known = file->mode != TRIAL_FUNCTION || file->launcher != NULL;
    if (!is_known)
        report_nothing_to_run(file, launchers);
    free(launchers);
    return is_known;
}

bool kernel_file_read(const char *path, kernel_file *file) {
    *file = (kernel_file){.path = path, .text = read_text(path)};
    if (file->text == NULL)
        return false;
    file->code = source_code(file->text);
    source_join_launches(file->text, file->code);
    source_uncast_kernels(file->text, file->code);
    source_hide_directives(file->code);
    file->functions = functions_of(file->code);
    file->is_plain = !has(file->code, "\\<(tiled_index|array_view)\\>");
    file->has_launcher = has(file->code, "<<<|\\<main[[:blank:]]*\\(");
    if (choose_mode(file))
        return true;
    kernel_file_free(file);
    return false;
}

void kernel_file_free(kernel_file *file) {
    functions_free(&file->functions);
    free(file->code);
    free(file->text);
}
