/* Measures from which size on threads make a reduction on the CPU faster. */
#ifndef WAVEFOLD_TUNING_MEASURE_THREADS_H
#define WAVEFOLD_TUNING_MEASURE_THREADS_H

#include "backend.h"
#include "wavefold.h"
#include "wavefold_tune.h"

/* most: size of the largest array to measure; 0: the largest allowed. WF_UNSUPPORTED if the device has one CPU, or this
 * process may not run on all its CPUs. */
wf_status wf_measure_threads(wf_context *context, uint64_t most, wf_tune_progress *progress, void *user,
                             wf_thread_table *table);

/* The number of CPUs on which this thread, and threads that it starts, may run; 0: unknown. */
uint32_t wf_allowed_cpus(void);

#endif
