/* The text of a launch table, which wf_tune writes for later processes. After the lines of device_file.h follow:
 *
 *   bytes tile_size loads tiles_per_processor
 *   4096 128 2 1
 *   rest 1024 4 2
 *
 * The number of rows varies; their bytes ascend. */
#ifndef WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H
#define WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H

#include "device_file.h"
#include "reduce/launch_table.h"

void wf_launch_table_file_print(const wf_launch_table *table, const wf_device_info *device, wf_device_file *file);

/* Reads a table in the form of wf_launch_table_file_print. WF_UNSUPPORTED for a table of another device or version of
 * the library, WF_INVALID_ARGUMENT for other errors; then reason is set, and *table has not changed. */
wf_status wf_launch_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_launch_table *table, char reason[WF_DEVICE_FILE_REASON]);

#endif
