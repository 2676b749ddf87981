/* Launch tables in files: which are taken, which are ignored and what is said then, and what wf_tune makes.
 *
 * The argument is the WAVEFOLD_WRAP that the test runs with (see wrapped_module.c), or native; with no-native, also
 * pretended: what wf_tune measures on a device that is made up, and when its calls fail; and failing-files: when those
 * of files do. */
#define _GNU_SOURCE
#include <wavefold.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing_backend.h"
#include "failing_files.h"
#include "require.h"
#include "runtime/failing_malloc.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define DEVICE "host:32"
#define ROWS "bytes tile_size loads tiles_per_processor\n4096 128 2 1\n1048576 64 16 8\nrest 512 4 2\n"

static char folder[] = "/tmp/wavefold-tuning.XXXXXX"; /* for all that a test makes, and WAVEFOLD_CACHE */

/* ---- Files ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static void remove_tree(const char *path) {
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int begin(void **state) {
    (void)state;
    remove_tree(folder);
    return mkdir(folder, 0755) != 0 || setenv("WAVEFOLD_CACHE", folder, 1) != 0;
}

static wf_tuning_info tuning_of(const char *device) {
    wf_context *context;
    wf_tuning_info info;
    require(wf_context_create(&context, device));
    require(wf_context_get_tuning(context, &info));
    wf_context_destroy(context);
    return info;
}

/* What is in a valid file for the device. */
static char *valid_text(const char *rows) {
    wf_context *context;
    wf_device_info info;
    char *text;
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_device(context, &info));
    wf_context_destroy(context);
    assert_true(asprintf(&text,
                         "wavefold launch table 1\nlibrary %s\nbackend host\ndevice %s\ncapability 0.0\n"
                         "multiprocessors %u\nwave_width 32\n%s",
                         wf_version(), info.name, info.multiprocessors, rows) > 0);
    return text;
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static void read_text(const char *path, char text[4096]) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
}

static size_t files_in(const char *path) {
    DIR *listing = opendir(path);
    size_t count = 0;
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

/* ---- Which table is in use ---- */

/* The tile that a sum of count elements is folded in; and it must be right. */
static uint32_t tile_of_sum(wf_context *context, size_t count) {
    char path[512];
    snprintf(path, sizeof path, "%s/libwavefold-host.so", getenv("WAVEFOLD_BACKEND_PATH"));
    void *module = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(module);
    uint32_t (*last_tile_size)(void);
    *(void **)&last_tile_size = dlsym(module, "wrapped_last_tile_size");
    assert_non_null(last_tile_size);
    int32_t *data = calloc(count, sizeof *data), sum = 0, expected = 0;
    assert_non_null(data);
    for (size_t i = 0; i < count; i++)
        expected += data[i] = (int32_t)(i % 1000);
    require(wf_reduce(context, &(wf_reduce_spec){.type = WF_I32}, data, count, &sum));
    assert_int_equal(sum, expected);
    free(data);
    const uint32_t tile = last_tile_size();
    dlclose(module);
    return tile;
}

static void is_ignored(const char *what, wf_status status, const char *says) {
    wf_context *context;
    wf_tuning_info info;
    (void)wf_reduction_get_info(NULL, NULL); /* an ignored file is no failure of the call */
    char before[512];
    snprintf(before, sizeof before, "%s", wf_last_error());
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_string_equal(wf_last_error(), before);
    if (info.is_tuned || info.status != status || strstr(info.detail, says) == NULL)
        fail_msg("%s: is_tuned %u, %s, '%s' does not say '%s'", what, info.is_tuned, wf_status_name(info.status),
                 info.detail, says);
    if (status != WF_OK)
        assert_non_null(strstr(info.detail, info.path));
    assert_int_equal(tile_of_sum(context, 100), 256);
    assert_true(info.row_count >= 1 && info.rows[info.row_count - 1].bytes == UINT64_MAX);
    wf_context_destroy(context);
}

static void test_valid(void **state) {
    (void)state;
    char *text = valid_text(ROWS);
    is_ignored("no file", WF_OK, "nobody has tuned");
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
    is_ignored("a link to a table", WF_INVALID_ARGUMENT, "it is a symbolic link, which is not followed");
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
        {"table 1\n", "table 2\n", WF_UNSUPPORTED, "line 1: the format is '2', and this library reads 1"},
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
    is_ignored("a loop", WF_INVALID_ARGUMENT, "it is a symbolic link");
    unlink(info.path);
    write_bytes(info.path, "", 0);
    is_ignored("an empty file", WF_INVALID_ARGUMENT, "line 1: the file ends here");
    assert_int_equal(truncate(info.path, (off_t)1 << 40), 0);
    is_ignored("a huge file", WF_INVALID_ARGUMENT, "a launch table has less than 4096 bytes");
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
            "longer than 768 characters: set WAVEFOLD_CACHE, XDG_CACHE_HOME or HOME");
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
            "most_bytes is 4095: it must be from 4096 to 268435456");
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
    refuses(wf_tune(context, &spec, NULL, NULL), WF_INVALID_ARGUMENT, "cannot write the launch table");
    assert_int_equal(files_in(missing), 1);
    assert_int_equal(tile_of_sum(context, 100), tile);
    wf_context_destroy(context);
    umask(mask);
}

