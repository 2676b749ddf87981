#include "text.h"

#include "cli/cli.h"
#include "input_path.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024 };

static bool is_in(unsigned char byte, const char *set) {
    return byte != '\0' && strchr(set, byte) != NULL;
}

/* Length of the text character at this position, or 0 for none: UTF-8's first byte gives the length. Overlong forms,
 * which are rare in numbers, are accepted. */
static size_t character_length(const unsigned char *at, const unsigned char *end, bool is_cut) {
    if (*at < 0x80)
        return (*at >= ' ' && *at < 0x7f) || is_in(*at, "\t\n\r\f\v");
    const size_t length = (*at & 0xe0) == 0xc0 ? 2 : (*at & 0xf0) == 0xe0 ? 3 : (*at & 0xf8) == 0xf0 ? 4 : 0;
    for (size_t i = 1; i < length; i++) {
        if (at + i == end)
            return is_cut ? i : 0;
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

bool looks_like_text(const unsigned char *bytes, uint64_t size) {
    const bool is_cut = size > SAMPLE;
    const unsigned char *const end = bytes + (is_cut ? SAMPLE : size);
    bool has_digit = false, has_separator = false;
    while (bytes < end) {
        const size_t length = character_length(bytes, end, is_cut);
        if (length == 0)
            return false;
        has_digit |= *bytes >= '0' && *bytes <= '9';
        has_separator |= is_in(*bytes, " \t\n\r\f\v,;");
        bytes += length;
    }
    return has_digit && has_separator;
}

static bool has(const unsigned char *bytes, uint64_t size, char wanted) {
    return memchr(bytes, wanted, size < SAMPLE ? (size_t)size : SAMPLE) != NULL;
}

/* Whether the first line names columns: it has letters other than those of numbers (1e5, nan, inf). */
static bool has_header(const unsigned char *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size && i < SAMPLE && bytes[i] != '\n'; i++)
        if (((bytes[i] | 0x20) >= 'a' && (bytes[i] | 0x20) <= 'z') && !is_in(bytes[i], "eEnNaAiIfF"))
            return true;
    return false;
}

static bool is_json(const unsigned char *bytes, uint64_t size) {
    uint64_t i = 0;
    while (i < size && i < SAMPLE && is_in(bytes[i], " \t\n\r"))
        i++;
    return i < size && is_in(bytes[i], "[{");
}

/* The word as a shell reads it: in single quotes, and each single quote in it behind a backslash. */
static char *shell_word(const char *word) {
    char *quoted = cli_allocate(4 * strlen(word) + 3, 1), *to = quoted;
    *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\'", 3);
            to += 3;
        }
        *to++ = *word;
    }
    *to++ = '\'';
    *to = '\0';
    return quoted;
}

char *text_conversion(const unsigned char *bytes, uint64_t size, const char *path) {
    const char *delimiter = has(bytes, size, ',') ? ", delimiter=','" : has(bytes, size, ';') ? ", delimiter=';'" : "";
    const bool is_stdin = input_is_stdin(path);
    char *from = shell_word(is_stdin ? "/dev/stdin" : path);
    char *to = cli_text("%s.npy", is_stdin ? "numbers" : path), *quoted_to = shell_word(to);
    char *command =
        is_json(bytes, size)
            ? cli_text("python3 -c \"import sys, json, numpy; numpy.save(sys.argv[2], json.load(open(sys.argv[1])))\" "
                       "%s %s",
                       from, quoted_to)
            : cli_text(
                  "python3 -c \"import sys, numpy; numpy.save(sys.argv[2], numpy.loadtxt(sys.argv[1]%s%s))\" %s %s",
                  delimiter, has_header(bytes, size) ? ", skiprows=1" : "", from, quoted_to);
    free(quoted_to);
    free(to);
    free(from);
    return command;
}
