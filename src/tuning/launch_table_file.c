#include "launch_table_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char title[] = "wavefold launch table ";
static const char format_version[] = "1";
static const char columns[] = "bytes tile_size loads tiles_per_processor";
static const char rest[] = "rest";

enum { MOST_LOADS = 64, MOST_TILES_PER_PROCESSOR = 64 };

/* ---- Which device --------------------------------------------------------------------------------------------- */

enum { KEYS = 6, VALUE = 160, LINE = 256 };

/* What a table is bound to, in the order of the file. */
typedef struct identity {
    const char *keys[KEYS];
    char values[KEYS][VALUE];
} identity;

/* What ends a line, or shows nothing, has no place in one. */
static void make_printable(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static identity identity_of(const wf_device_info *device) {
    identity of = {.keys = {"library", "backend", "device", "capability", "multiprocessors", "wave_width"}};
    snprintf(of.values[0], VALUE, "%s", wf_version());
    snprintf(of.values[1], VALUE, "%s", device->backend);
    snprintf(of.values[2], VALUE, "%s", device->name);
    snprintf(of.values[3], VALUE, "%" PRIu32 ".%" PRIu32, device->capability_major, device->capability_minor);
    snprintf(of.values[4], VALUE, "%" PRIu32, device->multiprocessors);
    snprintf(of.values[5], VALUE, "%" PRIu32, device->wave_width);
    for (size_t k = 0; k < KEYS; k++)
        make_printable(of.values[k]);
    return of;
}

void wf_launch_table_file_name(const wf_device_info *device, char name[WF_TABLE_FILE_NAME]) {
    /* Parts of one GPU have its name, and fewer multiprocessors. */
    snprintf(name, WF_TABLE_FILE_NAME, "%s-%s-%" PRIu32 ".%" PRIu32 "-%" PRIu32 "x%" PRIu32, device->backend,
             device->name, device->capability_major, device->capability_minor, device->multiprocessors,
             device->wave_width);
    char *end = name;
    for (const char *c = name; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        const bool kept = byte < 0x80 && (isalnum(byte) || byte == '.');
        if (kept)
            *end++ = (char)tolower(byte);
        else if (end != name && end[-1] != '-') /* a row of others is one '-' */
            *end++ = '-';
    }
    *end = '\0';
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void append(char text[WF_TABLE_FILE_TEXT], size_t *length,
                                                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    /* The longest lines of all rows there can be fit. */
    *length += (size_t)vsnprintf(text + *length, WF_TABLE_FILE_TEXT - *length, format, arguments);
    va_end(arguments);
}

size_t wf_launch_table_file_print(const wf_launch_table *table, const wf_device_info *device,
                                  char text[WF_TABLE_FILE_TEXT]) {
    _Static_assert(KEYS * (VALUE + 20) + (WF_MOST_LAUNCH_ROWS + 2) * 64 < WF_TABLE_FILE_TEXT, "a table must fit");
    size_t length = 0;
    const identity of = identity_of(device);
    append(text, &length, "%s%s\n", title, format_version);
    for (size_t k = 0; k < KEYS; k++)
        append(text, &length, "%s %s\n", of.keys[k], of.values[k]);
    append(text, &length, "%s\n", columns);
    for (size_t r = 0; r < table->count; r++) {
        const wf_launch_row *row = &table->rows[r];
        if (row->bytes == UINT64_MAX)
            append(text, &length, "%s", rest);
        else
            append(text, &length, "%" PRIu64, row->bytes);
        append(text, &length, " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", row->tile_size, row->loads,
               row->tiles_per_processor);
    }
    return length;
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *at, *end;
    unsigned number; /* of the line, from 1 */
    char line[LINE];
    char *reason;
} reader;

/* Says why, with the line's number in front. */
__attribute__((format(printf, 3, 4))) static wf_status refuse(reader *from, wf_status status, const char *format, ...) {
    const int used = snprintf(from->reason, WF_TABLE_FILE_REASON, "line %u: ", from->number);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(from->reason + used, WF_TABLE_FILE_REASON - (size_t)used, format, arguments);
    va_end(arguments);
    make_printable(from->reason); /* the file's words are in it */
    return status;
}

static wf_status next_line(reader *from) {
    from->number++;
    const size_t left = (size_t)(from->end - from->at);
    const char *newline = left != 0 ? memchr(from->at, '\n', left) : NULL;
    if (newline == NULL)
        return refuse(from, WF_INVALID_ARGUMENT, "the file ends here, where it is not complete");
    const size_t length = (size_t)(newline - from->at);
    if (length >= LINE)
        return refuse(from, WF_INVALID_ARGUMENT, "it is longer than %d characters", LINE - 1);
    if (memchr(from->at, '\0', length) != NULL)
        return refuse(from, WF_INVALID_ARGUMENT, "it has a zero byte, which no text has");
    memcpy(from->line, from->at, length);
    from->line[length] = '\0';
    from->at = newline + 1;
    return WF_OK;
}

static wf_status read_title(reader *from) {
    wf_status status = next_line(from);
    if (status != WF_OK)
        return status;
    const size_t length = sizeof title - 1;
    if (strncmp(from->line, title, length) != 0)
        return refuse(from, WF_INVALID_ARGUMENT, "it is not '%s%s'", title, format_version);
    if (strcmp(from->line + length, format_version) != 0)
        return refuse(from, WF_UNSUPPORTED, "the format is '%.20s', and this library reads %s", from->line + length,
                      format_version);
    return WF_OK;
}

static wf_status read_identity(reader *from, const wf_device_info *device) {
    const identity of = identity_of(device);
    for (size_t k = 0; k < KEYS; k++) {
        const wf_status status = next_line(from);
        if (status != WF_OK)
            return status;
        const size_t length = strlen(of.keys[k]);
        if (strncmp(from->line, of.keys[k], length) != 0 || from->line[length] != ' ')
            return refuse(from, WF_INVALID_ARGUMENT, "'%.40s' stands where '%s' must stand", from->line, of.keys[k]);
        const char *value = from->line + length + 1;
        if (strcmp(value, of.values[k]) != 0)
            return refuse(from, WF_UNSUPPORTED, "it is for %s '%.60s', and here it is '%.60s'", of.keys[k], value,
                          of.values[k]);
    }
    return WF_OK;
}

/* A decimal number as printf writes it, and what must stand behind it. */
static bool take_number(const char **at, char behind, uint64_t *number) {
    enum { DIGITS = 19 }; /* as many fit into 64 bits, whatever they are */
    const size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > DIGITS || (**at == '0' && digits > 1) || (*at)[digits] != behind)
        return false;
    *number = 0;
    for (size_t d = 0; d < digits; d++)
        *number = *number * 10 + (uint64_t)((*at)[d] - '0');
    *at += digits + (behind != '\0');
    return true;
}

static wf_status read_row(reader *from, const wf_device_info *device, const wf_launch_table *before,
                          wf_launch_row *row) {
    uint64_t bytes = UINT64_MAX, tile_size, loads, tiles;
    const char *at = from->line;
    bool read = strncmp(at, rest, sizeof rest - 1) == 0 && at[sizeof rest - 1] == ' ';
    if (read)
        at += sizeof rest;
    else
        read = take_number(&at, ' ', &bytes);
    if (!read || !take_number(&at, ' ', &tile_size) || !take_number(&at, ' ', &loads) ||
        !take_number(&at, '\0', &tiles))
        return refuse(from, WF_INVALID_ARGUMENT, "'%.40s' is no row of four numbers with '%s' for the last bytes",
                      from->line, rest);
    const uint64_t least = before->count != 0 ? before->rows[before->count - 1].bytes + 1 : 1;
    if (bytes < least)
        return refuse(from, WF_INVALID_ARGUMENT, "bytes %" PRIu64 " must be at least %" PRIu64 ", since rows ascend",
                      bytes, least);
    if (tile_size == 0 || (tile_size & (tile_size - 1)) != 0 || tile_size % device->wave_width != 0 ||
        tile_size > device->max_tile_size)
        return refuse(from, WF_INVALID_ARGUMENT,
                      "tile_size %" PRIu64 " must be a power of two, of whole waves of %" PRIu32
                      " and at most %" PRIu32,
                      tile_size, device->wave_width, device->max_tile_size);
    if (loads < 1 || loads > MOST_LOADS)
        return refuse(from, WF_INVALID_ARGUMENT, "loads %" PRIu64 " must be from 1 to %d", loads, MOST_LOADS);
    if (tiles < 1 || tiles > MOST_TILES_PER_PROCESSOR)
        return refuse(from, WF_INVALID_ARGUMENT, "tiles_per_processor %" PRIu64 " must be from 1 to %d", tiles,
                      MOST_TILES_PER_PROCESSOR);
    *row = (wf_launch_row){bytes, (uint32_t)tile_size, (uint32_t)loads, (uint32_t)tiles};
    return WF_OK;
}

static wf_status read_rows(reader *from, const wf_device_info *device, wf_launch_table *table) {
    wf_status status = next_line(from);
    if (status == WF_OK && strcmp(from->line, columns) != 0)
        status = refuse(from, WF_INVALID_ARGUMENT, "'%.40s' stands where '%s' must stand", from->line, columns);
    bool complete = false;
    while (status == WF_OK && !complete) {
        status = next_line(from);
        if (status == WF_OK && table->count == WF_MOST_LAUNCH_ROWS)
            return refuse(from, WF_INVALID_ARGUMENT, "there are more than %d rows", WF_MOST_LAUNCH_ROWS);
        if (status == WF_OK)
            status = read_row(from, device, table, &table->rows[table->count]);
        if (status == WF_OK)
            complete = table->rows[table->count++].bytes == UINT64_MAX;
    }
    if (status == WF_OK && from->at != from->end) {
        from->number++;
        status = refuse(from, WF_INVALID_ARGUMENT, "nothing may follow the row '%s'", rest);
    }
    return status;
}

wf_status wf_launch_table_file_parse(const char *text, size_t length, const wf_device_info *device,
                                     wf_launch_table *table, char reason[WF_TABLE_FILE_REASON]) {
    reader from = {.at = text, .end = text + length, .reason = reason};
    wf_launch_table read = {.count = 0};
    wf_status status = read_title(&from);
    if (status == WF_OK)
        status = read_identity(&from, device);
    if (status == WF_OK)
        status = read_rows(&from, device, &read);
    if (status == WF_OK)
        *table = read;
    return status;
}