static void test_tune_even(void **state) {
    (void)state;
    tune_to("16384 256 4 1\nrest 256 4 8\n", 256);
}

static void test_tune_512(void **state) {
    (void)state;
    tune_to("16384 512 1 1\nrest 256 4 8\n", 512);
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
        require(wf_reduce(context, &(wf_reduce_spec){.type = WF_U8}, memory + past, COUNT_OF_LARGE, &sum));
        assert_int_equal(sum, expected);
    }
    free(memory);
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

/* ---- What wf_tune measures, on a device that is all made up ---- */

/* A measurement: the launches between two marks. */
typedef struct measured {
    uint64_t bytes;
    uint32_t launches, tiles, tile_size;
} measured;

/* Nothing runs: a launch takes the seconds that the test says, of the clock, too. */
static struct pretended {
    wf_device_info device;
    double (*seconds_of)(const measured *what, size_t round); /* of one launch */
    size_t largest;                                           /* allocation that there is memory for */
    measured log[8000];
    size_t logged;
    uint64_t allocated[8], cleared;
    size_t allocations;
    char *pool;
    const char *next;          /* where the array of the next launch starts, or the pool does */
    unsigned long nanoseconds; /* of the second, when all was done */
    bool is_wrong;             /* a launch that reads or writes where it should not */
} pretended;

enum { RESULT = 256 }; /* bytes behind the pool */

/* How often the shape was measured before, for arrays of as many bytes. A measurement of 4 launches is the one that
 * says how many a measurement takes. */
static size_t round_of(const measured *what) {
    size_t before = 0;
    for (size_t i = 0; i + 1 < pretended.logged; i++) {
        const measured *other = &pretended.log[i];
        before += other->bytes == what->bytes && other->tiles == what->tiles && other->tile_size == what->tile_size &&
                  other->launches == what->launches;
    }
    return before;
}

static wf_status start_measurement(void *device) {
    (void)device;
    assert_true(pretended.logged < COUNT(pretended.log));
    pretended.log[pretended.logged++] = (measured){.launches = 0};
    return WF_OK;
}

/* Each array stands behind the one before, until the pool ends. */
static bool reads_next(const wf_launch *launch) {
    const uint64_t bytes = 4 * launch->source_count,
                   pool_bytes = pretended.allocated[pretended.allocations - 1] - RESULT;
    const char *const end = pretended.pool + pool_bytes;
    if ((uint64_t)(end - pretended.next) < bytes)
        pretended.next = pretended.pool;
    const bool is_next = launch->source == pretended.next;
    pretended.next += bytes;
    return is_next && launch->result == end;
}

static wf_status note_launch(void *device, void *stream, const wf_launch *launch) {
    (void)device, (void)stream;
    measured *now = &pretended.log[pretended.logged - 1];
    const uint64_t bytes = 4 * launch->source_count;
    pretended.is_wrong |= launch->kernel != WF_KERNEL_wavefold || launch->type != WF_F32 || !reads_next(launch);
    pretended.is_wrong |= launch->is_first == 0 || launch->is_last == 0;
    pretended.is_wrong |= now->launches != 0 &&
                          (now->bytes != bytes || now->tile_size != launch->tile_size || now->tiles != launch->tiles);
    *now = (measured){bytes, now->launches + 1, launch->tiles, launch->tile_size};
    return WF_OK;
}

static wf_status stop_measurement(void *device, double *seconds) {
    (void)device;
    const measured *now = &pretended.log[pretended.logged - 1];
    *seconds = now->launches * pretended.seconds_of(now, round_of(now));
    advance_clock(*seconds);
    return WF_OK;
}

static wf_status say_device(uint32_t ordinal, wf_device_info *info) {
    (void)ordinal;
    *info = pretended.device;
    return WF_OK;
}

/* Addresses without memory: nobody touches it. */
static wf_status allocate_pretended(void *device, size_t bytes, void **memory) {
    (void)device;
    assert_true(pretended.allocations < COUNT(pretended.allocated));
    pretended.allocated[pretended.allocations++] = bytes;
    if (bytes > pretended.largest)
        return WF_OUT_OF_MEMORY;
    *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(*memory != MAP_FAILED);
    pretended.pool = *memory;
    pretended.next = pretended.pool;
    return WF_OK;
}

static void release_pretended(void *device, void *memory) {
    (void)device;
    if (memory != NULL)
        munmap(memory, pretended.allocated[pretended.allocations - 1]);
}

static wf_status note_cleared(void *device, void *stream, void *memory, size_t bytes) {
    (void)device, (void)stream;
    pretended.cleared = memory == pretended.pool ? bytes : 0;
    return WF_OK;
}

static wf_status launch_nothing(void *device, void *stream, const wf_launch *launch) {
    (void)device, (void)stream, (void)launch;
    return WF_OK;
}

