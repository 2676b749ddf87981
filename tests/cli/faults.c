/* Preloaded before libwavefold: makes it fail as the environment says, so that tests see what the program does then.
 *
 * WAVEFOLD_FAULT is KIND:RUNG. KIND is
 *   value, nan, infinity, zero  the rung's result is another, of the data
 *   late                  the same as value, but in the third run of the data only
 *   probe                 the same as value, of the probe
 *   probe_twice           element 0 is counted in the place of element 1, of the probe
 *   KERNEL_FAULT, UNSUPPORTED, DEVICE_ERROR  the rung fails with this status
 *   probe_KERNEL_FAULT, ...                  the same, of the probe
 *   late_KERNEL_FAULT, ...                   the same, in the third run of the data only
 *   upload, ceiling, no_ceiling, context     another call fails, whatever the rung
 *   small_gpu             the device says that it is a GPU with 100 MiB free, and takes 99 tiles
 *   free_gpu              the device says that it is a GPU
 */
#define _GNU_SOURCE
#include "wavefold.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static bool injected;

static const char *kind(void) {
    static char text[64];
    const char *fault = getenv("WAVEFOLD_FAULT");
    strncpy(text, fault ? fault : "", sizeof text - 1);
    text[strcspn(text, ":")] = '\0';
    return text;
}

static bool is(const char *name) {
    return strcmp(kind(), name) == 0;
}

static bool is_victim(size_t index) {
    wf_rung_info info;
    const char *fault = getenv("WAVEFOLD_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
    return colon && wf_rung_get_info(index, &info) == WF_OK && strcmp(colon + 1, info.name) == 0;
}

static wf_status inject(wf_status status) {
    injected = true;
    return status;
}

const char *wf_last_error(void) {
    return injected ? "the injected fault" : NEXT(wf_last_error)();
}

static wf_status status_named(const char *name) {
    return strcmp(name, "KERNEL_FAULT") == 0   ? WF_KERNEL_FAULT
           : strcmp(name, "UNSUPPORTED") == 0  ? WF_UNSUPPORTED
           : strcmp(name, "DEVICE_ERROR") == 0 ? WF_DEVICE_ERROR
                                               : WF_OK;
}

static wf_status replace_element_1(wf_context *context, void *in, wf_type type) {
    int64_t element;
    wf_status status = wf_copy_to_host(context, &element, in, wf_type_size(type));
    void *second = (char *)in + wf_type_size(type);
    return status == WF_OK ? NEXT(wf_copy_to_device)(context, second, &element, wf_type_size(type)) : status;
}

static void spoil(wf_type type, void *result) {
    if (is("zero"))
        memset(result, 0, wf_type_size(type));
    else if (type == WF_F32)
        *(float *)result = is("nan") ? NAN : is("infinity") ? INFINITY : *(float *)result + 1;
    else
        *(unsigned char *)result ^= 1;
}

wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in, size_t count,
                      void *result, wf_rung_report *report) {
    static int runs;
    const char *fault = kind();
    bool probe = !report, late = strncmp(fault, "late", 4) == 0;
    if (is_victim(index)) {
        runs += !probe;
        if (probe == (strncmp(fault, "probe", 5) == 0) && (!late || runs == 3)) {
            const char *name = strncmp(fault, "probe_", 6) == 0 ? fault + 6 : late && fault[4] ? fault + 5 : fault;
            wf_status status = status_named(name);
            if (status != WF_OK)
                return inject(status);
            if (is("probe_twice") && replace_element_1(context, (void *)(uintptr_t)in, options->type) != WF_OK)
                return inject(WF_DEVICE_ERROR);
            status = NEXT(wf_rung_run)(context, index, options, in, count, result, report);
            if (!is("probe_twice"))
                spoil(options->type, result);
            return status;
        }
    }
    return NEXT(wf_rung_run)(context, index, options, in, count, result, report);
}

wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes) {
    return is("upload") ? inject(WF_DEVICE_ERROR) : NEXT(wf_copy_to_device)(context, device, host, bytes);
}

wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds) {
    if (is("ceiling") || is("no_ceiling"))
        return inject(is("ceiling") ? WF_DEVICE_ERROR : WF_UNSUPPORTED);
    return NEXT(wf_read_ceiling)(context, in, bytes, seconds);
}

wf_status wf_context_create(wf_context **context, const char *device) {
    return is("context") ? inject(WF_DEVICE_ERROR) : NEXT(wf_context_create)(context, device);
}

wf_status wf_context_get_device(const wf_context *context, wf_device_info *info) {
    wf_status status = NEXT(wf_context_get_device)(context, info);
    if (is("small_gpu") || is("free_gpu"))
        strcpy(info->backend, "nvidia");
    if (is("small_gpu")) {
        info->memory_free_bytes = 100 << 20;
        info->max_tiles = 99;
    }
    return status;
}
