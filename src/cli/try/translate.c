#define _GNU_SOURCE
#include "translate.h"

#include "cli/cli.h"
#include "host_arrays.h"
#include "kernel_launches.h"
#include "own_headers.h"
#include "source_text.h"
#include "translated_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_function_main(FILE *to, const kernel_file *file) {
    const function *of = file->launcher;
    fprintf(to,
            "\n#line 1 \"wavefold try\"\n"
            "int main(int count, char **words) {\n"
            "    return ::wf::tried::try_function({\"%s\", \"%s\", wf_of_file, %zu, %s}, &%s, count, "
            "words);\n"
            "}\n",
            of->name, of->parameters, of->line, takes_host_arrays(file->code, of) ? "true" : "false", of->name);
}

/* Beside a WF_TRY line the file's own main() is not run; the line makes another. */
static void rename_main(char *text, const kernel_file *file) {
    for (size_t i = 0; i < file->functions.count; i++) {
        const function *one = &file->functions.of[i];
        const char *c = one->list;
        if (strcmp(one->name, "main") != 0)
            continue;
        while (!source_word_at(file->code, c, "main"))
            c--;
        memcpy(text + (c - file->code), "ma1n", 4);
    }
}

char *translate(const kernel_file *file, const char *folder) {
    const char *slash = strrchr(file->path, '/');
    char *path = cli_text("%s/%s", folder, slash != NULL ? slash + 1 : file->path), *own = cli_text("%s", file->text);
    if (file->mode == TRIAL_LINE)
        rename_main(own, file);
    char *text = own_headers_translate(own, file->path, folder), *code = source_code(text);
    FILE *to = fopen(path, "w");
    if (to != NULL) {
        if (file->mode == TRIAL_PROGRAM) /* before the file's own variables */
            fputs("static const int wf_begins = ::wf::tried::begin_program();\n", to);
        if (file->mode == TRIAL_FUNCTION) {
            write_line_one(to, file->path);
            fputs("static const char *const wf_of_file = __FILE__;\n", to);
        }
        write_line_one(to, file->path);
        launches_write(to, text, code);
        if (file->mode == TRIAL_FUNCTION)
            write_function_main(to, file);
    }
    free(code);
    free(text);
    free(own);
    if (to != NULL && ferror(to) == 0 && fclose(to) == 0)
        return path;
    cli_error("cannot write '%s': %s", path, strerror(errno));
    free(path);
    return NULL;
}
