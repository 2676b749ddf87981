/* The text of a thread table, which wf_tune writes for later processes. After the lines of device_file.h follow:
 *
 *   awake_bytes 49152
 *   asleep_bytes 1048576 */
#ifndef WAVEFOLD_TUNING_THREAD_TABLE_FILE_H
#define WAVEFOLD_TUNING_THREAD_TABLE_FILE_H

#include "device_file.h"
#include "reduce/thread_table.h"

void wf_thread_table_file_print(const wf_thread_table *table, const wf_device_info *device, wf_device_file *file);

/* As wf_launch_table_file_parse. */
wf_status wf_thread_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_thread_table *table, char reason[WF_DEVICE_FILE_REASON]);

#endif
