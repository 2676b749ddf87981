#include "thread_table_file.h"

#include <inttypes.h>
#include <string.h>

static const char title[] = "wavefold thread table ";
static const char awake[] = "awake_bytes ", asleep[] = "asleep_bytes ";

void wf_thread_table_file_print(const wf_thread_table *table, const wf_device_info *device, wf_device_file *file) {
    wf_device_file_begin(file, title, device);
    wf_device_file_append(file, "%s%" PRIu64 "\n", awake, table->awake_bytes);
    wf_device_file_append(file, "%s%" PRIu64 "\n", asleep, table->asleep_bytes);
}

/* Reads a line with a key, a blank and a number; key includes the blank. */
static wf_status read_number(wf_device_file_reader *from, const char *key, uint64_t *number) {
    const wf_status status = wf_device_file_next_line(from);
    if (status != WF_OK)
        return status;
    const char *at = from->line + strlen(key);
    if (strncmp(from->line, key, strlen(key)) != 0 || !wf_take_number(&at, '\0', number))
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "'%.40s' is not '%s' and a number", from->line, key);
    if (*number < WF_LEAST_SHARE)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "%s%" PRIu64 " must be at least %d", key, *number,
                                     WF_LEAST_SHARE);
    return WF_OK;
}

wf_status wf_thread_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_thread_table *table, char reason[WF_DEVICE_FILE_REASON]) {
    wf_device_file_reader from = {.at = text, .end = text + length, .reason = reason};
    wf_thread_table read;
    wf_status status = wf_device_file_open(&from, title, device);
    if (status == WF_OK)
        status = read_number(&from, awake, &read.awake_bytes);
    if (status == WF_OK)
        status = read_number(&from, asleep, &read.asleep_bytes);
    if (status == WF_OK && from.at != from.end) {
        from.number++;
        status = wf_device_file_refuse(&from, WF_INVALID_ARGUMENT, "nothing may follow asleep_bytes");
    }
    if (status == WF_OK)
        *table = read;
    return status;
}
