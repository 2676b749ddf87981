#define _GNU_SOURCE
#include "context_tuning.h"

#include "cache_file.h"
#include "check.h"
#include "launch_table_file.h"
#include "measure_threads.h"
#include "status.h"
#include "thread_table_file.h"
#include "wavefold_tune.h"
#include "wf_context.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof((wf_tuning_info *)NULL)->path == WF_CACHE_PATH, "the file's path must fit");

__attribute__((format(printf, 3, 4))) static void record(wf_tuning_info *tuning, wf_status status, const char *format,
                                                         ...) {
    tuning->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tuning->detail, sizeof tuning->detail, format, arguments);
    va_end(arguments);
}

/* strerror, but thread-safe. */
typedef struct error_text {
    char text[96];
} error_text;

static error_text text_of(int error) {
    error_text message;
    char buffer[96];
    snprintf(message.text, sizeof message.text, "%s", strerror_r(error, buffer, sizeof buffer));
    return message;
}

#define ADVICE "the built-in table is used. Tune again (wf_tune, wavefold tune), or remove the file"

/* ---- Tables of either kind ---- */

static wf_status parse_table(const wf_context *context, const char *text, size_t length, wf_tuned_table *table,
                             char reason[WF_DEVICE_FILE_REASON]) {
    return wf_folds_on_cpu(context)
               ? wf_thread_table_file_parse(text, length, &context->info, &table->threads, reason)
               : wf_launch_table_file_parse(text, length, &context->info, &table->launches, reason);
}

static void print_table(const wf_context *context, const wf_tuned_table *table, wf_device_file *file) {
    if (wf_folds_on_cpu(context))
        wf_thread_table_file_print(&table->threads, &context->info, file);
    else
        wf_launch_table_file_print(&table->launches, &context->info, file);
}

static void use_table(wf_context *context, const wf_tuned_table *table) {
    if (wf_folds_on_cpu(context))
        context->threads = table->threads;
    else
        *context->launches = table->launches;
}

/* ---- The file ---- */

/* An invalid file is ignored: the context is created with the built-in table. A valid file may come from any source: a
 * table only affects speed. */
static void read_table(wf_context *context) {
    wf_tuning_info *tuning = context->tuning;
    char name[WF_DEVICE_FILE_NAME], text[WF_DEVICE_FILE_TEXT], reason[WF_DEVICE_FILE_REASON];
    wf_device_file_name(&context->info, wf_folds_on_cpu(context) ? "-threads" : "", name);
    if (!wf_cache_path(name, tuning->path)) {
        record(tuning, WF_OK,
               "the built-in table is used; the environment names no folder for a tuned one, or its "
               "name is too long: set " WF_CACHE_FOLDER_VARIABLES);
        return;
    }
    size_t length;
    const int error = wf_cache_read(tuning->path, text, sizeof text, &length);
    if (error == ENOENT) {
        record(tuning, WF_OK, "the built-in table is used; this device is not tuned yet (wf_tune, wavefold tune)");
        return;
    }
    if (error == EFBIG) {
        record(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: it must have less than %zu bytes; " ADVICE,
               tuning->path, sizeof text);
        return;
    }
    if (error == ELOOP) {
        record(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: symbolic links are not followed; " ADVICE,
               tuning->path);
        return;
    }
    if (error != 0) {
        record(tuning, WF_INVALID_ARGUMENT, "%.500s was ignored: it cannot be read (%s); " ADVICE, tuning->path,
               text_of(error).text);
        return;
    }
    wf_tuned_table table;
    const wf_status status = parse_table(context, text, length, &table, reason);
    if (status != WF_OK) {
        record(tuning, status, "%.500s was ignored: %s; " ADVICE, tuning->path, reason);
        return;
    }
    use_table(context, &table);
    tuning->is_tuned = 1;
    record(tuning, WF_OK, "a tuned table is used");
}

wf_status wf_tuning_create(wf_context *context) {
    context->tuning = calloc(1, sizeof *context->tuning);
    if (!wf_folds_on_cpu(context))
        context->launches = malloc(sizeof *context->launches);
    if (context->tuning == NULL || (!wf_folds_on_cpu(context) && context->launches == NULL))
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory for a context");
    if (context->launches != NULL)
        *context->launches = wf_builtin_launch_table(&context->info);
    else
        context->threads = WF_BUILTIN_THREAD_TABLE;
    context->cpus = wf_allowed_cpus();
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
        return wf_fail(WF_INVALID_ARGUMENT, "'info' must not be NULL");
    *info = *context->tuning;
    info->awake_bytes = context->threads.awake_bytes;
    info->asleep_bytes = context->threads.asleep_bytes;
    if (context->launches == NULL)
        return WF_OK;
    info->row_count = (uint32_t)context->launches->count;
    memcpy(info->rows, context->launches->rows, context->launches->count * sizeof *info->rows);
    return WF_OK;
}

static wf_status refuse_folder(const char *path, int error) {
    return wf_fail(WF_INVALID_ARGUMENT, "cannot write the table %.200s: %s; name another folder by WAVEFOLD_CACHE",
                   path, text_of(error).text);
}

wf_status wf_tuning_check_folder(const wf_context *context) {
    const char *path = context->tuning->path;
    if (*path == '\0')
        return wf_fail(WF_INVALID_ARGUMENT,
                       "there is no folder for the table, or its path has more than %d characters: "
                       "set " WF_CACHE_FOLDER_VARIABLES,
                       WF_CACHE_PATH - 1);
    const int error = wf_cache_prepare(path);
    return error == 0 ? WF_OK : refuse_folder(path, error);
}

wf_status wf_tuning_replace(wf_context *context, const wf_tuned_table *table, bool keep) {
    wf_tuning_info *tuning = context->tuning;
    char reason[WF_DEVICE_FILE_REASON];
    /* Parses the text as the next context will, so that no invalid table is used or written. */
    wf_device_file file;
    print_table(context, table, &file);
    wf_tuned_table read;
    const wf_status status = parse_table(context, file.text, file.length, &read, reason);
    if (status != WF_OK)
        return wf_fail(WF_UNSUPPORTED, "the measurement on %s makes no valid table (%s)", context->info.id, reason);
    if (keep) {
        const int error = wf_cache_write(tuning->path, file.text, file.length);
        if (error != 0)
            return refuse_folder(tuning->path, error);
    }
    use_table(context, &read);
    tuning->is_tuned = 1;
    record(tuning, WF_OK,
           keep ? "a tuned table is used, which this context measured"
                : "a tuned table is used, which this context measured and did not keep");
    return WF_OK;
}
