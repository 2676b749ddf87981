/* What the library's own files share; nothing of it is visible outside. */
#ifndef WAVEFOLD_INTERNAL_H
#define WAVEFOLD_INTERNAL_H

#include "algebra.h"
#include "backend.h"
#include "wavefold.h"

#include <stdbool.h>

/* Sets wf_last_error() to the formatted sentence and returns status. */
wf_status wf_fail(wf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct wf_module {
    wf_backend_info info;
    const wf_backend *backend; /* NULL unless info.status is WF_OK */
    bool has_gpus;
} wf_module;

/* Every backend that this version knows. GPUs come first: that is the order "auto" tries. Behind them stands that of
 * the device "watched", which no list has. */
#define WF_MODULE_COUNT 3
const char *wf_module_name(size_t index);
/* Loaded when it is first asked for: to make a vendor's runtime ready takes milliseconds, and with a GPU more. */
const wf_module *wf_module_at(size_t index);

struct wf_context {
    const wf_backend *backend;
    void *device;
    uint32_t ordinal;
    wf_device_info info; /* as it was when the context was made */
    void *workspace;     /* grows, never shrinks */
    size_t workspace_bytes;
    void *allocations; /* what wf_malloc gave and wf_free has not taken back: a tree of tsearch's */
    /* Of devices that fold by kernels; NULL where the CPU does. */
    struct wf_stream_workspaces *places;
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

/* WF_INVALID_ARGUMENT for NULL, and in debug builds for a context that has been destroyed. */
wf_status wf_check_context(const wf_context *context);
/* The same, and WF_INVALID_ARGUMENT for another argument that is NULL; name is what its caller knows it by. */
wf_status wf_check_call(const wf_context *context, const void *other, const char *name);
/* Where the CPU folds there are no streams, nor where it emulates kernels that are watched. */
wf_status wf_check_stream(const wf_context *context, const void *stream);

/* Passes a backend's failure on, with its message. */
wf_status wf_backend_fail(const wf_context *context, wf_status status, const char *doing);

/* Threads of a tile, unless somebody asks for another number. */
enum { WF_DEFAULT_TILE = 256 };

/* Gives device memory of at least bytes that stays the context's and may be overwritten by the next call. */
wf_status wf_workspace(wf_context *context, size_t bytes, void **memory);

/* wf_check_array refuses an array that is NULL, misaligned or too long; wf_check_overlap a pair that overlaps.
 * may_be_same: the two may start at the same address. */
wf_status wf_check_array(const char *name, const void *array, size_t count, size_t element, size_t alignment);
wf_status wf_check_overlap(const void *in, size_t in_bytes, const void *out, size_t out_bytes, bool may_be_same);
/* Refuses types that no sort takes; name is who refuses. */
wf_status wf_check_sort_type(const char *name, wf_type type);

/* Large and aligned enough for one result, or one element, of any kind. */
typedef union wf_result {
    uint64_t words[4];
    double f64;
} wf_result;

/* One step of the ladder: what the public table tells, and who runs it. */
typedef struct wf_rung_run_args {
    wf_context *context;
    wf_rung_options options; /* complete and checked */
    wf_reduction_info info;  /* sorts: element_bytes alone */
    const void *in;
    size_t count;
    void *result; /* a reduction's holds the result of no elements when the rung starts */
    wf_rung_report *report;
} wf_rung_run_args;

/* What a rung's options say about the fold. */
wf_reduce_spec wf_reduction_of(const wf_rung_options *options);
/* Whether it is a sum that is rounded once. */
bool wf_reduction_is_exact(const wf_reduce_spec *what, const wf_reduction_info *info);
/* Refuses what is no state of a sum that this version knows; name says which it is. */
wf_status wf_sum_state_check(const char *name, const wf_sum_state *state);
/* The group of WF_FOLDS_* that a reduction of the table is in: CORE, ORDERED without CORE, or WIDE without CORE. */
uint32_t wf_fold_group(const wf_reduce_spec *what, const wf_reduction_info *info);

/* *into = *into op values[0] op ... op values[count - 1], in this order; for core and ordered reductions alone, whose
 * result is of the element's own kind. */
void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count);
/* The result of no elements. */
void wf_put_identity(const wf_reduce_spec *what, const wf_reduction_info *info, wf_result *result);
/* The result of any reduction, folded in order. */
void wf_fold_all(const wf_reduce_spec *what, const wf_reduction_info *info, const void *values, size_t count,
                 wf_result *result);

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

/* A row of ladder_map.h. */
typedef struct wf_rung {
    wf_rung_info info;
    wf_kernel kernel; /* not to be launched if its shape is NONE */
    uint32_t loads;
    uint32_t folds; /* WF_FOLDS_* */
    wf_grid grid;
    wf_join join;
    uint32_t results; /* that a tile leaves for the host; 0 is 1 */
    wf_status (*run)(const struct wf_rung *rung, const wf_rung_run_args *args);
} wf_rung;

#endif
