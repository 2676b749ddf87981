#define _GNU_SOURCE
#include "context_tuning.h"

#include "cache_file.h"
#include "launch_table_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof((wf_tuning_info *)NULL)->path == WF_CACHE_PATH, "the file's path must fit");

__attribute__((format(printf, 3, 4))) static void flush(wf_tuning_info *tuning, wf_status status, const char *format,
                                                        ...) {
    tuning->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tuning->detail, sizeof tuning->detail, format, arguments);
    va_end(arguments);
}

/* strerror from any thread. */
typedef struct error_text {
    char text[96];
} error_text;

static error_text text_of(int error) {
    error_text of;
    char buffer[96];
    snprintf(of.text, sizeof of.text, "%s", strerror_r(error, buffer, sizeof buffer));
    return of;
}

#define ADVICE "the built-in table is used. Tune again (wf_tune, wavefold tune), or remove the file"

/* The context is made all the same, so none of this is a failure of the call. A table is no more than a hint: one that
 * passes wf_launch_table_file_parse cannot do worse than to be slow, so it does not matter who wrote it. */
static void read_table(const wf_context *context) {
    wf_tuning_info *tuning = context->tuning;
    char name[WF_TABLE_FILE_NAME], text[WF_TABLE_FILE_TEXT], reason[WF_TABLE_FILE_REASON];
    wf_launch_table_file_name(&context->info, name);
    if (!wf_cache_path(name, tuning->path)) {
        flush(tuning, WF_OK,
              "the built-in table is used; the environment names no folder for a tuned one: "
              "set " WF_CACHE_FOLDER_VARIABLES);
        return;
    }
    size_t length;
    const int error = wf_cache_read(tuning->path, text, sizeof text, &length);
    if (error == ENOENT) {
        flush(tuning, WF_OK,
              "the built-in table is used; nobody has tuned for this device yet (wf_tune, wavefold tune)");
        return;
    }
    if (error == EFBIG) {
        flush(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: a launch table has less than %zu bytes; " ADVICE,
              tuning->path, sizeof text);
        return;
    }
    if (error == ELOOP) {
        flush(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: it is a symbolic link, which is not followed; " ADVICE,
              tuning->path);
        return;
    }
    if (error != 0) {
        flush(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: it cannot be read (%s); " ADVICE, tuning->path,
              text_of(error).text);
        return;
    }
    const wf_status status = wf_launch_table_file_parse(text, length, &context->info, context->launches, reason);
    if (status != WF_OK) {
        flush(tuning, status, "%.500s was ignored: %s; " ADVICE, tuning->path, reason);
        return;
    }
    tuning->is_tuned = 1;
    flush(tuning, WF_OK, "a tuned table is used");
}

wf_status wf_tuning_create(wf_context *context) {
    context->launches = malloc(sizeof *context->launches);
    context->tuning = calloc(1, sizeof *context->tuning);
    if (context->launches == NULL || context->tuning == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for a context");
    *context->launches = wf_builtin_launch_table(&context->info);
    read_table(context);
    return WF_OK;
}

void wf_tuning_destroy(wf_context *context) {
    free(context->launches);
    free(context->tuning);
    context->launches = NULL;
    context->tuning = NULL;
}

wf_status wf_context_get_tuning(const wf_context *context, wf_tuning_info *info) {
    const wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "info must not be NULL");
    if (context->tuning == NULL) {
        *info = (wf_tuning_info){.status = WF_OK};
        flush(info, WF_OK, "%s folds on the CPU itself, with no launch, and needs no table", context->info.id);
        return WF_OK;
    }
    *info = *context->tuning;
    info->row_count = (uint32_t)context->launches->count;
    memcpy(info->rows, context->launches->rows, context->launches->count * sizeof *info->rows);
    return WF_OK;
}

static wf_status refuse_folder(const char *path, int error) {
    return wf_fail(WF_INVALID_ARGUMENT,
                   "cannot write the launch table %.200s: %s; name another folder by WAVEFOLD_CACHE", path,
                   text_of(error).text);
}

wf_status wf_tuning_check_folder(const wf_context *context) {
    const char *path = context->tuning->path;
    if (*path == '\0')
        return wf_fail(WF_INVALID_ARGUMENT,
                       "there is no folder for the launch table, or its name is longer than %d "
                       "characters: set " WF_CACHE_FOLDER_VARIABLES,
                       WF_CACHE_PATH - WF_TABLE_FILE_NAME);
    const int error = wf_cache_prepare(path);
    return error == 0 ? WF_OK : refuse_folder(path, error);
}

wf_status wf_tuning_replace(wf_context *context, const wf_launch_table *table, bool keep) {
    wf_tuning_info *tuning = context->tuning;
    char text[WF_TABLE_FILE_TEXT], reason[WF_TABLE_FILE_REASON];
    /* What would be refused at the next context must not be used, nor written, now. */
    const size_t length = wf_launch_table_file_print(table, &context->info, text);
    wf_launch_table read;
    const wf_status status = wf_launch_table_file_parse(text, length, &context->info, &read, reason);
    if (status != WF_OK)
        return wf_fail(WF_UNSUPPORTED, "what was measured on %s makes no valid launch table (%s)", context->info.id,
                       reason);
    if (keep) {
        const int error = wf_cache_write(tuning->path, text, length);
        if (error != 0)
            return refuse_folder(tuning->path, error);
    }
    *context->launches = read;
    tuning->is_tuned = 1;
    flush(tuning, WF_OK,
          keep ? "a tuned table is used, which this context measured"
               : "a tuned table is used, which this context measured and did not keep");
    return WF_OK;
}
