/* Launch tables and thread tables: which are in use, and measuring them for a device.
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_TUNE_H
#define WAVEFOLD_TUNE_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* wf_reduce and wf_describe take the shape of their launch from a table for the device; on the host device, where the
 * CPU folds with no launch, the number of threads. One table is built into the library. wf_tune measures another and
 * leaves it in a file, which every context of the same device uses from then on. The table decides how fast a fold is,
 * and on a GPU in which order fast sums add floats: results of two launch tables differ as those of two devices; those
 * of two thread tables are the same. What is built in alone, where it was measured, and not tuned: launch tables for
 * exact sums, whose results depend on none, for argmin, argmax, minmax and descriptions, and for minima and maxima of
 * f16, bf16 and f32; and beside the built-in tables of an NVIDIA GPU of compute capability 9 the sizes, around 100 KiB,
 * at which a cluster of processors folds an array as one tile.
 *
 *   folder:   the one that the environment's WAVEFOLD_CACHE names, else wavefold in XDG_CACHE_HOME, if that is
 *             absolute, else .cache/wavefold in HOME
 *   file:     its name is made from the device's; it is read when a context is created. A symbolic link of that name
 *             is neither read nor written through; the umask says who may read a new one.
 *   secure:   a program that has more privileges than its caller, such as one that is set-user-ID, has no folder
 *   ignored:  a file that cannot be read, that is not complete and right to the last character, or that was made for
 *             another device or version of the library. Then the built-in table is used, and wf_context_get_tuning says
 *             why. */

enum { WF_MOST_TUNING_ROWS = 32 };

/* How arrays of up to a size are folded. */
typedef struct wf_tuning_row {
    uint64_t bytes;               /* of the largest array; ascending from row to row, UINT64_MAX in the last */
    uint32_t tile_size;           /* threads of a tile: a power of two */
    uint32_t loads;               /* 16-byte loads of each thread */
    uint32_t tiles_per_processor; /* tiles for each multiprocessor, at most; beyond that, threads load more */
} wf_tuning_row;

typedef struct wf_tuning_info {
    wf_status status;   /* WF_OK; WF_UNSUPPORTED: a file of another device or version was ignored; WF_INVALID_ARGUMENT:
                           a file was ignored for another reason */
    uint32_t is_tuned;  /* 1: the table in use was measured; 0: it is built in */
    uint32_t row_count; /* of the launch table in use; 0 for the host device, which folds with no launch */
    wf_tuning_row rows[WF_MOST_TUNING_ROWS];
    /* The host device's thread table, 0 for others: what a thread must have of an array to share in its fold, in bytes.
     * Helpers stay awake for a moment after a fold, and watch for the next one. */
    uint64_t awake_bytes;  /* each thread, where the helpers are awake */
    uint64_t asleep_bytes; /* each helper that must be woken */
    char path[1024];       /* the file that is read, whether or not it is there; "" if there is no folder for it */
    char detail[1024];     /* a sentence about all this */
} wf_tuning_info;

/* The table that the context uses, and where it is from. */
WF_API wf_status wf_context_get_tuning(const wf_context *context, wf_tuning_info *info);

/* How wf_tune measures. Zero-initialised: everything, and the table is kept. */
typedef struct wf_tune_spec {
    uint64_t most_bytes; /* the largest array that is measured: 4 KiB to 256 MiB; 0: 256 MiB. For arrays larger than the
                            largest power of two up to there, the built-in table stays; what is found at 256 MiB holds
                            for all that it does not tell from those. On the host device 16 KiB at the least, what is
                            beyond 16 MiB is not measured, and the table holds for all arrays: it wakes threads for
                            smaller ones than the built-in table only if arrays up to those were measured. */
    uint32_t dry_run;    /* not 0: this context uses the table, but no file is written */
} wf_tune_spec;

/* Called before each size is measured: bytes is the array's size; done of steps sizes are measured. It must not use the
 * context. A thread that is cancelled ends when wf_tune is done, not in here. The processor's modes of floats are those
 * with which programs start, whatever the caller has set. */
typedef void wf_tune_progress(void *user, uint64_t bytes, uint32_t done, uint32_t steps);

/* Measures which shapes fold arrays of 4 KiB, 8 KiB, ... most_bytes fastest on the context's device; on the host
 * device, how long folds by one thread, two, four, ... all of them take. Then writes the file and has the context use
 * the table. Blocks.
 *   spec:      may be NULL: everything
 *   progress:  may be NULL; user is passed on to it
 *   time:      a few seconds; on a slow device about a second for each size. Nothing else should run on the device.
 *   threads:   no other call may use the context meanwhile, not from another thread either
 *   measured:  The fast sum of f32; the other reductions move the same bytes, and all but a GPU's exact sums take the
 *              same table. A shape other than the built-in table's is taken where it is at least 2 % faster in two
 *              comparisons: for arrays whose time is that of the launch, nothing changes. On the host device arrays
 *              are in the cache if it holds them, and the shares are those with which folds of all sizes take least, in
 *              the geometric mean. Where a helper pays nowhere, it is taken to from twice the largest array on, but not
 *              before the built-in table says.
 *   memory:    On a GPU the arrays lie in up to 512 MiB of device memory, at most half of what is free, so that caches
 *              hold none of them. Where that is too short for the largest arrays, they are left out as if most_bytes
 *              said so. On the host device 16 MiB.
 *   fails:     Table and file stay as they were.
 *              WF_UNSUPPORTED: the host device with one CPU, in a process that may not run on all CPUs, or might not
 *              when the context was made, or where its threads made nothing faster.
 *              WF_OUT_OF_MEMORY. WF_DEVICE_ERROR.
 *              WF_INVALID_ARGUMENT: most_bytes out of range, or a folder that cannot be written, which is mostly found
 *              before anything is measured. */
WF_API wf_status wf_tune(wf_context *context, const wf_tune_spec *spec, wf_tune_progress *progress, void *user);

#ifdef __cplusplus
}
#endif
#endif
