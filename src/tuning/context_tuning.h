/* The table that a context uses, a launch table or a thread table, and its source. */
#ifndef WAVEFOLD_TUNING_CONTEXT_TUNING_H
#define WAVEFOLD_TUNING_CONTEXT_TUNING_H

#include "reduce/launch_table.h"
#include "reduce/thread_table.h"
#include "wavefold.h"

#include <stdbool.h>

/* Takes the table from the user's cache folder if it is valid, else the built-in one. */
wf_status wf_tuning_create(wf_context *context);
void wf_tuning_destroy(wf_context *context);

/* launches for devices that reduce by kernels, threads for the others. */
typedef union wf_tuned_table {
    wf_launch_table launches;
    wf_thread_table threads;
} wf_tuned_table;

/* Fails if wf_tuning_replace could not write the file. */
wf_status wf_tuning_check_folder(const wf_context *context);
/* Writes the file if keep is true, then changes the context's table. On failure neither has changed. */
wf_status wf_tuning_replace(wf_context *context, const wf_tuned_table *table, bool keep);

#endif
