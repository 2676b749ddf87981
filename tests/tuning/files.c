/* wf_tune and launch tables where calls of files fail or do less than they are asked for, and the names of files. */
#define _GNU_SOURCE
#include "tuning_tests.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "failing_files.h"
#include "failing_malloc.h"
#include "pretended_device.h"
#include "require.h"
#include "table_files.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* What of a device's name stands in the file's, and in the file. */
static void test_device_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *file, *line;
    } cases[] = {
        {"Big.GPU  (R)/\xc3\xa9-x--Y", "host-big.gpu-r-x-y-0.0-4x32", "device Big.GPU  (R)/\xc3\xa9-x--Y\n"},
        {"a \x1f\x7f\n~\t", "host-a-0.0-4x32", "device a ???~?\n"},
        {"@AZ[`az{/09:q", "host-az-az-09-q-0.0-4x32", "device @AZ[`az{/09:q\n"},
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

/* In a locale whose small I is another one, too: CMakeLists.txt makes it. */
static void test_names_in_locales(void **state) {
    (void)state;
    wf_context *context = pretend("host", 32, 1024, always_30us);
    wf_context_destroy(context);
    strcpy(pretended.device.name, "BIG IRON");
    static const char *const locales[] = {"C", "tr_TR.UTF-8", "tr_TR.ISO-8859-9"};
    for (size_t i = 0; i < COUNT(locales); i++) {
        if (setlocale(LC_CTYPE, locales[i]) == NULL) {
            if (getenv("CI") != NULL)
                fail_msg("there is no locale %s: install the package locales, and configure anew", locales[i]);
            skip();
        }
        const wf_tuning_info info = tuning_of(DEVICE);
        setlocale(LC_CTYPE, "C");
        assert_string_equal(strrchr(info.path, '/') + 1, "host-big-iron-0.0-4x32");
    }
}

/* ---- Files that fail, or come in parts ---- */

static wf_status tune_quickly(void) {
    wf_context *context = pretend("host", 32, 1024, always_30us);
    const wf_status status = tune_pretended(context, &(wf_tune_spec){.most_bytes = 4096});
    wf_context_destroy(context);
    return status;
}

static mode_t mask_before;

static int end_files(void **state) {
    end_failing_files();
    if (mask_before != 0)
        umask(mask_before);
    mask_before = 0;
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
    mask_before = umask(0);
    for (int faster = 0; faster < 2; faster++) {
        remove_tree(path[0]);
        if (faster)
            fail_file_call("mkdir", 4, EEXIST); /* a/b/c, a/b, a, and a/b again */
        require(tune_quickly());
        end_failing_files();
        struct stat status;
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(stat(path[i], &status), 0);
            assert_int_equal(status.st_mode & 0777, 0700);
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
    const int input = dup(0); /* -1: it is closed */
    close(0);
    const wf_tuning_info info = tuning_of(DEVICE);
    const wf_status status = tune_quickly();
    if (input >= 0) {
        assert_int_equal(dup2(input, 0), 0);
        close(input);
    }
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

int run_failing_files_tests(void) {
    const struct CMUnitTest of_files[] = {
        cmocka_unit_test_setup_teardown(test_device_names, begin, end_files),
        cmocka_unit_test_setup_teardown(test_names_in_locales, begin, end_files),
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
    return cmocka_run_group_tests_name("files that fail", of_files, NULL, NULL);
}
