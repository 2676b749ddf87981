/* How many threads share a fold on the CPU: what each must have of the array to be worth it. */
#ifndef WAVEFOLD_REDUCE_THREAD_TABLE_H
#define WAVEFOLD_REDUCE_THREAD_TABLE_H

#include <stdint.h>

enum { WF_LEAST_SHARE = 1024, WF_AWAKE_SHARE = 48 * 1024, WF_ASLEEP_SHARE = 2 * 1024 * 1024 };

typedef struct wf_thread_table {
    uint64_t awake_bytes;  /* of each thread, if the helpers watch for work; WF_LEAST_SHARE at the least */
    uint64_t asleep_bytes; /* of each helper that must be woken; the same */
} wf_thread_table;

/* Measured on Xeons (Sapphire Rapids, 2 and 16 cores) and an EPYC (2 cores). A helper that watches takes its share
 * within a microsecond, in which one thread reads some 64 KiB from its cache, and several at once cost little more. One
 * that sleeps takes tens of microseconds: on a Xeon 1 MiB is worth that, on the EPYC 4 to 8 MiB. wf_tune measures both
 * where it runs. */
#define WF_BUILTIN_THREAD_TABLE ((wf_thread_table){.awake_bytes = WF_AWAKE_SHARE, .asleep_bytes = WF_ASLEEP_SHARE})

#endif
