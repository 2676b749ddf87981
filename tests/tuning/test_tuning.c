/* Launch tables in files: which are taken, which are ignored and what is said then, and what wf_tune makes.
 *
 * The argument is the WAVEFOLD_WRAP that the test runs with (see wrapped_module.c), or native; with no-native, also
 * pretended: pretended.c; and failing-files: files.c. With native, timed-threads and
 * failing-threads: threads.c. */
#define _GNU_SOURCE
#include "tuning_tests.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "require.h"
#include "result_bytes.h"
#include "table_files.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_valid(void **state) {
    (void)state;
    char *text = valid_text(ROWS);
    is_ignored("no file", WF_OK, "is not tuned yet");
    wf_tuning_info info = tuning_of(DEVICE);
    write_bytes(info.path, text, strlen(text));
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.status, WF_OK);
    assert_string_equal(info.detail, "a tuned table is used");
    assert_int_equal(info.is_tuned, 1);
    assert_int_equal(info.row_count, 3);
    assert_true(info.rows[1].bytes == 1048576 && info.rows[2].bytes == UINT64_MAX);
    assert_true(info.rows[1].tile_size == 64 && info.rows[1].loads == 16 && info.rows[1].tiles_per_processor == 8);
    assert_int_equal(tile_of_sum(context, 1024), 128);
    assert_int_equal(tile_of_sum(context, 1025), 64);
    assert_int_equal(tile_of_sum(context, 262145), 512);
    wf_context_destroy(context);
    /* Another device has another file. */
    const wf_tuning_info other = tuning_of("host:64");
    assert_int_equal(other.is_tuned, 0);
    assert_string_not_equal(other.path, info.path);
    /* A link is not followed: in a shared folder it may be somebody else's. */
    char target[256];
    snprintf(target, sizeof target, "%s/target", folder);
    assert_int_equal(rename(info.path, target), 0);
    assert_int_equal(symlink(target, info.path), 0);
    is_ignored("a link to a table", WF_INVALID_ARGUMENT, "symbolic links are not followed");
    free(text);
}

/* The largest numbers that a row may have. */
static void test_largest_rows(void **state) {
    (void)state;
    char *text = valid_text("bytes tile_size loads tiles_per_processor\n1 1024 64 64\n2 32 1 1\n"
                            "9999999999999999999 1024 64 64\nrest 256 4 8\n");
    wf_tuning_info info = tuning_of(DEVICE);
    write_bytes(info.path, text, strlen(text));
    info = tuning_of(DEVICE);
    assert_int_equal(info.is_tuned, 1);
    assert_true(info.row_count == 4 && info.rows[2].bytes == UINT64_C(9999999999999999999));
    assert_true(info.rows[0].tile_size == 1024 && info.rows[0].loads == 64 && info.rows[0].tiles_per_processor == 64);
    free(text);
}

