/* What the library's own files share; nothing of it is visible outside. */
#ifndef WAVEFOLD_INTERNAL_H
#define WAVEFOLD_INTERNAL_H

#include "backend.h"
#include "wavefold.h"

/* Sets wf_last_error() to the formatted sentence and returns status. */
wf_status wf_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct wf_module {
    wf_backend_info info;
    const wf_backend *backend; /* NULL unless info.status is WF_OK */
} wf_module;

/* Every backend this version knows, loaded at the first call. GPUs come first: that is the order "auto" tries. */
#define WF_MODULE_COUNT 3
const wf_module *wf_modules(void);

struct wf_context {
    const wf_backend *backend;
    void *device;
    uint32_t ordinal;
    wf_device_info info; /* as it was when the context was made */
    void *workspace;     /* grows, never shrinks */
    size_t workspace_bytes;
    struct wf_allocation *allocations; /* what wf_malloc gave and wf_free has not taken back */
};

/* Passes a backend's failure on, with its message. */
wf_status wf_backend_fail(const wf_context *context, wf_status status, const char *doing);

/* Gives device memory of at least bytes that stays the context's and may be overwritten by the next call. */
wf_status wf_workspace(wf_context *context, size_t bytes, void **memory);

/* Writes the operator's identity to *value. */
void wf_identity(wf_type type, wf_op op, void *value);
/* *into = *into op values[0] op ... op values[count - 1], in this order. */
void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count);

/* One step of the ladder: what the public table tells, and who runs it. */
typedef struct wf_rung_run_args {
    wf_context *context;
    wf_rung_options options; /* complete and checked */
    const void *in;
    size_t count;
    void *result;
    wf_rung_report *report;
} wf_rung_run_args;

/* How many tiles a rung launches. */
typedef enum wf_grid {
    WF_GRID_FIXED,    /* as many as the options say */
    WF_GRID_ONE_TILE, /* one */
    WF_GRID_ONE_WAVE  /* one, of one wave */
} wf_grid;

/* How the tiles' results become one. */
typedef enum wf_join {
    WF_JOIN_ON_HOST,
    WF_JOIN_SECOND_LAUNCH,
    WF_JOIN_ATOMIC, /* into one cell */
    WF_JOIN_TICKET  /* by the tile that comes last */
} wf_join;

typedef struct wf_rung {
    wf_rung_info info;
    wf_kernel kernel; /* unused by a rung that runs on the host */
    uint32_t loads;   /* TILED rungs: elements each thread folds while it loads; others: elements of one load */
    wf_grid grid;
    wf_join join;
    uint32_t results; /* that a tile leaves for the host; 0 is 1 */
    wf_status (*run)(const struct wf_rung *rung, const wf_rung_run_args *args);
} wf_rung;

#endif
