/* Checks of arguments that all public functions share. */
#include "check.h"
#include "status.h"
#include "wf_context.h"

#include <stdint.h>
#include <string.h>

wf_status wf_check_context(const wf_context *context) {
    if (context == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'context' must not be NULL");
#if !defined(NDEBUG)
    if (context->destroyed)
        return wf_fail(WF_INVALID_ARGUMENT, "the context was destroyed before this call");
#endif
    return WF_OK;
}

wf_status wf_check_call(const wf_context *context, const void *other, const char *name) {
    const wf_status status = wf_check_context(context);
    return status != WF_OK || other != NULL ? status : wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", name);
}

bool wf_is_host_device(const wf_context *context) {
    return wf_folds_on_cpu(context) || strcmp(context->info.backend, "host") == 0;
}

wf_status wf_check_stream(const wf_context *context, const void *stream) {
    if (stream == NULL || !wf_is_host_device(context))
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "%s has no streams: 'stream' must be NULL", context->info.id);
}

wf_status wf_backend_fail(const wf_context *context, wf_status status, const char *doing) {
    return wf_fail(status, "%s on %s: %s", doing, context->info.id, context->backend->message());
}

wf_status wf_check_array(const char *name, const void *array, size_t count, size_t element, size_t alignment) {
    if (array == NULL && count != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL for %zu elements", name, count);
    if ((uintptr_t)array % alignment != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must be aligned to its type's %zu bytes", name, alignment);
    if (count > PTRDIFF_MAX / element)
        return wf_fail(WF_INVALID_ARGUMENT, "%zu elements of %zu bytes are more than an address space holds", count,
                       element);
    return WF_OK;
}

wf_status wf_check_bytes(size_t bytes) {
    if (bytes > PTRDIFF_MAX)
        return wf_fail(WF_INVALID_ARGUMENT, "%zu bytes are more than an address space holds", bytes);
    return WF_OK;
}

wf_status wf_check_result_bytes(size_t given, size_t written, const char *name) {
    if (given == written)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'result_bytes' is %zu, but the result of %s has %zu bytes", given, name,
                   written);
}

wf_status wf_check_reserved(const char *name, const uint32_t *reserved, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (reserved[i] != 0)
            return wf_fail(WF_INVALID_ARGUMENT,
                           "reserved field %zu of '%s' is %u: it must be 0; zero-initialise the struct", i, name,
                           reserved[i]);
    return WF_OK;
}

static bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

wf_status wf_check_overlap(const void *in, size_t in_bytes, const void *out, size_t out_bytes, bool may_be_same) {
    if ((may_be_same && in == out) || !overlap(in, in_bytes, out, out_bytes))
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'in' and 'result' overlap%s",
                   may_be_same ? "; they must be apart, or start at the same address" : "; they must be apart");
}

wf_status wf_check_type(wf_type type) {
    if (wf_type_name(type) != NULL)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "unknown element type %d: they go from 0 (%s) to %d (%s)", (int)type,
                   wf_type_name((wf_type)0), WF_TYPE_COUNT - 1, wf_type_name(WF_TYPE_COUNT - 1));
}

wf_status wf_check_sort_type(const char *name, wf_type type) {
    const wf_status status = wf_check_type(type);
    if (status == WF_OK && wf_type_size(type) < 4)
        return wf_fail(WF_UNSUPPORTED, "%s takes keys of 4 and 8 bytes, not %s", name, wf_type_name(type));
    return status;
}