/* The first from becomes to. */
static char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    char *made;
    assert_non_null(at);
    assert_true(asprintf(&made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    return made;
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        wf_status status;
        const char *says;
    } cases[] = {
        {"table 1\n", "table 2\n", WF_UNSUPPORTED, "line 1: the format is '2', but this library reads 1"},
        {"library 0", "library 9", WF_UNSUPPORTED, "line 2: it is for library '9."},
        {"backend host", "backend amd", WF_UNSUPPORTED, "line 3: it is for backend 'amd', and here it is 'host'"},
        {"device ", "device Another ", WF_UNSUPPORTED, "line 4: it is for device 'Another "},
        {"capability 0", "capability 9", WF_UNSUPPORTED, "line 5: it is for capability '9.0'"},
        {"multiprocessors ", "multiprocessors 9", WF_UNSUPPORTED, "line 6: it is for multiprocessors"},
        {"width 32", "width 64", WF_UNSUPPORTED, "line 7: it is for wave_width '64'"},
        {"wavefold launch", "waverfold launch", WF_INVALID_ARGUMENT, "line 1: it is not 'wavefold launch table 1'"},
        {"backend host\n", "", WF_INVALID_ARGUMENT, "stands where 'backend' must stand"},
        {"backend host\n", "backend host\nbackend host\n", WF_INVALID_ARGUMENT, "where 'device' must stand"},
        {"backend host\n", "backend host\nsurprise yes\n", WF_INVALID_ARGUMENT, "'surprise yes' stands where"},
        {"wave_width 32\n", "wave_width 32\r\n", WF_UNSUPPORTED, "'32?'"},
        {"bytes tile", "bytes  tile", WF_INVALID_ARGUMENT, "line 8: "},
        {"4096 ", "4096\t", WF_INVALID_ARGUMENT, "is no row of four numbers"},
        {"4096 ", "4096  ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", " 4096 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "04096 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "04 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "+4096 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "-1 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "0x1000 ", WF_INVALID_ARGUMENT, "is no row"},
        {"4096 ", "18446744073709551616 ", WF_INVALID_ARGUMENT, "is no row"},
        {"2 1\n", "2\n", WF_INVALID_ARGUMENT, "is no row"},
        {"2 1\n", "2 1 1\n", WF_INVALID_ARGUMENT, "is no row"},
        {"2 1\n", "2 1 \n", WF_INVALID_ARGUMENT, "is no row"},
        {"2 1\n", "2 1\n\n", WF_INVALID_ARGUMENT, "line 10: '' is no row"},
        {"4096 ", "0 ", WF_INVALID_ARGUMENT, "bytes 0 must be at least 1"},
        {"4096 ", "1048576 ", WF_INVALID_ARGUMENT, "bytes 1048576 must be at least 1048577, since rows ascend"},
        {"rest ", "resx ", WF_INVALID_ARGUMENT, "line 11: 'resx 512 4 2' is no row"},
        {"rest ", "8192 512 4 2\nrest ", WF_INVALID_ARGUMENT, "line 11: bytes 8192 must be at least 1048577"},
        {"128 ", "96 ", WF_INVALID_ARGUMENT, "line 9: tile_size 96 must be a power of two, of whole waves of 32"},
        {"128 ", "0 ", WF_INVALID_ARGUMENT, "tile_size 0"},
        {"128 ", "16 ", WF_INVALID_ARGUMENT, "tile_size 16"},
        {"128 ", "2048 ", WF_INVALID_ARGUMENT, "at most 1024"},
        {"128 ", "4294967424 ", WF_INVALID_ARGUMENT, "tile_size 4294967424"},
        {"128 2 ", "128 0 ", WF_INVALID_ARGUMENT, "loads 0 must be from 1 to 64"},
        {"128 2 ", "128 65 ", WF_INVALID_ARGUMENT, "loads 65"},
        {"2 1\n", "2 0\n", WF_INVALID_ARGUMENT, "tiles_per_processor 0 must be from 1 to 64"},
        {"2 1\n", "2 65\n", WF_INVALID_ARGUMENT, "tiles_per_processor 65"},
        {"2 1\n", "2 4294967297\n", WF_INVALID_ARGUMENT, "tiles_per_processor 4294967297"},
        {"rest 512 4 2\n", "", WF_INVALID_ARGUMENT, "line 11: the file ends here"},
        {"rest 512 4 2\n", "\n", WF_INVALID_ARGUMENT, "line 11: '' is no row"},
        {"rest 512 4 2\n", "rest 512 4 2", WF_INVALID_ARGUMENT, "line 11: the file ends here"},
        {"rest 512 4 2\n", "rest 512 4 2\n\n", WF_INVALID_ARGUMENT, "line 12: nothing may follow the row 'rest'"},
        {"rest 512 4 2\n", "rest 512 4 2\nrest 512 4 2\n", WF_INVALID_ARGUMENT, "nothing may follow"},
    };
    char *text = valid_text(ROWS);
    const wf_tuning_info info = tuning_of(DEVICE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *bad = changed(text, cases[i].from, cases[i].to);
        write_bytes(info.path, bad, strlen(bad));
        is_ignored(bad, cases[i].status, cases[i].says);
        free(bad);
    }
    free(text);
}

static void test_damaged(void **state) {
    (void)state;
    char *text = valid_text(ROWS), *bad;
    const size_t length = strlen(text);
    const wf_tuning_info info = tuning_of(DEVICE);
    for (size_t kept = 0; kept < length; kept++) {
        write_bytes(info.path, text, kept);
        const wf_tuning_info got = tuning_of(DEVICE);
        if (got.is_tuned || got.status != WF_INVALID_ARGUMENT)
            /* A line that is cut off is not read: whatever it says, the file is broken, and not another device's. */
            fail_msg("the first %zu of %zu bytes: is_tuned %u, %s", kept, length, got.is_tuned, got.detail);
    }
    for (size_t i = 0; i < length; i += 3) {
        write_bytes(info.path, text, length);
        const int file = open(info.path, O_WRONLY);
        assert_true(file >= 0 && pwrite(file, i % 2 ? "\0" : "~", 1, (off_t)i) == 1 && close(file) == 0);
        const wf_tuning_info got = tuning_of(DEVICE);
        if (got.is_tuned || got.status == WF_OK)
            fail_msg("byte %zu changed: is_tuned %u, %s", i, got.is_tuned, got.detail);
    }
    free(text);

    char rows[2048] = "bytes tile_size loads tiles_per_processor\n";
    for (int r = 1; r <= WF_MOST_TUNING_ROWS; r++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%d 128 1 1\n", r);
    text = valid_text(rows);
    assert_true(asprintf(&bad, "%srest 128 1 1\n", text) > 0);
    write_bytes(info.path, bad, strlen(bad));
    is_ignored("33 rows", WF_INVALID_ARGUMENT, "there are more than 32 rows");
    free(text);
    free(bad);

    char line[400];
    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = '\n';
    write_bytes(info.path, line, sizeof line);
    is_ignored("a long line", WF_INVALID_ARGUMENT, "line 1: it is longer than 255 characters");
    line[256] = '\n';
    write_bytes(info.path, line, 257);
    is_ignored("256 characters", WF_INVALID_ARGUMENT, "line 1: it is longer than 255 characters");
    line[255] = '\n';
    write_bytes(info.path, line, 256);
    is_ignored("255 characters", WF_INVALID_ARGUMENT, "line 1: it is not 'wavefold launch table 1'");

    text = valid_text(ROWS);
    const size_t place = (size_t)(strstr(text, "backend") - text);
    write_bytes(info.path, text, place + 3);
    is_ignored("a line cut off", WF_INVALID_ARGUMENT, "line 3: the file ends here");
    const size_t whole = strlen(text);
    text[place + 3] = '\0';
    write_bytes(info.path, text, whole);
    is_ignored("a zero byte", WF_INVALID_ARGUMENT, "line 3: it has a zero byte");
    free(text);
}

static void test_no_file(void **state) {
    (void)state;
    const wf_tuning_info info = tuning_of(DEVICE);
    assert_int_equal(mkdir(info.path, 0755), 0);
    is_ignored("a folder", WF_INVALID_ARGUMENT, "cannot be read (Is a directory)");
    rmdir(info.path);
    assert_int_equal(mkfifo(info.path, 0644), 0);
    is_ignored("a pipe", WF_INVALID_ARGUMENT, "cannot be read");
    unlink(info.path);
    assert_int_equal(symlink(info.path, info.path), 0);
    is_ignored("a loop", WF_INVALID_ARGUMENT, "symbolic links are not followed");
    unlink(info.path);
    write_bytes(info.path, "", 0);
    is_ignored("an empty file", WF_INVALID_ARGUMENT, "line 1: the file ends here");
    assert_int_equal(truncate(info.path, (off_t)1 << 40), 0);
    is_ignored("a huge file", WF_INVALID_ARGUMENT, "it must have less than 4096 bytes");
    if (geteuid() != 0) { /* root may read everything */
        assert_int_equal(chmod(info.path, 0), 0);
        is_ignored("a file of somebody else", WF_INVALID_ARGUMENT, "cannot be read (Permission denied)");
    }
    setenv("WAVEFOLD_CACHE", info.path, 1);
    is_ignored("a file in place of the folder", WF_INVALID_ARGUMENT, "cannot be read (Not a directory)");
}

static void path_is(const char *expected) {
    const wf_tuning_info info = tuning_of(DEVICE);
    assert_int_equal(info.status, WF_OK);
    if (strncmp(info.path, expected, strlen(expected)) != 0 || (*expected == '\0' && *info.path != '\0'))
        fail_msg("'%s' does not begin with '%s'", info.path, expected);
}

static void test_folders(void **state) {
    (void)state;
    char *home = getenv("HOME") != NULL ? strdup(getenv("HOME")) : NULL;
    char folders[3][64];
    snprintf(folders[0], 64, "%s/own", folder);
    snprintf(folders[1], 64, "%s/xdg", folder);
    snprintf(folders[2], 64, "%s/home", folder);
    char expected[128];
    setenv("WAVEFOLD_CACHE", folders[0], 1);
    setenv("XDG_CACHE_HOME", folders[1], 1);
    setenv("HOME", folders[2], 1);
    snprintf(expected, sizeof expected, "%s/host-", folders[0]);
    path_is(expected);
    setenv("WAVEFOLD_CACHE", "", 1);
    snprintf(expected, sizeof expected, "%s/wavefold/host-", folders[1]);
    path_is(expected);
    setenv("XDG_CACHE_HOME", "relative", 1);
    snprintf(expected, sizeof expected, "%s/.cache/wavefold/host-", folders[2]);
    path_is(expected);
    unsetenv("WAVEFOLD_CACHE");
    unsetenv("XDG_CACHE_HOME");
    path_is(expected);
    unsetenv("HOME");
    path_is("");
    is_ignored("no home", WF_OK, "the environment names no folder");
    char longest[1200];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    setenv("WAVEFOLD_CACHE", longest, 1);
    path_is("");
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 4096}, NULL, NULL), WF_INVALID_ARGUMENT,
            "its path has more than 1023 characters: set WAVEFOLD_CACHE, XDG_CACHE_HOME or HOME");
    wf_context_destroy(context);
    assert_int_equal(files_in(folder), 0);
    if (home != NULL)
        setenv("HOME", home, 1);
    free(home);
}