static double always_30us(const measured *what, size_t round) {
    (void)what, (void)round;
    return 30e-6;
}

static wf_backend real_table; /* before a test changed it */

/* A context of a device of four multiprocessors, which wf_tune is then called with. */
static wf_context *pretend(const char *backend, uint32_t wave_width, uint32_t max_tile_size,
                           double (*seconds_of)(const measured *, size_t)) {
    wf_context *context;
    require(wf_context_create(&context, DEVICE)); /* the module is loaded */
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    wf_context_destroy(context);
    if (real_table.abi == 0)
        real_table = *backend_table();
    pretended = (struct pretended){.device = info, .seconds_of = seconds_of, .largest = SIZE_MAX};
    pretended.device.multiprocessors = 4;
    pretended.device.wave_width = wave_width;
    pretended.device.max_tile_size = max_tile_size;
    pretended.device.memory_free_bytes = UINT64_C(1) << 40;
    strcpy(pretended.device.backend, backend);
    pretended.device.capability_major = strcmp(backend, "nvidia") == 0 ? 9 : 0;
    backend_table()->device_info = say_device;
    require(wf_context_create(&context, DEVICE));
    /* What sums need of memory, the context has from now on. */
    wf_backend *table = backend_table();
    wf_status (*const launch)(void *, void *, const wf_launch *) = table->launch;
    table->launch = launch_nothing;
    static float sum;
    require(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_F32}, &sum, 1, &sum, NULL));
    table->launch = launch;
    return context;
}

static unsigned long fail_at;   /* the call of the backend's that fails while wf_tune runs; 0: none */
static const char *failed_call; /* which that was */

static wf_status tune_pretended(wf_context *context, const wf_tune_spec *spec) {
    wf_backend *table = backend_table();
    const wf_backend before = *table;
    table->timer_start = start_measurement;
    table->timer_stop = stop_measurement;
    table->launch = note_launch;
    table->allocate = allocate_pretended;
    table->release = release_pretended;
    table->clear = note_cleared;
    watch_backend();
    fail_backend_at(fail_at, WF_DEVICE_ERROR);
    stop_clock(0, 0);
    pretended.logged = pretended.allocations = 0;
    const wf_status status = wf_tune(context, spec, NULL, NULL);
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    pretended.nanoseconds = (unsigned long)end.tv_nsec;
    release_clock();
    failed_call = end_failing_backend();
    *table = before;
    assert_false(pretended.is_wrong);
    assert_int_equal(live_allocations(), 0);
    return status;
}

static int end_pretending(void **state) {
    (void)state;
    release_clock();
    if (real_table.abi != 0)
        *backend_table() = real_table;
    return 0;
}

static void rows_of_tuning(wf_context *context, const wf_tuning_row *expected, size_t count) {
    wf_tuning_info info;
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(info.is_tuned, 1);
    assert_int_equal(info.row_count, count);
    for (size_t r = 0; r < count; r++)
        if (memcmp(&info.rows[r], &expected[r], sizeof *expected) != 0)
            fail_msg("row %zu is %llu %u %u %u", r, (unsigned long long)info.rows[r].bytes, info.rows[r].tile_size,
                     info.rows[r].loads, info.rows[r].tiles_per_processor);
}

/* All measurements of the k-th size, in the order in which they were made: how many follow the one of 4 launches. */
static const measured *of_size(size_t k, size_t *count) {
    size_t at = 0;
    for (size_t seen = 0; at < pretended.logged; at++)
        if (pretended.log[at].launches == 4 && seen++ == k)
            break;
    assert_true(at < pretended.logged);
    for (*count = 0; at + 1 + *count < pretended.logged && pretended.log[at + 1 + *count].launches != 4;)
        ++*count;
    return pretended.log + at;
}

typedef struct shape {
    uint32_t tile_size, tiles;
} shape;

/* Nine rounds of all these shapes, in any order, but in the same one each time. The first is the built-in table's. */
static void measures_rounds_of(size_t k, uint64_t bytes, uint32_t launches, const shape *shapes, size_t count) {
    size_t made;
    const measured *log = of_size(k, &made);
    assert_true(log->bytes == bytes && log->tile_size == shapes[0].tile_size && log->tiles == shapes[0].tiles);
    log++;
    assert_int_equal(made, 9 * count);
    for (size_t i = 0; i < made; i++) {
        assert_true(log[i].bytes == bytes && log[i].launches == launches);
        assert_true(log[i].tiles == log[i % count].tiles && log[i].tile_size == log[i % count].tile_size);
    }
    assert_true(log->tile_size == shapes[0].tile_size && log->tiles == shapes[0].tiles);
    for (size_t s = 0; s < count; s++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            found += log[i].tile_size == shapes[s].tile_size && log[i].tiles == shapes[s].tiles;
        if (found != 1)
            fail_msg("%llu bytes: %u tiles of %u are measured %zu times a round", (unsigned long long)bytes,
                     shapes[s].tiles, shapes[s].tile_size, found);
    }
}

