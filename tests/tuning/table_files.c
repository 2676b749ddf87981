#define _GNU_SOURCE
#include "table_files.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "require.h"
#include "result_bytes.h"

char folder[] = "/tmp/wavefold-tuning.XXXXXX";

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

void remove_tree(const char *path) {
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int begin(void **state) {
    (void)state;
    remove_tree(folder);
    return mkdir(folder, 0755) != 0 || setenv("WAVEFOLD_CACHE", folder, 1) != 0;
}

wf_tuning_info tuning_of(const char *device) {
    wf_context *context;
    wf_tuning_info info;
    require(wf_context_create(&context, device));
    require(wf_context_get_tuning(context, &info));
    wf_context_destroy(context);
    return info;
}

static char *text_of_kind(const char *kind, const char *rows) {
    wf_context *context;
    wf_device_info info;
    char *text;
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_device(context, &info));
    wf_context_destroy(context);
    assert_true(asprintf(&text,
                         "wavefold %s table 1\nlibrary %s\nbackend host\ndevice %s\ncapability 0.0\n"
                         "multiprocessors %u\nwave_width 32\n%s",
                         kind, wf_version(), info.name, info.multiprocessors, rows) > 0);
    return text;
}

char *valid_text(const char *rows) {
    return text_of_kind("launch", rows);
}

char *valid_thread_text(const char *shares) {
    return text_of_kind("thread", shares);
}

void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

void read_text(const char *path, char text[4096]) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
}

size_t files_in(const char *path) {
    DIR *listing = opendir(path);
    size_t count = 0;
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

uint32_t tile_of_sum(wf_context *context, size_t count) {
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
    require(wf_reduce(context, &(wf_reduce_spec){.type = WF_I32}, data, count, &sum,
                      bytes_of_result(&(wf_reduce_spec){.type = WF_I32})));
    assert_int_equal(sum, expected);
    free(data);
    const uint32_t tile = last_tile_size();
    dlclose(module);
    return tile;
}

void is_ignored(const char *spec, wf_status status, const char *says) {
    wf_context *context;
    wf_tuning_info info;
    (void)wf_reduction_get_info(NULL, NULL); /* an ignored file is no failure of the call */
    char before[512];
    snprintf(before, sizeof before, "%s", wf_last_error());
    require(wf_context_create(&context, DEVICE));
    require(wf_context_get_tuning(context, &info));
    assert_string_equal(wf_last_error(), before);
    if (info.is_tuned || info.status != status || strstr(info.detail, says) == NULL)
        fail_msg("%s: is_tuned %u, %s, '%s' does not say '%s'", spec, info.is_tuned, wf_status_name(info.status),
                 info.detail, says);
    if (status != WF_OK)
        assert_non_null(strstr(info.detail, info.path));
    assert_int_equal(tile_of_sum(context, 100), 256);
    assert_true(info.row_count >= 1 && info.rows[info.row_count - 1].bytes == UINT64_MAX);
    wf_context_destroy(context);
}