static void test_misuse(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    require(wf_context_create(&context, DEVICE));
    refuses(wf_context_get_tuning(NULL, &info), WF_INVALID_ARGUMENT, "context");
    refuses(wf_context_get_tuning(context, NULL), WF_INVALID_ARGUMENT, "info");
    refuses(wf_tune(NULL, NULL, NULL, NULL), WF_INVALID_ARGUMENT, "context");
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 4095}, NULL, NULL), WF_INVALID_ARGUMENT,
            "'most_bytes' is 4095: it must be from 4096 to 268435456");
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 268435457}, NULL, NULL), WF_INVALID_ARGUMENT, "most_bytes");
    assert_int_equal(files_in(folder), 0);
    wf_context_destroy(context);
}

/* ---- wf_tune ---- */

typedef struct calls {
    uint32_t count, steps;
    uint64_t bytes;
} calls;

static void note(void *user, uint64_t bytes, uint32_t done, uint32_t steps) {
    calls *noted = user;
    assert_int_equal(done, noted->count);
    assert_true(bytes == UINT64_C(4096) << done);
    noted->count++;
    noted->steps = steps;
    noted->bytes = bytes;
}

/* All but the lines that say for which device. */
static void rows_are(const char *path, const char *expected) {
    char text[4096];
    read_text(path, text);
    const char *rows = strstr(text, "\nbytes ");
    assert_non_null(rows);
    assert_string_equal(strchr(rows + 1, '\n') + 1, expected);
}