/* Powers of two of up to 2048 threads for each of four multiprocessors, a thread having 1 to 16 loads of 16 bytes. */
static void test_shapes(void **state) {
    (void)state;
    static const shape of_4_kib[] = {{256, 1}, {64, 4}, {64, 2}, {64, 1}, {128, 2}, {128, 1}, {512, 1}, {1024, 1}};
    static const shape of_16_kib[] = {{256, 1}, {64, 16}, {64, 8},  {64, 4},  {64, 2},  {64, 1},  {128, 8}, {128, 4},
                                      {128, 2}, {128, 1}, {256, 4}, {256, 2}, {512, 2}, {512, 1}, {1024, 1}};
    static const shape of_1_mib[] = {{256, 32}, {64, 32}, {64, 16}, {64, 8},   {64, 4},  {128, 32},
                                     {128, 16}, {128, 8}, {128, 4}, {256, 16}, {256, 8}, {256, 4},
                                     {512, 16}, {512, 8}, {512, 4}, {1024, 8}, {1024, 4}};
    static const wf_tuning_row expected[] = {{16384, 256, 4, 1}, {UINT64_MAX, 256, 4, 8}};
    wf_context *context = pretend("host", 32, 1024, always_30us);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1}));
    /* 50 ms of the first launch, until the clocks have risen; then 200 us of launches, or little more. */
    size_t warm = 0;
    while (pretended.log[warm].launches == 1)
        warm++;
    assert_int_equal(warm, 1667);
    assert_true(pretended.log[0].bytes == 4096 && pretended.log[0].tile_size == 256 && pretended.log[0].tiles == 1);
    measures_rounds_of(0, 4096, 7, of_4_kib, COUNT(of_4_kib));
    measures_rounds_of(2, 16384, 7, of_16_kib, COUNT(of_16_kib));
    measures_rounds_of(8, 1 << 20, 7, of_1_mib, COUNT(of_1_mib));
    assert_int_equal(pretended.allocations, 1);
    assert_int_equal(pretended.allocated[0], (512 << 20) + RESULT);
    assert_int_equal(pretended.cleared, pretended.allocated[0]);
    rows_of_tuning(context, expected, COUNT(expected));
    wf_context_destroy(context);
    /* Tiles of up to 512 threads; those of 1024 are the last two above. */
    context = pretend("host", 64, 512, always_30us);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1}));
    measures_rounds_of(8, 1 << 20, 7, of_1_mib, COUNT(of_1_mib) - 2);
    wf_context_destroy(context);
}

/* Five rounds of nine tell, whatever the others do: the first shape is 9 us, the built-in one 10 us, another 12 us, and
 * often less. */
static double by_median(const measured *what, size_t round) {
    const uint32_t tiles = what->bytes == 4096 ? 1 : what->bytes == 8192 ? 2 : 4;
    if (what->launches <= 4)
        return 30e-6;
    const double noise = 1e-8 * (double)(round % 9); /* no two are alike */
    if (what->tile_size == 64 && what->tiles == tiles)
        return noise + (round % 9 == 4 || round % 9 == 0 || round % 9 == 7 || round % 9 == 2 ? 20e-6 : 9e-6);
    if (what->tile_size == 1024)
        return noise + (round % 9 == 4 || round % 9 == 0 || round % 9 == 7 || round % 9 == 2 ? 5e-6 : 12e-6);
    return noise + (round % 9 == 4 || round % 9 == 1 || round % 9 == 6 || round % 9 == 8 ? 1e-6 : 10e-6);
}

static void test_medians(void **state) {
    (void)state;
    /* The row of 4 KiB comes to the best shape at the next two sizes, too, and is kept; then the built-in rows. */
    static const wf_tuning_row expected[] = {
        {16 << 10, 64, 4, 1},   {32 << 10, 512, 4, 1}, {64 << 10, 1024, 4, 1}, {128 << 10, 128, 2, 1},
        {256 << 10, 256, 2, 1}, {1 << 20, 256, 4, 1},  {2 << 20, 512, 4, 1},   {4 << 20, 256, 4, 2},
        {8 << 20, 256, 8, 2},   {16 << 20, 512, 4, 4}, {32 << 20, 1024, 8, 2}, {UINT64_MAX, 1024, 4, 2},
    };
    wf_context *context = pretend("nvidia", 32, 1024, by_median);
    wf_tuning_info builtin;
    require(wf_context_get_tuning(context, &builtin));
    assert_true(builtin.row_count == 14 && builtin.rows[0].bytes == 4096); /* not that of exact sums */
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 16384, .dry_run = 1}));
    rows_of_tuning(context, expected, COUNT(expected));
    for (size_t k = 0; k < 3; k++) { /* the built-in shape says how many launches; the best one wins over it again */
        size_t made;
        const measured *log = of_size(k, &made);
        assert_true(log->tile_size == (k == 2 ? 256 : 128) && log->tiles == 1);
        assert_int_equal(made % 9, 0);
        log += made - 17;
        for (size_t i = 0; i < 9; i++) {
            assert_true(log[2 * i].tile_size == (k == 2 ? 256 : 128) && log[2 * i].tiles == 1);
            assert_true(log[2 * i + 1].tile_size == 64 && log[2 * i + 1].tiles == UINT32_C(1) << k);
        }
    }
    wf_context_destroy(context);
}

