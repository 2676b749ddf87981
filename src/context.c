/* Contexts: finding a device by its name, and the context's workspace. */
#define _GNU_SOURCE
#include "backends.h"
#include "check.h"
#include "device_memory.h"
#include "nearest.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"
#include "status.h"
#include "tuning/context_tuning.h"
#include "wf_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wf_status unknown_backend(const char *device, size_t name_length) {
    const char *names[WF_MODULE_COUNT + 2] = {"auto"};
    for (size_t i = 0; i <= WF_MODULE_COUNT; i++)
        names[i + 1] = wf_module_name(i);
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)name_length, device);
    const char *nearest = wf_nearest_name(typed, names, WF_MODULE_COUNT + 2);
    return wf_fail(WF_INVALID_ARGUMENT,
                   "unknown device '%.60s'%s%s%s Devices are auto, host[:LANES[:SCHEDULE]], nvidia[:NUMBER], "
                   "amd[:NUMBER] and watched[:LANES[:SCHEDULE]]",
                   device, nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : ".");
}

/* Sets *info to the device's id. GPU ids are built from the ordinal: querying a GPU would create a context on it, which
 * takes memory and fails if another process holds the GPU exclusively. */
static wf_status find_id(const wf_module *module, uint32_t ordinal, wf_device_info *info) {
    if (module->has_gpus) {
        snprintf(info->id, sizeof info->id, "%s:%u", module->info.name, ordinal);
        return WF_OK;
    }
    const wf_status status = module->backend->device_info(ordinal, info);
    if (status != WF_OK)
        return wf_fail(status, "%s device %u: %s", module->info.name, ordinal, module->backend->message());
    return WF_OK;
}

/* Finds the device of the name "NAME" or "NAME:NUMBER"; *setting is the text after a second colon. */
static wf_status find_device(const char *device, const wf_module **found, uint32_t *ordinal, const char **setting) {
    const size_t name_length = strcspn(device, ":");
    const wf_module *module = NULL;
    for (size_t i = 0; i <= WF_MODULE_COUNT && module == NULL; i++) {
        const char *name = wf_module_name(i);
        if (strlen(name) == name_length && strncmp(name, device, name_length) == 0)
            module = wf_module_at(i);
    }
    if (module == NULL)
        return unknown_backend(device, name_length);
    if (module->info.status != WF_OK)
        return wf_fail(module->info.status, "device '%.60s' cannot be used: %s", device, module->info.detail);
    if (module->info.devices == 0)
        return wf_fail(WF_NO_DEVICE, "no %s device: %s", module->info.name, module->info.detail);

    const char *number = device + name_length;
    const size_t number_length = *number == ':' ? 1 + strcspn(number + 1, ":") : 0;
    const char *rest = number + number_length;
    if (strcmp(rest, ":") == 0)
        return wf_fail(WF_INVALID_ARGUMENT, "device '%.60s' ends with a colon: remove it, or add a setting", device);
    *setting = *rest == ':' ? rest + 1 : rest;
    *found = module;
    if (number_length == 0) {
        *ordinal = 0;
        return WF_OK;
    }
    const size_t id_length = name_length + number_length;
    char known[256] = "";
    for (uint32_t i = 0; i < module->info.devices; i++) {
        wf_device_info info;
        const wf_status status = find_id(module, i, &info);
        *ordinal = i;
        if (status != WF_OK || (strlen(info.id) == id_length && strncmp(info.id, device, id_length) == 0))
            return status;
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i != 0 ? ", " : "", info.id);
    }
    return wf_fail(WF_NO_DEVICE, "no device '%.60s': there is %s", device, known);
}

static wf_status find_any_device(const wf_module **found, uint32_t *ordinal) {
    for (size_t i = 0; i < WF_MODULE_COUNT; i++) {
        if (wf_module_at(i)->info.devices != 0) {
            *found = wf_module_at(i);
            *ordinal = 0;
            return WF_OK;
        }
    }
    const wf_backend_info *host = &wf_module_at(WF_MODULE_COUNT - 1)->info;
    return wf_fail(WF_NO_DEVICE, "no backend has a device, not even the host: %s", host->detail);
}

static wf_status prepare_folds(wf_context *context) {
    wf_status status = wf_tuning_create(context);
    if (status != WF_OK || wf_folds_on_cpu(context))
        return status;
    status = wf_staging_create(context);
    return status == WF_OK ? wf_stream_workspaces_create(context) : status;
}

wf_status wf_context_create(wf_context **context, const char *device) {
    if (context == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'context' must not be NULL: it receives the new context");

    const wf_module *module = NULL;
    uint32_t ordinal = 0;
    const char *setting = "";
    wf_status status;
    if (device == NULL || strcmp(device, "auto") == 0)
        status = find_any_device(&module, &ordinal);
    else
        status = find_device(device, &module, &ordinal, &setting);
    if (status != WF_OK)
        return status;

    wf_context *created = calloc(1, sizeof *created);
    if (created == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no memory for a context (%zu bytes)", sizeof *created);
    created->backend = module->backend;
    created->ordinal = ordinal;
    status = created->backend->device_info(ordinal, &created->info);
    if (status == WF_OK)
        status = created->backend->open(ordinal, setting, &created->device);
    if (status != WF_OK) {
        wf_fail(status, "device '%.60s': %s", device != NULL ? device : "auto", module->backend->message());
        free(created);
        return status;
    }
    status = prepare_folds(created);
    if (status != WF_OK) {
        wf_context_destroy(created);
        return status;
    }
    *context = created;
    return WF_OK;
}

/* Debug builds keep the memory of a destroyed context, so that later calls can report its use. */
static void bury(wf_context *context) {
#if defined(NDEBUG)
    free(context);
#else
    *context = (wf_context){.destroyed = true};
#endif
}

void wf_context_destroy(wf_context *context) {
    if (context == NULL || wf_check_context(context) != WF_OK)
        return;
    wf_device_memory_destroy(context);
    if (context->workspace != NULL)
        context->backend->release(context->device, context->workspace);
    wf_stream_workspaces_destroy(context);
    wf_staging_destroy(context);
    wf_tuning_destroy(context);
    context->backend->close(context->device);
    bury(context);
}

wf_status wf_context_get_device(const wf_context *context, wf_device_info *info) {
    wf_status status = wf_check_call(context, info, "info");
    if (status != WF_OK)
        return status;
    wf_device_info found;
    status = context->backend->device_info(context->ordinal, &found);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "querying the device");
    *info = found;
    return WF_OK;
}

wf_status wf_workspace(wf_context *context, size_t bytes, void **memory) {
    if (bytes > context->workspace_bytes) {
        /* Released first: the old and the new workspace together may not fit. */
        if (context->workspace != NULL)
            context->backend->release(context->device, context->workspace);
        context->workspace = NULL;
        context->workspace_bytes = 0;
        const wf_status status = context->backend->allocate(context->device, bytes, &context->workspace);
        if (status != WF_OK)
            return wf_backend_fail(context, status, "allocating the workspace");
        context->workspace_bytes = bytes;
    }
    *memory = context->workspace;
    return WF_OK;
}