static void tune_to(const char *expected, uint32_t tile) {
    char missing[64];
    snprintf(missing, sizeof missing, "%s/not/there", folder);
    setenv("WAVEFOLD_CACHE", missing, 1);
    wf_context *context;
    wf_tuning_info info;
    calls noted = {.count = 0};
    const mode_t mask = umask(0027);
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    const wf_tune_spec spec = {.most_bytes = 20000}, dry = {.most_bytes = 20000, .dry_run = 1};
    assert_int_equal(tile_of_sum(context, 100), 256);

    require(wf_tune(context, &dry, NULL, NULL));
    assert_int_equal(tile_of_sum(context, 100), tile);
    assert_int_equal(files_in(folder), 0);
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.is_tuned, 1);
    assert_non_null(strstr(info.detail, "did not keep"));

    require(wf_tune(context, &spec, note, &noted));
    assert_true(noted.count == 3 && noted.steps == 3 && noted.bytes == 16384);
    rows_are(info.path, expected);
    struct stat status;
    assert_int_equal(stat(info.path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640); /* as the umask says */
    assert_int_equal(files_in(missing), 1);
    assert_int_equal(tile_of_sum(context, 100), tile);
    assert_int_equal(tile_of_sum(context, 4097), 256);
    wf_context_destroy(context);

    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.is_tuned, 1);
    assert_int_equal(tile_of_sum(context, 100), tile);
    /* What is there is replaced: also a link that leads nowhere. */
    unlink(info.path);
    assert_int_equal(symlink(info.path, info.path), 0);
    require(wf_tune(context, &spec, NULL, NULL));
    rows_are(info.path, expected);
    /* A file that cannot be written to its end leaves what was there, and nothing else. */
    struct rlimit before, short_files;
    getrlimit(RLIMIT_FSIZE, &before);
    short_files = (struct rlimit){.rlim_cur = 20, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &short_files);
    const wf_status got = wf_tune(context, &spec, NULL, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    refuses(got, WF_INVALID_ARGUMENT, "File too large; name another folder");
    rows_are(info.path, expected);
    assert_int_equal(files_in(missing), 1);
    /* A folder is not replaced; then the table in use stays too. */
    unlink(info.path);
    assert_int_equal(mkdir(info.path, 0755), 0);
    refuses(wf_tune(context, &spec, NULL, NULL), WF_INVALID_ARGUMENT, "cannot write the table");
    assert_int_equal(files_in(missing), 1);
    assert_int_equal(tile_of_sum(context, 100), tile);
    wf_context_destroy(context);
    umask(mask);
}