/* In the first nine rounds one shape is lucky. No time passes when launches are counted. */
static double lucky(const measured *what, size_t round) {
    if (what->launches == 4)
        return 0;
    return what->tile_size != 64 || what->tiles > 2 ? 10e-6 : what->tiles == 2 ? 9.5e-6 : round < 9 ? 9e-6 : 10e-6;
}

static void test_luck(void **state) {
    (void)state;
    static const wf_tuning_row builtin[] = {{16384, 256, 4, 1}, {UINT64_MAX, 256, 4, 8}};
    wf_context *context = pretend("host", 32, 1024, lucky);
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096, .dry_run = 1}));
    rows_of_tuning(context, builtin, COUNT(builtin));
    size_t made;
    const measured *log = of_size(0, &made);
    assert_int_equal(made, 9 * 8 + 9 * 2);
    assert_int_equal(log[1].launches, 1024);
    assert_int_equal(pretended.allocated[0], (4 << 20) + RESULT);
    wf_context_destroy(context);
}

/* Three quarters of a second for all eight shapes, a quarter for the two; fewer than three rounds choose nothing. */
static double slow_seconds;

static double slow(const measured *what, size_t round) {
    (void)round;
    return what->tile_size == 64 && what->tiles == 1 ? slow_seconds / 2 : slow_seconds;
}

static void test_slow_devices(void **state) {
    (void)state;
    static const wf_tuning_row builtin[] = {{16384, 256, 4, 1}, {UINT64_MAX, 256, 4, 8}};
    static const wf_tuning_row chosen[] = {{4096, 64, 4, 1}, {16384, 256, 4, 1}, {UINT64_MAX, 256, 4, 8}};
    static const struct {
        double seconds;
        size_t first, second; /* measurements */
    } cases[] = {{21e-3, 34, 16}, {26e-3, 27, 12}, {32.5e-3, 21, 0}, {1.0, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        wf_context *context = pretend("host", 32, 1024, slow);
        slow_seconds = cases[i].seconds;
        require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096, .dry_run = 1}));
        size_t made;
        of_size(0, &made);
        if (made != cases[i].first + cases[i].second)
            fail_msg("launches of %g s: %zu measurements", slow_seconds, made);
        if (cases[i].second != 0)
            rows_of_tuning(context, chosen, COUNT(chosen));
        else
            rows_of_tuning(context, builtin, COUNT(builtin));
        wf_context_destroy(context);
    }
}

static double best_in_512(const measured *what, size_t round) {
    (void)round;
    return what->tile_size == 512 ? 27e-6 : 30e-6;
}

/* The row of the largest arrays is for all beyond. */
static void test_all_sizes(void **state) {
    (void)state;
    static const wf_tuning_row expected[] = {{UINT64_MAX, 512, 1, 1}};
    static const wf_tune_spec none = {.dry_run = 1}, most = {.most_bytes = 256 << 20, .dry_run = 1};
    static const wf_tune_spec *const specs[] = {NULL, &none, &most};
    for (size_t i = 0; i < COUNT(specs); i++) {
        wf_context *context = pretend("host", 32, 1024, best_in_512);
        require(tune_pretended(context, specs[i]));
        rows_of_tuning(context, expected, COUNT(expected));
        size_t made;
        assert_true(of_size(16, &made)->bytes == 256 << 20);
        wf_context_destroy(context);
    }
}

/* Half of what is free, as far as there is memory for it; arrays of up to half of that. */
static void test_little_memory(void **state) {
    (void)state;
    static const struct {
        uint64_t free_bytes;
        size_t largest;
        uint64_t allocated[3];
        size_t sizes; /* 0: it is refused */
    } cases[] = {
        {40000, SIZE_MAX, {16384 + RESULT}, 2},
        {16384, SIZE_MAX, {8192 + RESULT}, 1},
        {16382, SIZE_MAX, {0}, 0},
        {0, SIZE_MAX, {0}, 0},
        {81920, 9000, {40960 + RESULT, 20480 + RESULT, 8192 + RESULT}, 1},
        {81920, 8000, {40960 + RESULT, 20480 + RESULT, 8192 + RESULT}, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        wf_context *context = pretend("host", 32, 1024, always_30us);
        pretended.device.memory_free_bytes = cases[i].free_bytes;
        pretended.largest = cases[i].largest;
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 1 << 20, .dry_run = 1});
        for (size_t a = 0; a < 3; a++)
            assert_int_equal(a < pretended.allocations ? pretended.allocated[a] : 0, cases[i].allocated[a]);
        if (cases[i].sizes == 0) {
            refuses(status, WF_OUT_OF_MEMORY, "bytes of memory free, too few to tune with");
        } else {
            require(status);
            size_t made;
            of_size(cases[i].sizes - 1, &made);
            assert_int_equal(pretended.log[pretended.logged - 1].bytes, 2048 << cases[i].sizes);
        }
        wf_context_destroy(context);
    }
}

