/* A launch table as a text: what wf_tune leaves for later processes. Behind the lines of device_file.h:
 *
 *   bytes tile_size loads tiles_per_processor
 *   4096 128 2 1
 *   rest 1024 4 2
 *
 * Of rows there are as many as it takes, the shortest arrays first. */
#ifndef WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H
#define WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H

#include "device_file.h"
#include "reduce/launch_table.h"

void wf_launch_table_file_print(const wf_launch_table *table, const wf_device_info *device, wf_device_file *file);

/* Reads what wf_launch_table_file_print has printed, or could have, for this device. WF_UNSUPPORTED for a table of
 * another device or version of the library, WF_INVALID_ARGUMENT for everything else: reason then says why, and *table
 * has not changed. */
wf_status wf_launch_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_launch_table *table, char reason[WF_DEVICE_FILE_REASON]);

#endif
