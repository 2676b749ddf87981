/* From which size on threads make a fold on the CPU faster. */
#ifndef WAVEFOLD_TUNING_MEASURE_THREADS_H
#define WAVEFOLD_TUNING_MEASURE_THREADS_H

#include "backend.h"
#include "wavefold.h"
#include "wavefold_tune.h"

/* most: the largest array that is measured, in bytes; 0: as large as it takes. WF_UNSUPPORTED if this process has one
 * CPU, or not all that the device has. */
wf_status wf_measure_threads(wf_context *context, uint64_t most, wf_tune_progress *progress, void *user,
                             wf_thread_table *table);

/* CPUs that this thread may run on, and those that it starts; 0: the system does not say. */
uint32_t wf_allowed_cpus(void);

#endif
