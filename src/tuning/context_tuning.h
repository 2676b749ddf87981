/* Which launch table a context uses, and why that one. */
#ifndef WAVEFOLD_TUNING_CONTEXT_TUNING_H
#define WAVEFOLD_TUNING_CONTEXT_TUNING_H

#include "reduce/launch_table.h"

/* Of a device that folds by kernels: the table in the user's cache folder if that is valid, else the built-in one. */
wf_status wf_tuning_create(wf_context *context);
void wf_tuning_destroy(wf_context *context);

/* Fails if wf_tuning_replace could not keep a table. */
wf_status wf_tuning_check_folder(const wf_context *context);
/* Writes the file, if keep says so, and has the context use the table. On failure neither has changed. */
wf_status wf_tuning_replace(wf_context *context, const wf_launch_table *table, bool keep);

#endif
