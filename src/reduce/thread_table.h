/* The number of threads for a reduction on the CPU, given as the least share of the array for each thread. */
#ifndef WAVEFOLD_REDUCE_THREAD_TABLE_H
#define WAVEFOLD_REDUCE_THREAD_TABLE_H

#include <stdint.h>

enum { WF_LEAST_SHARE = 1024, WF_AWAKE_SHARE = 48 * 1024, WF_ASLEEP_SHARE = 2 * 1024 * 1024 };

typedef struct wf_thread_table {
    uint64_t awake_bytes;  /* for each thread if the helper threads poll for work; at least WF_LEAST_SHARE */
    uint64_t asleep_bytes; /* for each helper thread that must be woken; at least WF_LEAST_SHARE */
} wf_thread_table;

/* Measured on Xeons (Sapphire Rapids, 2 and 16 cores) and an EPYC (2 cores). A polling helper takes its share within a
 * microsecond, in which a thread reads some 64 KiB from its cache; more helpers cost little more. Waking a helper takes
 * tens of microseconds, which pays from 1 MiB on a Xeon, from 4 to 8 MiB on the EPYC. wf_tune measures both. */
#define WF_BUILTIN_THREAD_TABLE ((wf_thread_table){.awake_bytes = WF_AWAKE_SHARE, .asleep_bytes = WF_ASLEEP_SHARE})

#endif