/* Every call of the backend's fails once: nothing has changed, and nothing is left. */
static void test_backend_fails(void **state) {
    (void)state;
    wf_context *context = pretend("host", 32, 1024, slow);
    slow_seconds = 50e-3;
    wf_tuning_info before, after;
    require(wf_context_get_tuning(context, &before));
    unsigned long number = 1;
    for (const char *failed = ""; failed != NULL; number++) {
        fail_at = number;
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
        failed = failed_call;
        if (failed == NULL || strcmp(failed, "finish") == 0) { /* what ends all: launches that nobody waits for */
            require(status);
            unlink(before.path);
            continue;
        }
        if (status != WF_DEVICE_ERROR || strstr(wf_last_error(), " on host:32: ") == NULL)
            fail_msg("%s fails, call %lu: %s, %s", failed, number, wf_status_name(status), wf_last_error());
        require(wf_context_get_tuning(context, &after));
        assert_memory_equal(&after, &before, sizeof before);
        assert_int_equal(files_in(folder), 0);
    }
    assert_true(number > 30);
    fail_at = 0;
    wf_context_destroy(context);
}

/* A device whose waves no power of two fits: the library's own table would be refused when it is read. */
static void test_no_valid_table(void **state) {
    (void)state;
    wf_context *context = pretend("host", 48, 1024, always_30us);
    refuses(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096}), WF_UNSUPPORTED,
            "makes no valid launch table (line 9: tile_size 256");
    assert_int_equal(files_in(folder), 0);
    wf_context_destroy(context);
}

/* What of a device's name stands in the file's, and in the file. */
static void test_device_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *file, *line;
    } cases[] = {
        {"Big.GPU  (R)/\xc3\xa9-x--Y", "host-big.gpu-r-x-y-0.0-4x32", "device Big.GPU  (R)/\xc3\xa9-x--Y\n"},
        {"a \x1f\x7f\n~\t", "host-a-0.0-4x32", "device a ???~?\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        wf_context *context = pretend("host", 32, 1024, always_30us);
        wf_context_destroy(context);
        strcpy(pretended.device.name, cases[i].name);
        require(wf_context_create(&context, DEVICE));
        wf_tuning_info info;
        require(wf_context_get_tuning(context, &info));
        assert_string_equal(strrchr(info.path, '/') + 1, cases[i].file);
        wf_context_destroy(context);
        require(wf_context_create(&context, DEVICE));
        require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096}));
        wf_context_destroy(context);
        char text[4096];
        read_text(info.path, text);
        assert_non_null(strstr(text, cases[i].line));
        assert_int_equal(tuning_of(DEVICE).is_tuned, 1);
    }
}

/* ---- Files that fail, or come in parts ---- */

static wf_status tune_quickly(void) {
    wf_context *context = pretend("host", 32, 1024, always_30us);
    const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
    wf_context_destroy(context);
    return status;
}

static int end_files(void **state) {
    end_failing_files();
    umask(022);
    return end_pretending(state);
}

static void test_read_in_parts(void **state) {
    (void)state;
    char *text = valid_text(ROWS);
    const wf_tuning_info info = tuning_of(DEVICE);
    write_bytes(info.path, text, strlen(text));
    free(text);
    static const size_t parts[] = {1, 7};
    for (size_t i = 0; i < COUNT(parts); i++) {
        shorten_file_calls(parts[i]);
        fail_file_call("read", 20, EINTR);
        const wf_tuning_info got = tuning_of(DEVICE);
        const file_calls asked = end_failing_files();
        assert_int_equal(got.is_tuned, 1);
        assert_int_equal(asked.most_read, 4096);
        assert_int_equal(asked.flags, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    }
    fail_file_call("read", 1, EIO);
    is_ignored("a file that cannot be read", WF_INVALID_ARGUMENT, "cannot be read (Input/output error)");
    end_failing_files();
}

static void test_write_in_parts(void **state) {
    (void)state;
    static const struct {
        size_t most;
        int error;
    } cases[] = {{1, EINTR}, {5, EINTR}, {5, 0}};
    require(tune_quickly());
    char expected[4096], text[4096];
    const wf_tuning_info info = tuning_of(DEVICE);
    read_text(info.path, expected);
    for (size_t i = 0; i < COUNT(cases); i++) {
        unlink(info.path);
        shorten_file_calls(cases[i].most);
        fail_file_call("write", 2, cases[i].error);
        errno = EIO; /* of no matter where nothing failed */
        const wf_status status = tune_quickly();
        const file_calls asked = end_failing_files();
        require(status);
        assert_int_equal(asked.most_written, strlen(expected));
        read_text(info.path, text);
        assert_string_equal(text, expected);
    }
}

/* Whatever fails is said, and no file is left. */
static void test_files_fail(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned number;
        int error;
    } cases[] = {
        {"mkdir", 3, EACCES}, {"access", 1, EACCES}, {"access", 2, EACCES}, {"open", 1, EACCES},
        {"open", 0, EEXIST},  {"write", 1, ENOSPC},  {"fsync", 1, EIO},     {"fsync", 1, EPERM},
    };
    char deep[128];
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin(NULL);
        snprintf(deep, sizeof deep, "%s/a/b/c", folder);
        setenv("WAVEFOLD_CACHE", deep, 1);
        wf_context *context = pretend("host", 32, 1024, always_30us);
        fail_file_call(cases[i].name, cases[i].number, cases[i].error);
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
        const file_calls asked = end_failing_files();
        char said[128];
        snprintf(said, sizeof said, ": %s; name another folder", strerror(cases[i].error));
        refuses(status, WF_INVALID_ARGUMENT, said);
        assert_int_equal(asked.access_mode, i == 0 ? 0 : W_OK | X_OK);
        assert_int_equal(asked.opened, i < 3 ? 0 : cases[i].error == EEXIST ? 100 : 1);
        /* Known before anything was measured, where it can be. */
        assert_int_equal(pretended.logged == 0, i < 2);
        if (i > 0)
            assert_int_equal(files_in(deep), 0);
        else
            assert_int_equal(files_in(folder), 0);
        wf_context_destroy(context);
    }
}