static void test_tune_even(void **state) {
    (void)state;
    tune_to("8192 256 2 1\n16384 512 2 1\nrest 256 4 8\n", 256);
}

static void test_tune_512(void **state) {
    (void)state;
    tune_to("8192 512 1 1\n16384 512 2 1\nrest 256 4 8\n", 512);
}

static void test_unwritable(void **state) {
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "%s/file", folder);
    write_bytes(file, "", 0);
    strcat(file, "/sub");
    setenv("WAVEFOLD_CACHE", file, 1);
    wf_context *context;
    calls noted = {.count = 0};
    require(wf_context_create(&context, DEVICE));
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 4096}, note, &noted), WF_INVALID_ARGUMENT,
            "Not a directory; name another folder by WAVEFOLD_CACHE");
    assert_int_equal(noted.count, 0); /* found out before anything was measured */
    wf_context_destroy(context);
}

static void test_tune_fails(void **state) {
    (void)state;
    char *text = valid_text(ROWS), after[4096];
    wf_tuning_info info = tuning_of(DEVICE);
    write_bytes(info.path, text, strlen(text));
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    refuses(wf_tune(context, &(wf_tune_spec){.most_bytes = 16384}, NULL, NULL), WF_DEVICE_ERROR, "launching");
    read_text(info.path, after);
    assert_string_equal(after, text);
    require(wf_context_get_tuning(context, &info));
    assert_true(info.is_tuned == 1 && info.row_count == 3 && info.rows[0].tile_size == 128);
    assert_int_equal(files_in(folder), 1);
    wf_context_destroy(context);
    free(text);
}

