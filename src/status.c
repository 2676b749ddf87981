/* Status values, their texts, and the message of the last failure. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

/* X(name, value, text): the statuses of wavefold.h. */
#define WF_STATUS_MAP(X)                                                                                               \
    X(OK, 0, "success")                                                                                                \
    X(INVALID_ARGUMENT, -1, "an argument is out of its range")                                                         \
    X(UNSUPPORTED, -2, "the request is valid, but this build or device does not support it")                           \
    X(OUT_OF_MEMORY, -3, "not enough memory on the host or on the device")                                             \
    X(NO_DEVICE, -4, "no such device")                                                                                 \
    X(BACKEND_UNAVAILABLE, -5, "the backend's module is not installed or could not be loaded")                         \
    X(BACKEND_MISMATCH, -6, "the backend's module was built for another version of the library")                       \
    X(DEVICE_ERROR, -7, "the device's runtime reported an error")                                                      \
    X(KERNEL_FAULT, -8, "the host device caught a kernel breaking a rule (race, divergent barrier, bad index)")        \
    X(ENGINE_ERROR, -9, "the engine that joins the ranks (MPI, NCCL, RCCL) reported an error")

#define SAME_VALUE(name, value, text) _Static_assert(WF_##name == (value), "as wavefold.h has it");
WF_STATUS_MAP(SAME_VALUE)
#undef SAME_VALUE

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

uint32_t wf_version_number(void) {
    return WF_VERSION_NUMBER;
}
