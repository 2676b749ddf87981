/* The registry: loads the backends' modules and lists their devices. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wf_module modules[WF_MODULE_COUNT] = {
    {.info = {.name = "nvidia"}},
    {.info = {.name = "amd"}},
    {.info = {.name = "host"}},
};

/* What became of the module, and a sentence about it. */
__attribute__((format(printf, 3, 4))) static void settle(wf_module *module, wf_status status, const char *format, ...) {
    module->info.status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(module->info.detail, sizeof module->info.detail, format, arguments);
    va_end(arguments);
}

/* The folder that holds this library. */
static void library_folder(char *folder, size_t capacity) {
    Dl_info self;
    const char *file = dladdr((const void *)(uintptr_t)&wf_modules, &self) != 0 ? self.dli_fname : "";
    const char *slash = strrchr(file, '/');
    snprintf(folder, capacity, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
}

static void load(wf_module *module) {
    char folder[3072];
    const char *chosen = getenv("WAVEFOLD_BACKEND_PATH");
    if (chosen != NULL && *chosen != '\0')
        snprintf(folder, sizeof folder, "%s", chosen);
    else
        library_folder(folder, sizeof folder);

    char path[3200];
    snprintf(path, sizeof path, "%s/libwavefold-%s.so", folder, module->info.name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        settle(module, WF_BACKEND_UNAVAILABLE, "%s", dlerror());
        return;
    }
    /* POSIX lets dlsym's pointer be read as a function's; ISO C has no cast for it. */
    wf_backend_entry *entry = NULL;
    *(void **)&entry = dlsym(handle, WF_BACKEND_ENTRY);
    if (entry == NULL) {
        settle(module, WF_BACKEND_UNAVAILABLE, "%s", dlerror());
        dlclose(handle);
        return;
    }
    const wf_backend *backend = entry();
    if (backend == NULL) {
        settle(module, WF_BACKEND_UNAVAILABLE, "%s offers no table of functions", path);
        dlclose(handle);
        return;
    }
    if (backend->abi != WF_BACKEND_ABI) {
        settle(module, WF_BACKEND_MISMATCH, "%s has backend ABI %u, this library needs %u: install both from one build",
               path, backend->abi, WF_BACKEND_ABI);
        dlclose(handle);
        return;
    }
    /* A vendor's runtime keeps threads of its own: the module stays loaded until the process ends. */
    module->backend = backend;
    module->info.devices = backend->device_count();
    settle(module, WF_OK, "%s", module->info.devices != 0 ? path : backend->message());
}

static void load_all(void) {
    for (size_t i = 0; i < WF_MODULE_COUNT; i++)
        load(&modules[i]);
}

const wf_module *wf_modules(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_all);
    return modules;
}

size_t wf_backend_count(void) {
    return WF_MODULE_COUNT;
}

wf_status wf_backend_get_info(size_t index, wf_backend_info *info) {
    if (info == NULL || index >= WF_MODULE_COUNT)
        return wf_fail(WF_INVALID_ARGUMENT, "backend %zu was asked for; there are %d, and info must not be NULL", index,
                       WF_MODULE_COUNT);
    *info = wf_modules()[index].info;
    return WF_OK;
}

size_t wf_device_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < WF_MODULE_COUNT; i++)
        count += wf_modules()[i].info.devices;
    return count;
}

wf_status wf_device_get_info(size_t index, wf_device_info *info) {
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "info must not be NULL");
    size_t left = index;
    for (size_t i = 0; i < WF_MODULE_COUNT; i++) {
        const wf_module *module = &wf_modules()[i];
        if (left < module->info.devices) {
            wf_device_info found = {.id = ""};
            const wf_status status = module->backend->device_info((uint32_t)left, &found);
            if (status != WF_OK)
                return wf_fail(status, "%s device %zu: %s", module->info.name, left, module->backend->message());
            *info = found;
            return WF_OK;
        }
        left -= module->info.devices;
    }
    return wf_fail(WF_INVALID_ARGUMENT, "device %zu was asked for; there are %zu", index, wf_device_count());
}