/* On the emulator itself: whatever comes of it is a valid table. */
static void test_tune_measured(void **state) {
    (void)state;
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    require(wf_tune(context, &(wf_tune_spec){.most_bytes = 8192}, NULL, NULL));
    wf_context_destroy(context);
    require(wf_context_create(&context, DEVICE));
    wf_tuning_info info;
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.is_tuned, 1);
    assert_int_equal(tile_of_sum(context, 1000), info.rows[0].tile_size);
    assert_int_equal(tile_of_sum(context, 100000), 256);
    wf_context_destroy(context);
}

/* A table of one row. */
static wf_context *context_with(const char *row) {
    char rows[128];
    snprintf(rows, sizeof rows, "bytes tile_size loads tiles_per_processor\nrest %s\n", row);
    char *const text = valid_text(rows);
    const wf_tuning_info info = tuning_of(DEVICE);
    write_bytes(info.path, text, strlen(text));
    free(text);
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    assert_int_equal(tile_of_sum(context, 100), atoi(row));
    return context;
}

/* A table may ask for fewer threads than there are bytes before the first whole line, and behind the last pack. */
static void test_few_threads(void **state) {
    (void)state;
    enum { COUNT_OF_LARGE = 70000, LINE = 128 };
    wf_context *const context = context_with("32 64 1");
    uint8_t *const memory = aligned_alloc(LINE, COUNT_OF_LARGE + 2 * LINE - (COUNT_OF_LARGE % LINE));
    assert_non_null(memory);
    for (size_t past = 0; past < LINE; past += past < 2 || past > 111 ? 1 : 11) {
        uint64_t sum = 0, expected = 0;
        for (size_t i = 0; i < COUNT_OF_LARGE; i++)
            expected += memory[past + i] = (uint8_t)(i * 7 + i / 251);
        require(wf_reduce(context, &(wf_reduce_spec){.type = WF_U8}, memory + past, COUNT_OF_LARGE, &sum,
                          bytes_of_result(&(wf_reduce_spec){.type = WF_U8})));
        assert_int_equal(sum, expected);
    }
    free(memory);
    wf_context_destroy(context);
}

/* Nor need an array that one tile folds be short: more than two packs for each thread. */
static void test_long_in_one_tile(void **state) {
    (void)state;
    enum { TWO_PACKS = 2 * 32 * 4, MOST = 32 * 64 * 4, PAST = 3 };
    wf_context *const context = context_with("32 64 1");
    static float values[MOST + PAST];
    for (size_t i = 0; i < MOST + PAST; i++)
        values[i] = (float)(i % 4 == 0 ? i / 8 : i % 64); /* the largest comes twice, and late */
    const size_t counts[] = {1,   3,   31,   TWO_PACKS - 1, TWO_PACKS, TWO_PACKS + 1, TWO_PACKS + 4, 3 * TWO_PACKS,
                             500, 777, 4099, MOST - 1,      MOST};
    for (size_t past = 0; past <= PAST; past++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const float *const in = values + past;
            double expected = 0;
            size_t largest = 0;
            for (size_t i = 0; i < counts[c]; i++) {
                expected += in[i];
                largest = in[i] > in[largest] ? i : largest;
            }
            float sum;
            struct {
                float value;
                uint64_t index;
            } found;
            require(wf_reduce(context, &(wf_reduce_spec){.accuracy = WF_ACCURACY_FAST}, in, counts[c], &sum,
                              bytes_of_result(&(wf_reduce_spec){.accuracy = WF_ACCURACY_FAST})));
            assert_true(sum == (float)expected); /* whole numbers below 2^24 */
            require(wf_reduce(context, &(wf_reduce_spec){.op = WF_ARGMAX}, in, counts[c], &found,
                              bytes_of_result(&(wf_reduce_spec){.op = WF_ARGMAX})));
            assert_true(found.index == largest && found.value == in[largest]);
        }
    wf_context_destroy(context);
}

