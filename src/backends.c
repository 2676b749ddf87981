/* The registry: loads the backends' modules and lists their devices. */
#define _GNU_SOURCE
#include "backends.h"
#include "cancellation.h"
#include "module_folder.h"
#include "status.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last module counts accesses; it is not listed as a device. */
_Static_assert(WF_MODULE_COUNT == 3, "the rows here, and the initialisers of once in wf_module_at");
static wf_module modules[WF_MODULE_COUNT + 1] = {
    {.info = {.name = "nvidia"}, .has_gpus = true},
    {.info = {.name = "amd"}, .has_gpus = true},
    {.info = {.name = "host"}},
    {.info = {.name = "watched"}},
};

/* Records the outcome of loading, and a sentence about it. */
__attribute__((format(printf, 3, 4))) static void record(wf_module *module, wf_status status, const char *format, ...) {
    module->info.status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(module->info.detail, sizeof module->info.detail, format, arguments);
    va_end(arguments);
}

enum { FOLDER = 3072, FOLDERS = 2 };

/* The folder wavefold/ next to the shared library, wherever it is installed. False if the library is linked statically:
 * files next to a program are not the library's. */
static bool own_folder(char folder[FOLDER]) {
    Dl_info symbol;
    struct link_map *object;
    if (dladdr1((const void *)(uintptr_t)&wf_module_at, &symbol, (void **)&object, RTLD_DL_LINKMAP) == 0)
        return false;
    const char *file = object->l_name, *slash = strrchr(file, '/');
    if (slash != NULL)
        snprintf(folder, FOLDER, "%.*s/wavefold", (int)(slash - file), file);
    return slash != NULL;
}

/* The folders to search for modules, in order. WAVEFOLD_BACKEND_PATH replaces the other folders; programs of raised
 * privileges ignore it (secure_getenv). */
static size_t list_folders(const char *folders[FOLDERS], char own[FOLDER]) {
    size_t count = 0;
    folders[0] = secure_getenv("WAVEFOLD_BACKEND_PATH");
    if (folders[0] != NULL && *folders[0] != '\0')
        return 1;
    if (own_folder(own))
        folders[count++] = own;
    if (count == 0 || strcmp(own, wf_module_folder) != 0)
        folders[count++] = wf_module_folder;
    return count;
}

static void load(wf_module *module) {
    char own[FOLDER], path[FOLDER + 64] = "";
    const char *folders[FOLDERS] = {NULL};
    const size_t count = list_folders(folders, own);
    size_t found = 0;
    for (; found < count; found++) {
        snprintf(path, sizeof path, "%s/libwavefold-%s.so", folders[found], module->info.name);
        if (access(path, F_OK) == 0)
            break;
    }
    if (found == count) {
        record(module, WF_BACKEND_UNAVAILABLE,
               "there is no libwavefold-%s.so in %s%s%s: install it, or set WAVEFOLD_BACKEND_PATH to its folder",
               module->info.name, folders[0], count > 1 ? " or " : "", count > 1 ? folders[1] : "");
        return;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        record(module, WF_BACKEND_UNAVAILABLE, "%s", dlerror());
        return;
    }
    /* POSIX lets dlsym's pointer be read as a function's; ISO C has no cast for it. */
    wf_backend_entry *entry = NULL;
    *(void **)&entry = dlsym(handle, WF_BACKEND_ENTRY);
    if (entry == NULL) {
        record(module, WF_BACKEND_UNAVAILABLE, "%s", dlerror());
        dlclose(handle);
        return;
    }
    const wf_backend *backend = entry();
    if (backend == NULL) {
        record(module, WF_BACKEND_UNAVAILABLE, "%s offers no table of functions", path);
        dlclose(handle);
        return;
    }
    if (backend->abi != WF_BACKEND_ABI) {
        record(module, WF_BACKEND_MISMATCH, "%s has backend ABI %u, this library needs %u: install both from one build",
               path, backend->abi, WF_BACKEND_ABI);
        dlclose(handle);
        return;
    }
    /* A vendor's runtime starts threads, so the module stays loaded until the process ends. */
    module->backend = backend;
    module->info.devices = backend->device_count();
    record(module, WF_OK, "%s", module->info.devices != 0 ? path : backend->message());
    if (backend->runtime != NULL)
        snprintf(module->info.runtime, sizeof module->info.runtime, "%s", backend->runtime());
}

const char *wf_module_name(size_t index) {
    return modules[index].info.name;
}

/* Passes the argument to load, since pthread_once has none. Cancellation is deferred: a thread that is cancelled inside
 * pthread_once would cause a second load, and a module's functions must not be unwound. */
static _Thread_local wf_module *to_load;
static void load_once(void) {
    const int before = wf_disable_cancellation();
    load(to_load);
    wf_restore_cancellation(before);
}

const wf_module *wf_module_at(size_t index) {
    static pthread_once_t once[WF_MODULE_COUNT + 1] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT,
                                                       PTHREAD_ONCE_INIT};
    to_load = &modules[index];
    pthread_once(&once[index], load_once);
    return &modules[index];
}

size_t wf_backend_count(void) {
    return WF_MODULE_COUNT;
}

wf_status wf_backend_get_info(size_t index, wf_backend_info *info) {
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'info' must not be NULL");
    if (index >= WF_MODULE_COUNT)
        return wf_fail(WF_INVALID_ARGUMENT, "no backend %zu: there are %d, numbered from 0", index, WF_MODULE_COUNT);
    *info = wf_module_at(index)->info;
    return WF_OK;
}

size_t wf_device_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < WF_MODULE_COUNT; i++)
        count += wf_module_at(i)->info.devices;
    return count;
}

wf_status wf_device_get_info(size_t index, wf_device_info *info) {
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'info' must not be NULL");
    size_t left = index;
    for (size_t i = 0; i < WF_MODULE_COUNT; i++) {
        const wf_module *module = wf_module_at(i);
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
    return wf_fail(WF_INVALID_ARGUMENT, "no device %zu: there are %zu, numbered from 0", index, wf_device_count());
}
