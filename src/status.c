/* Status values, their texts, and the sentence about the last failure. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[512];

typedef struct status_row {
    wf_status status;
    const char *name, *text;
} status_row;

static const status_row *row_of(wf_status status) {
    static const status_row rows[] = {
#define STATUS_ROW(name, value, text) {WF_##name, "WF_" #name, text},
        WF_STATUS_MAP(STATUS_ROW)
#undef STATUS_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].status == status)
            return &rows[i];
    return NULL;
}

static const char unknown[] = "unknown status";

const char *wf_status_string(wf_status status) {
    const status_row *row = row_of(status);
    return row != NULL ? row->text : unknown;
}

const char *wf_status_name(wf_status status) {
    const status_row *row = row_of(status);
    return row != NULL ? row->name : unknown;
}

const char *wf_last_error(void) {
    return last_error;
}

wf_status wf_fail(wf_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *wf_version(void) {
    return VERSION_TEXT(WF_VERSION_MAJOR, WF_VERSION_MINOR, WF_VERSION_PATCH);
}
