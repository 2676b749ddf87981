/* Status values, their texts, and the sentence about the last failure. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[512];

const char *wf_status_string(wf_status status) {
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                                                 \
    case WF_##name:                                                                                                    \
        return text;
        WF_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

const char *wf_status_name(wf_status status) {
    switch (status) {
#define STATUS_NAME(name, value, text)                                                                                 \
    case WF_##name:                                                                                                    \
        return "WF_" #name;
        WF_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    }
    return "unknown status";
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
