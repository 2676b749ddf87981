/* A launch table as a text: what wf_tune leaves for later processes.
 *
 *   wavefold launch table 1
 *   library 0.2.0
 *   backend nvidia
 *   device NVIDIA H200
 *   capability 9.0
 *   multiprocessors 132
 *   wave_width 32
 *   bytes tile_size loads tiles_per_processor
 *   4096 128 2 1
 *   rest 1024 4 2
 *
 * All lines are there, in this order, with one blank between words and a newline at the end; of rows there are as many
 * as it takes, the shortest arrays first. */
#ifndef WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H
#define WAVEFOLD_TUNING_LAUNCH_TABLE_FILE_H

#include "reduce/launch_table.h"

enum { WF_TABLE_FILE_NAME = 256, WF_TABLE_FILE_TEXT = 4096, WF_TABLE_FILE_REASON = 256 };

/* A file's name for the device: letters, digits, '-' and '.' alone. */
void wf_launch_table_file_name(const wf_device_info *device, char name[WF_TABLE_FILE_NAME]);

size_t wf_launch_table_file_print(const wf_launch_table *table, const wf_device_info *device,
                                  char text[WF_TABLE_FILE_TEXT]);

/* Reads what wf_launch_table_file_print has printed, or could have, for this device. WF_UNSUPPORTED for a table of
 * another device or version of the library, WF_INVALID_ARGUMENT for everything else: reason then says why, and *table
 * has not changed. */
wf_status wf_launch_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_launch_table *table, char reason[WF_TABLE_FILE_REASON]);

#endif
