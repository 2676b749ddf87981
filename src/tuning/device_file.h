/* A text that is bound to a device: what a tuned table begins with, and how its lines are read.
 *
 *   wavefold launch table 1
 *   library 0.2.0
 *   backend nvidia
 *   device NVIDIA H200
 *   capability 9.0
 *   multiprocessors 132
 *   wave_width 32
 *
 * All lines are there, in this order, with one blank between words and a newline at the end; what follows, the table's
 * own file says. */
#ifndef WAVEFOLD_TUNING_DEVICE_FILE_H
#define WAVEFOLD_TUNING_DEVICE_FILE_H

#include "wavefold.h"

#include <stdbool.h>

enum {
    WF_DEVICE_FILE_NAME = 256,
    WF_DEVICE_FILE_TEXT = 4096,
    WF_DEVICE_FILE_ROWS = 2816, /* of that, for what follows */
    WF_DEVICE_FILE_LINE = 256,
    WF_DEVICE_FILE_REASON = 256
};

/* A file's name for the device: letters, digits, '-' and '.' alone. kind: what tells the table from another one of the
 * same device. */
void wf_device_file_name(const wf_device_info *device, const char *kind, char name[WF_DEVICE_FILE_NAME]);

typedef struct wf_device_file {
    char text[WF_DEVICE_FILE_TEXT];
    size_t length;
} wf_device_file;

/* title: without the version of the format, which follows. */
void wf_device_file_begin(wf_device_file *file, const char *title, const wf_device_info *device);
void wf_device_file_append(wf_device_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct wf_device_file_reader {
    const char *at, *end;
    char *reason;    /* WF_DEVICE_FILE_REASON characters */
    unsigned number; /* of the line, from 1 */
    char line[WF_DEVICE_FILE_LINE];
} wf_device_file_reader;

/* These give WF_OK, or a status with the reason. */

/* Reads what wf_device_file_begin has printed. WF_UNSUPPORTED for another device, version of the library or of the
 * format, WF_INVALID_ARGUMENT for everything else. */
wf_status wf_device_file_open(wf_device_file_reader *from, const char *title, const wf_device_info *device);
wf_status wf_device_file_next_line(wf_device_file_reader *from);
/* Says why, with the line's number in front. */
wf_status wf_device_file_refuse(wf_device_file_reader *from, wf_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A decimal number as printf writes it, and what must stand behind it. */
bool wf_take_number(const char **at, char behind, uint64_t *number);

#endif
