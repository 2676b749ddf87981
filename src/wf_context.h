/* What a wf_context is to the library's own files; to programs it is opaque. */
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
    wf_device_info info; /* as it was when the context was made */
    void *workspace;     /* grows, never shrinks */
    size_t workspace_bytes;
    void *blocks; /* what wf_malloc gave and wf_free has not taken back: a tree of tsearch (device_memory.c) */
    /* Of devices that fold by kernels; NULL where the CPU does. */
    struct wf_stream_workspaces *stream_workspaces;
    struct wf_staging *staging;
    struct wf_launch_table *launches;
    wf_thread_table threads;       /* where the CPU folds, */
    uint32_t cpus;                 /* on so many: as wf_allowed_cpus said when the context was made */
    struct wf_tuning_info *tuning; /* what wf_context_get_tuning tells, but for the tables themselves */
#if !defined(NDEBUG)
    bool destroyed;
#endif
};

/* With no kernel: there is no launch, no stream and no staging. */
static inline bool wf_folds_on_cpu(const wf_context *of) {
    return of->backend->reduce != NULL;
}

/* Device memory is host memory there, and there are no streams: host and watched. */
bool wf_is_host_device(const wf_context *context);

/* Passes a backend's failure on, with its message. */
wf_status wf_backend_fail(const wf_context *context, wf_status status, const char *doing);

/* Gives device memory of at least bytes that stays the context's and may be overwritten by the next call. */
wf_status wf_workspace(wf_context *context, size_t bytes, void **memory);

#endif
