/* Which table a context uses, and why that one: a launch table, or of the CPU a thread table. */
#ifndef WAVEFOLD_TUNING_CONTEXT_TUNING_H
#define WAVEFOLD_TUNING_CONTEXT_TUNING_H

#include "reduce/launch_table.h"
#include "reduce/thread_table.h"
#include "wavefold.h"

#include <stdbool.h>

/* The table in the user's cache folder if that is valid, else the built-in one. */
wf_status wf_tuning_create(wf_context *context);
void wf_tuning_destroy(wf_context *context);

/* The one that the context folds by. */
typedef union wf_tuned_table {
    wf_launch_table launches;
    wf_thread_table threads;
} wf_tuned_table;

/* Fails if wf_tuning_replace could not keep a table. */
wf_status wf_tuning_check_folder(const wf_context *context);
/* Writes the file, if keep says so, and has the context use the table. On failure neither has changed. */
wf_status wf_tuning_replace(wf_context *context, const wf_tuned_table *table, bool keep);

#endif
