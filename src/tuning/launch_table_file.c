#include "launch_table_file.h"

#include <inttypes.h>
#include <string.h>

static const char title[] = "wavefold launch table ";
static const char columns[] = "bytes tile_size loads tiles_per_processor";
static const char rest[] = "rest";

enum { MOST_LOADS = 64, MOST_TILES_PER_PROCESSOR = 64 };

void wf_launch_table_file_print(const wf_launch_table *table, const wf_device_info *device, wf_device_file *file) {
    _Static_assert((WF_MOST_LAUNCH_ROWS + 1) * 64 < WF_DEVICE_FILE_ROWS, "a table must fit");
    wf_device_file_begin(file, title, device);
    wf_device_file_append(file, "%s\n", columns);
    for (size_t r = 0; r < table->count; r++) {
        const wf_launch_row *row = &table->rows[r];
        if (row->bytes == UINT64_MAX)
            wf_device_file_append(file, "%s", rest);
        else
            wf_device_file_append(file, "%" PRIu64, row->bytes);
        wf_device_file_append(file, " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", row->tile_size, row->loads,
                              row->tiles_per_processor);
    }
}

static wf_status read_row(wf_device_file_reader *from, const wf_device_info *device, const wf_launch_table *before,
                          wf_launch_row *row) {
    uint64_t bytes = UINT64_MAX, tile_size, loads, tiles;
    const char *at = from->line;
    bool read = strncmp(at, rest, sizeof rest - 1) == 0 && at[sizeof rest - 1] == ' ';
    if (read)
        at += sizeof rest;
    else
        read = wf_take_number(&at, ' ', &bytes);
    if (!read || !wf_take_number(&at, ' ', &tile_size) || !wf_take_number(&at, ' ', &loads) ||
        !wf_take_number(&at, '\0', &tiles))
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT,
                                     "'%.40s' is no row of four numbers (or '%s' and three numbers)", from->line, rest);
    const uint64_t least = before->count != 0 ? before->rows[before->count - 1].bytes + 1 : 1;
    if (bytes < least)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT,
                                     "bytes %" PRIu64 " must be at least %" PRIu64 ", since rows ascend", bytes, least);
    if (tile_size == 0 || (tile_size & (tile_size - 1)) != 0 || tile_size % device->wave_width != 0 ||
        tile_size > device->max_tile_size)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT,
                                     "tile_size %" PRIu64 " must be a power of two, of whole waves of %" PRIu32
                                     " and at most %" PRIu32,
                                     tile_size, device->wave_width, device->max_tile_size);
    if (loads < 1 || loads > MOST_LOADS)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "loads %" PRIu64 " must be from 1 to %d", loads,
                                     MOST_LOADS);
    if (tiles < 1 || tiles > MOST_TILES_PER_PROCESSOR)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "tiles_per_processor %" PRIu64 " must be from 1 to %d",
                                     tiles, MOST_TILES_PER_PROCESSOR);
    *row = (wf_launch_row){bytes, (uint32_t)tile_size, (uint32_t)loads, (uint32_t)tiles};
    return WF_OK;
}

static wf_status read_rows(wf_device_file_reader *from, const wf_device_info *device, wf_launch_table *table) {
    wf_status status = wf_device_file_next_line(from);
    if (status == WF_OK && strcmp(from->line, columns) != 0)
        status = wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "'%.40s' stands where '%s' must stand", from->line,
                                       columns);
    bool complete = false;
    while (status == WF_OK && !complete) {
        status = wf_device_file_next_line(from);
        if (status == WF_OK && table->count == WF_MOST_LAUNCH_ROWS)
            return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "there are more than %d rows", WF_MOST_LAUNCH_ROWS);
        if (status == WF_OK)
            status = read_row(from, device, table, &table->rows[table->count]);
        if (status == WF_OK)
            complete = table->rows[table->count++].bytes == UINT64_MAX;
    }
    if (status == WF_OK && from->at != from->end) {
        from->number++;
        status = wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "nothing may follow the row '%s'", rest);
    }
    return status;
}

wf_status wf_launch_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_launch_table *table, char reason[WF_DEVICE_FILE_REASON]) {
    wf_device_file_reader from = {.at = text, .end = text + length, .reason = reason};
    wf_launch_table read = {.count = 0};
    wf_status status = wf_device_file_open(&from, title, device);
    if (status == WF_OK)
        status = read_rows(&from, device, &read);
    if (status == WF_OK)
        *table = read;
    return status;
}