/* The exact sum of a description has tiles of its own, smaller and more of them. */
static void test_describe_in_large_tiles(void **state) {
    (void)state;
    enum { MANY = 40000 };
    wf_context *const context = context_with("1024 1 64");
    static float values[MANY];
    for (size_t i = 0; i < MANY; i++)
        values[i] = (float)(i * i % 1009);
    for (size_t count = 1000; count <= MANY; count += 13000) {
        double sum = 0;
        wf_description got;
        for (size_t i = 0; i < count; i++)
            sum += (double)values[i];
        require(wf_describe(context, &(wf_describe_spec){.type = WF_F32}, values, count, &got));
        assert_int_equal(got.count, count);
        assert_true(got.sum.f64 == sum && got.mean == sum / (double)count);
    }
    wf_context_destroy(context);
}

int main(int argc, char **argv) {
    const struct CMUnitTest files[] = {
        cmocka_unit_test_setup(test_largest_rows, begin),
        cmocka_unit_test_setup(test_valid, begin),
        cmocka_unit_test_setup(test_refused, begin),
        cmocka_unit_test_setup(test_damaged, begin),
        cmocka_unit_test_setup(test_no_file, begin),
        cmocka_unit_test_setup(test_folders, begin),
        cmocka_unit_test_setup(test_misuse, begin),
        cmocka_unit_test_setup(test_unwritable, begin),
        cmocka_unit_test_setup(test_tune_measured, begin),
        cmocka_unit_test_setup(test_few_threads, begin),
        cmocka_unit_test_setup(test_long_in_one_tile, begin),
        cmocka_unit_test_setup(test_describe_in_large_tiles, begin),
    };
    const struct CMUnitTest even[] = {cmocka_unit_test_setup(test_tune_even, begin)};
    const struct CMUnitTest of_512[] = {cmocka_unit_test_setup(test_tune_512, begin)};
    const struct CMUnitTest fails[] = {cmocka_unit_test_setup(test_tune_fails, begin)};
    const char *change = argc > 1 ? argv[1] : "";
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = 1;
    if (strcmp(change, "no-native") == 0)
        failed = cmocka_run_group_tests_name("tables in files", files, NULL, NULL);
    else if (strcmp(change, "timed-even") == 0)
        failed = cmocka_run_group_tests_name("no shape is faster", even, NULL, NULL);
    else if (strcmp(change, "timed-512") == 0)
        failed = cmocka_run_group_tests_name("one shape is faster", of_512, NULL, NULL);
    else if (strcmp(change, "timed-fails") == 0)
        failed = cmocka_run_group_tests_name("the device fails", fails, NULL, NULL);
    else if (strcmp(change, "pretended") == 0)
        failed = run_pretended_tests();
    else if (strcmp(change, "failing-files") == 0)
        failed = run_failing_files_tests();
    else if (strcmp(change, "native") == 0 || strstr(change, "-threads") != NULL)
        failed = run_thread_tests(change);
    else
        fprintf(stderr, "test_tuning no-native|timed-even|timed-512|timed-fails|pretended|failing-files|"
                        "native|timed-threads|timed-useless-threads|failing-threads\n");
    remove_tree(folder);
    return failed != 0;
}