/* The last one to be closed is the file that was written. */
static void test_close_fails(void **state) {
    (void)state;
    wf_context *context = pretend("host", 32, 1024, always_30us);
    fail_file_call("close", 1, EIO);
    refuses(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096}), WF_INVALID_ARGUMENT, "Input/output error");
    end_failing_files();
    assert_int_equal(files_in(folder), 0);
    wf_context_destroy(context);
}

/* Folders are the user's alone, whatever the umask; another process may make them first. */
static void test_new_folders(void **state) {
    (void)state;
    char path[3][128];
    snprintf(path[0], sizeof path[0], "%s/a", folder);
    snprintf(path[1], sizeof path[1], "%s/a/b", folder);
    snprintf(path[2], sizeof path[2], "%s/a/b/c", folder);
    setenv("WAVEFOLD_CACHE", path[2], 1);
    umask(0);
    for (int faster = 0; faster < 2; faster++) {
        remove_tree(path[0]);
        if (faster)
            fail_file_call("mkdir", 4, EEXIST); /* a/b/c, a/b, a, and a/b again */
        require(tune_quickly());
        end_failing_files();
        struct stat status;
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(stat(path[i], &status), 0);
            assert_int_equal(status.st_mode & 07777, 0700);
        }
        const wf_tuning_info info = tuning_of(DEVICE);
        assert_int_equal(stat(info.path, &status), 0);
        assert_int_equal(status.st_mode & 07777, 0666);
    }
    /* An error of long ago is none. */
    snprintf(path[0], sizeof path[0], "%s/one", folder);
    setenv("WAVEFOLD_CACHE", path[0], 1);
    wf_context *context = pretend("host", 32, 1024, always_30us);
    errno = EACCES;
    require(tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096}));
    wf_context_destroy(context);
}

/* The folder's name is a file's, which is known before anything is measured; or it is in a folder that is gone. */
static void test_no_folder(void **state) {
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "%s/file", folder);
    write_bytes(file, "", 0);
    setenv("WAVEFOLD_CACHE", file, 1);
    refuses(tune_quickly(), WF_INVALID_ARGUMENT, ": Not a directory; name another folder");
    assert_int_equal(pretended.logged, 0);
    snprintf(file, sizeof file, "%s/gone", folder);
    assert_true(mkdir(file, 0755) == 0 && chdir(file) == 0 && rmdir(file) == 0);
    setenv("WAVEFOLD_CACHE", "sub", 1);
    const wf_status status = tune_quickly();
    assert_int_equal(chdir("/"), 0);
    refuses(status, WF_INVALID_ARGUMENT, ": No such file or directory; name another folder");
}

/* The new file's name beside the old one's: the process, and the time, which counts on where there is such a file. The
 * folder's name is as long as it may be. */
static void test_temporary_names(void **state) {
    (void)state;
    char long_folder[1100], expected[1200];
    wf_tuning_info info = tuning_of(DEVICE);
    const size_t name = strlen(strrchr(info.path, '/'));
    size_t length = (size_t)snprintf(long_folder, sizeof long_folder, "%s", folder);
    while (length + name < 1023) {
        const size_t part = 1023 - name - length > 202 ? 200 : 1023 - name - length;
        assert_true(part >= 2);
        long_folder[length] = '/';
        memset(long_folder + length + 1, 'a', part - 1);
        long_folder[length += part] = '\0';
    }
    setenv("WAVEFOLD_CACHE", long_folder, 1);
    wf_context *context;
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_int_equal(strlen(info.path), 1023);
    wf_context_destroy(context);
    for (unsigned first = 0; first < 2; first++) { /* only the first attempt fails, or all hundred do */
        context = pretend("host", 32, 1024, always_30us);
        require(wf_context_get_tuning(context, &info));
        fail_file_call("open", first, EEXIST);
        const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
        const file_calls asked = end_failing_files();
        if (first)
            require(status);
        else
            refuses(status, WF_INVALID_ARGUMENT, "File exists");
        snprintf(expected, sizeof expected, "%s.%08lx%06lx", info.path, (unsigned long)getpid(),
                 (pretended.nanoseconds + (first ? 1 : 99)) & 0xffffff);
        assert_string_equal(asked.made, expected);
        wf_context_destroy(context);
    }
}

