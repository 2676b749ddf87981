#include "subcommands.h"

#include "cli/cli.h"
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"help", "version"};
enum { WORDS = sizeof words / sizeof *words };

static _Noreturn void refuse(const char *name, const char *const *names, size_t count) {
    const char **known = cli_allocate(count + WORDS, sizeof *known);
    memcpy(known, names, count * sizeof *names);
    memcpy(known + count, words, sizeof words);
    const char *nearest = wf_nearest_name(name, known, count + WORDS);
    free(known);
    if (nearest != NULL)
        cli_usage_error("unknown subcommand '%s'; did you mean '%s'? See %s --help", name, nearest, cli_program);
    cli_usage_error("unknown subcommand '%s'; see %s --help", name, cli_program);
}

size_t subcommand_find(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    refuse(name, names, count);
}

static void end_behind(int last, int argc, char *const *argv) {
    if (argc > last + 1)
        cli_usage_error("'%s' is one argument too many; see %s --help", argv[last + 1], cli_program);
}

static int show_help(int argc, char **argv, const char *const *names, size_t count) {
    static char option[] = "--help";
    char *subcommand = argc > 2 ? argv[2] : NULL;
    argv[1] = option;
    if (subcommand == NULL)
        return argc;
    end_behind(2, argc, argv);
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(subcommand, words[i]) == 0 || strcmp(subcommand, option) == 0)
            return 2;
    (void)subcommand_find(subcommand, names, count);
    argv[1] = subcommand;
    argv[2] = option;
    return argc;
}

int subcommand_words(int argc, char **argv, const char *const *names, size_t count) {
    static char option[] = "--version";
    if (argc < 2)
        return argc;
    if (strcmp(argv[1], "help") == 0)
        return show_help(argc, argv, names, count);
    if (strcmp(argv[1], "version") == 0) {
        if (argc == 3 && strcmp(argv[2], "--help") == 0) {
            argv[1] = argv[2];
            return 2;
        }
        end_behind(1, argc, argv);
        argv[1] = option;
    }
    return argc;
}
