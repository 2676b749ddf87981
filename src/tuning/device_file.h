/* Text files that are bound to a device: their first lines, and reading their lines.
 *
 *   wavefold launch table 1
 *   library 0.2.0
 *   backend nvidia
 *   device NVIDIA H200
 *   capability 9.0
 *   multiprocessors 132
 *   wave_width 32
 *
 * All lines are required, in this order, with one blank between words and a newline at the end. The lines of a table
 * follow: see launch_table_file.h and thread_table_file.h. */
#ifndef WAVEFOLD_TUNING_DEVICE_FILE_H
#define WAVEFOLD_TUNING_DEVICE_FILE_H

#include "wavefold.h"

#include <stdbool.h>

enum {
    WF_DEVICE_FILE_NAME = 256,
    WF_DEVICE_FILE_TEXT = 4096,
    WF_DEVICE_FILE_ROWS = 2816, /* the part of WF_DEVICE_FILE_TEXT for the table */
    WF_DEVICE_FILE_LINE = 256,
    WF_DEVICE_FILE_REASON = 256
};

/* Makes the name of a device's file, of letters, digits, '-' and '.' only. kind: a suffix for the kind of table. */
void wf_device_file_name(const wf_device_info *device, const char *kind, char name[WF_DEVICE_FILE_NAME]);

typedef struct wf_device_file {
    char text[WF_DEVICE_FILE_TEXT];
    size_t length;
} wf_device_file;

/* title: the first line, without the version of the format. */
void wf_device_file_begin(wf_device_file *file, const char *title, const wf_device_info *device);
void wf_device_file_append(wf_device_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct wf_device_file_reader {
    const char *at, *end;
    char *reason;    /* WF_DEVICE_FILE_REASON characters */
    unsigned number; /* the line's number, from 1 */
    char line[WF_DEVICE_FILE_LINE];
} wf_device_file_reader;

/* The functions below return WF_OK, or another status and set the reason. */

/* Reads the lines of wf_device_file_begin. WF_UNSUPPORTED for another device, or another version of the library or the
 * format; WF_INVALID_ARGUMENT for other errors. */
wf_status wf_device_file_open(wf_device_file_reader *from, const char *title, const wf_device_info *device);
wf_status wf_device_file_next_line(wf_device_file_reader *from);
/* Sets the reason, after the line's number, and returns status. */
wf_status wf_device_file_refuse(wf_device_file_reader *from, wf_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a decimal number in printf's form, which the character `behind` must follow, and advances *at past both. */
bool wf_take_number(const char **at, char behind, uint64_t *number);

#endif