/* Files are closed, and memory is given back; a program may have closed its standard input. */
static void test_nothing_is_left(void **state) {
    (void)state;
    require(tune_quickly());
    const size_t files = files_in("/proc/self/fd");
    size_t used = 0;
    for (int i = 0; i < 60; i++) {
        assert_int_equal(tuning_of(DEVICE).is_tuned, 1);
        if (i == 9)
            used = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < used + 50 * sizeof(wf_tuning_row) * WF_MOST_TUNING_ROWS);
    assert_int_equal(files_in("/proc/self/fd"), files);
    const int input = dup(0);
    close(0);
    const wf_tuning_info info = tuning_of(DEVICE);
    const wf_status status = tune_quickly();
    assert_int_equal(dup2(input, 0), 0);
    close(input);
    assert_int_equal(info.is_tuned, 1);
    require(status);
    assert_int_equal(files_in(folder), 1);
}

/* Of a context's own allocations, two at least are for what it keeps of tables. */
static void test_no_host_memory(void **state) {
    (void)state;
    if (!can_fail_malloc())
        skip();
    unsigned of_tables = 0;
    bool is_failing = true;
    for (unsigned long number = 1; is_failing; number++) {
        wf_context *context = NULL;
        fail_malloc_at(number);
        const wf_status status = wf_context_create(&context, DEVICE);
        is_failing = end_failing_malloc();
        if (status == WF_OK) { /* what failed was of no matter */
            wf_tuning_info info;
            require(wf_context_get_tuning(context, &info));
            assert_true(info.row_count > 0 && info.path[0] != '\0');
            wf_context_destroy(context);
            continue;
        }
        refuses(status, WF_OUT_OF_MEMORY, "memory");
        assert_null(context);
        of_tables += strstr(wf_last_error(), "no host memory for a context") != NULL;
    }
    assert_true(of_tables >= 2);
}

static void test_native(void **state) {
    (void)state;
    wf_context *context;
    wf_tuning_info info;
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_true(info.status == WF_OK && info.is_tuned == 0 && info.row_count == 0 && info.path[0] == '\0');
    assert_non_null(strstr(info.detail, "needs no table"));
    refuses(wf_tune(context, NULL, NULL, NULL), WF_UNSUPPORTED, "nothing to tune");
    wf_context_destroy(context);
    assert_int_equal(files_in(folder), 0);
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
        cmocka_unit_test_setup(test_describe_in_large_tiles, begin),
    };
    const struct CMUnitTest even[] = {cmocka_unit_test_setup(test_tune_even, begin)};
    const struct CMUnitTest of_512[] = {cmocka_unit_test_setup(test_tune_512, begin)};
    const struct CMUnitTest fails[] = {cmocka_unit_test_setup(test_tune_fails, begin)};
    const struct CMUnitTest made_up[] = {
        cmocka_unit_test_setup_teardown(test_shapes, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_medians, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_luck, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_slow_devices, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_all_sizes, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_little_memory, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_backend_fails, begin, end_pretending),
        cmocka_unit_test_setup_teardown(test_no_valid_table, begin, end_pretending),
    };
    const struct CMUnitTest of_files[] = {
        cmocka_unit_test_setup_teardown(test_device_names, begin, end_files),
        cmocka_unit_test_setup_teardown(test_read_in_parts, begin, end_files),
        cmocka_unit_test_setup_teardown(test_write_in_parts, begin, end_files),
        cmocka_unit_test_setup_teardown(test_files_fail, begin, end_files),
        cmocka_unit_test_setup_teardown(test_close_fails, begin, end_files),
        cmocka_unit_test_setup_teardown(test_new_folders, begin, end_files),
        cmocka_unit_test_setup_teardown(test_no_folder, begin, end_files),
        cmocka_unit_test_setup_teardown(test_temporary_names, begin, end_files),
        cmocka_unit_test_setup_teardown(test_nothing_is_left, begin, end_files),
        cmocka_unit_test_setup_teardown(test_no_host_memory, begin, end_files),
    };
    const struct CMUnitTest native[] = {cmocka_unit_test_setup(test_native, begin)};
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
        failed = cmocka_run_group_tests_name("a device that is made up", made_up, NULL, NULL);
    else if (strcmp(change, "failing-files") == 0)
        failed = cmocka_run_group_tests_name("files that fail", of_files, NULL, NULL);
    else if (strcmp(change, "native") == 0)
        failed = cmocka_run_group_tests_name("the host device", native, NULL, NULL);
    else
        fprintf(stderr, "test_tuning no-native|timed-even|timed-512|timed-fails|pretended|failing-files|native\n");
    remove_tree(folder);
    return failed != 0;
}
