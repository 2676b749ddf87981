/* Launch tables (GPUs) and thread tables (the host device): reading the table in use, and measuring a new one.
 *
 * The rules for every function in wavefold.h hold here, too. */
#ifndef WAVEFOLD_TUNE_H
#define WAVEFOLD_TUNE_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A table chooses the launch shape of wf_reduce and wf_describe by the array's size; on the host device, the number of
 * threads. The library has built-in tables. wf_tune measures a new one and writes it to a file, which every later
 * context of the same device uses.
 *
 *   affects:  Speed. On a GPU a launch table also fixes the order in which fast sums add floats, so their last bits may
 *             change. Thread tables and exact sums: results stay the same.
 *   fixed:    Built-in tables always serve exact sums, argmin, argmax, minmax, descriptions, and min and max of f16,
 *             bf16 and f32; so do the built-in sizes (around 100 KiB) that an NVIDIA GPU of compute capability 9
 *             reduces by a cluster tile.
 *   folder:   $WAVEFOLD_CACHE; else $XDG_CACHE_HOME/wavefold if that path is absolute; else $HOME/.cache/wavefold. None
 *             for programs of raised privileges, such as set-user-ID programs.
 *   file:     named after the device, read when a context is created. Symbolic links are not followed. The umask sets
 *             the permissions of a new file.
 *   ignored:  A file that is unreadable, invalid, or of another device or version of the library. Then the built-in
 *             table is used, and wf_context_get_tuning reports the reason. */

enum { WF_MOST_TUNING_ROWS = 32 };

/* The launch shape for arrays of up to `bytes` bytes. */
typedef struct wf_tuning_row {
    uint64_t bytes;               /* size of the largest array; ascends from row to row, UINT64_MAX in the last */
    uint32_t tile_size;           /* threads of a tile: a power of two */
    uint32_t loads;               /* 16-byte loads of each thread */
    uint32_t tiles_per_processor; /* at most this many tiles per multiprocessor; for larger arrays, threads load more */
} wf_tuning_row;

typedef struct wf_tuning_info {
    wf_status status;   /* WF_OK; WF_UNSUPPORTED: a file of another device or version was ignored; WF_INVALID_ARGUMENT:
                           a file was ignored for another reason */
    uint32_t is_tuned;  /* 1: the table in use was measured; 0: it is built in */
    uint32_t row_count; /* rows of the launch table in use; 0 on the host device */
    wf_tuning_row rows[WF_MOST_TUNING_ROWS];
    /* The host device's thread table, 0 on other devices: the least bytes of an array for each thread. Helper threads
     * poll for work (are awake) for a moment after a reduction; then they sleep. */
    uint64_t awake_bytes;  /* for each thread if the helper threads are awake */
    uint64_t asleep_bytes; /* for each helper thread if they must be woken */
    char path[1024];       /* the table's file, which may not exist; "" if there is no folder for it */
    char detail[1024];     /* a sentence about the table in use */
} wf_tuning_info;

/* Reports the table that the context uses, and its source. */
WF_API wf_status wf_context_get_tuning(const wf_context *context, wf_tuning_info *info);

/* How wf_tune measures. Zero-initialised: all sizes, and the table is written to the file. */
typedef struct wf_tune_spec {
    /* Size of the largest array to measure; 0: the largest allowed.
     *   GPU:   4 KiB to 256 MiB. Larger arrays keep the built-in rows; rows measured at 256 MiB also serve larger
     *          arrays, as far as the built-in row for 256 MiB does.
     *   host:  at least 16 KiB; sizes beyond 16 MiB are not measured. The table serves all arrays. A share smaller than
     *          the built-in one is used only if arrays of up to the built-in share were measured. */
    uint64_t most_bytes;
    uint32_t dry_run; /* not 0: this context uses the table, but no file is written */
} wf_tune_spec;

/* Called before each size is measured: bytes is the array's size; `done` of `steps` sizes are measured. It must not use
 * the context. It runs with pthread cancellation disabled and in the default floating-point environment. */
typedef void wf_tune_progress(void *user, uint64_t bytes, uint32_t done, uint32_t steps);

/* Measures the fastest launch shape for arrays of 4 KiB, 8 KiB, ... most_bytes; on the host device, the time with 1, 2,
 * 4, ... all threads. Then writes the file, and the context uses the table. Blocks.
 *   spec:      NULL: all sizes
 *   progress:  may be NULL; user is passed to it
 *   time:      a few seconds; on a slow device about a second for each size. Nothing else should run on the device.
 *   threads:   no other call may use the context meanwhile, from any thread
 *   measured:  The fast sum of f32. A shape replaces the built-in one if it is at least 2 % faster in two comparisons.
 *              Host: the share with the least time over all sizes (geometric mean); if no size gains from helper
 *              threads, the threshold is twice the largest size measured, or the built-in share if that is larger.
 *   memory:    GPU: up to 512 MiB of device memory, so that caches hold none of the arrays, and at most half of the
 *              free memory; sizes that do not fit are not measured. Host: 16 MiB.
 *   fails:     Table and file stay unchanged. WF_UNSUPPORTED: the host device with one CPU; a process, or a context
 *              made in one, that may not run on all CPUs; no size gained from threads. WF_OUT_OF_MEMORY.
 *              WF_DEVICE_ERROR. WF_INVALID_ARGUMENT: most_bytes out of range, or the folder cannot be written. */
WF_API wf_status wf_tune(wf_context *context, const wf_tune_spec *spec, wf_tune_progress *progress, void *user);

#ifdef __cplusplus
}
#endif
#endif
