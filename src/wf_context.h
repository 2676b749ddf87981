/* The definition of wf_context, which is opaque to programs. */
#ifndef WAVEFOLD_WF_CONTEXT_H
#define WAVEFOLD_WF_CONTEXT_H

#include "backend.h"
#include "wavefold.h"
#include "wavefold_tune.h"

#include <stdbool.h>

struct wf_context {
    const wf_backend *backend;
    void *device;
    uint32_t ordinal;
    wf_device_info info; /* queried when the context was created */
    void *workspace;     /* grows, never shrinks */
    size_t workspace_bytes;
    void *blocks;           /* live blocks of wf_malloc: a tree of tsearch (device_memory.c) */
    bool takes_host_memory; /* of wf_context_take_host_memory */
    /* NULL if the CPU reduces without kernels. */
    struct wf_stream_workspaces *stream_workspaces;
    struct wf_staging *staging;
    struct wf_launch_table *launches;
    wf_thread_table threads;       /* used if the CPU reduces without kernels */
    uint32_t cpus;                 /* the result of wf_allowed_cpus when the context was created */
    struct wf_tuning_info *tuning; /* the report of wf_context_get_tuning, without the tables */
#if !defined(NDEBUG)
    bool destroyed;
#endif
};

/* True if the CPU reduces without kernels: without launches, streams and staging. */
static inline bool wf_folds_on_cpu(const wf_context *context) {
    return context->backend->reduce != NULL;
}

/* True for host and watched: device memory is host memory, and there are no streams. */
bool wf_is_host_device(const wf_context *context);

/* Reports a backend's failure with its message; doing is the operation that failed. */
wf_status wf_backend_fail(const wf_context *context, wf_status status, const char *doing);

/* *memory becomes device memory of at least bytes, owned by the context. The next call may overwrite it. */
wf_status wf_workspace(wf_context *context, size_t bytes, void **memory);

#endif
