#include "device_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char format_version[] = "1";

/* ---- The device ----------------------------------------------------------------------------------------------- */

enum { KEYS = 6, VALUE = 160 };

/* The keys and values that bind a table to a device, in the order of the file. */
typedef struct identity {
    const char *keys[KEYS];
    char values[KEYS][VALUE];
} identity;

/* Replaces control characters, which would end a line or be invisible. */
static void make_printable(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static identity identity_of(const wf_device_info *device) {
    identity id = {.keys = {"library", "backend", "device", "capability", "multiprocessors", "wave_width"}};
    snprintf(id.values[0], VALUE, "%s", wf_version());
    snprintf(id.values[1], VALUE, "%s", device->backend);
    snprintf(id.values[2], VALUE, "%s", device->name);
    snprintf(id.values[3], VALUE, "%" PRIu32 ".%" PRIu32, device->capability_major, device->capability_minor);
    snprintf(id.values[4], VALUE, "%" PRIu32, device->multiprocessors);
    snprintf(id.values[5], VALUE, "%" PRIu32, device->wave_width);
    for (size_t k = 0; k < KEYS; k++)
        make_printable(id.values[k]);
    return id;
}

void wf_device_file_name(const wf_device_info *device, const char *kind, char name[WF_DEVICE_FILE_NAME]) {
    /* Partitions of a GPU (MIG) have the GPU's name; only the number of multiprocessors differs. */
    snprintf(name, WF_DEVICE_FILE_NAME, "%s-%s-%" PRIu32 ".%" PRIu32 "-%" PRIu32 "x%" PRIu32 "%s", device->backend,
             device->name, device->capability_major, device->capability_minor, device->multiprocessors,
             device->wave_width, kind);
    /* As in the locale C, so that the file's name does not depend on the program's locale (Turkish has another small
     * I). */
    char *end = name;
    for (const char *c = name; *c != '\0'; c++) {
        const bool is_large = *c >= 'A' && *c <= 'Z';
        const bool kept = is_large || (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.';
        if (kept)
            *end++ = (char)(is_large ? *c - 'A' + 'a' : *c);
        else if (end != name && end[-1] != '-') /* a run of other characters becomes one '-' */
            *end++ = '-';
    }
    *end = '\0';
}

/* ---- Writing -------------------------------------------------------------------------------------------------- */

void wf_device_file_append(wf_device_file *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    file->length += (size_t)vsnprintf(file->text + file->length, WF_DEVICE_FILE_TEXT - file->length, format, arguments);
    va_end(arguments);
}

void wf_device_file_begin(wf_device_file *file, const char *title, const wf_device_info *device) {
    _Static_assert(KEYS * (VALUE + 20) + 64 < WF_DEVICE_FILE_TEXT - WF_DEVICE_FILE_ROWS, "there must be room for rows");
    const identity id = identity_of(device);
    file->length = 0;
    wf_device_file_append(file, "%s%s\n", title, format_version);
    for (size_t k = 0; k < KEYS; k++)
        wf_device_file_append(file, "%s %s\n", id.keys[k], id.values[k]);
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

wf_status wf_device_file_refuse(wf_device_file_reader *from, wf_status status, const char *format, ...) {
    const int used = snprintf(from->reason, WF_DEVICE_FILE_REASON, "line %u: ", from->number);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(from->reason + used, WF_DEVICE_FILE_REASON - (size_t)used, format, arguments);
    va_end(arguments);
    make_printable(from->reason); /* it quotes the file */
    return status;
}

wf_status wf_device_file_next_line(wf_device_file_reader *from) {
    from->number++;
    const size_t left = (size_t)(from->end - from->at);
    const char *newline = left != 0 ? memchr(from->at, '\n', left) : NULL;
    if (newline == NULL)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "the file ends here, and is not complete");
    const size_t length = (size_t)(newline - from->at);
    if (length >= WF_DEVICE_FILE_LINE)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "it is longer than %d characters",
                                     WF_DEVICE_FILE_LINE - 1);
    if (memchr(from->at, '\0', length) != NULL)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "it has a zero byte: the file is no text");
    memcpy(from->line, from->at, length);
    from->line[length] = '\0';
    from->at = newline + 1;
    return WF_OK;
}

static wf_status read_title(wf_device_file_reader *from, const char *title) {
    wf_status status = wf_device_file_next_line(from);
    if (status != WF_OK)
        return status;
    const size_t length = strlen(title);
    if (strncmp(from->line, title, length) != 0)
        return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "it is not '%s%s'", title, format_version);
    if (strcmp(from->line + length, format_version) != 0)
        return wf_device_file_refuse(from, WF_UNSUPPORTED, "the format is '%.20s', but this library reads %s",
                                     from->line + length, format_version);
    return WF_OK;
}

static wf_status read_identity(wf_device_file_reader *from, const wf_device_info *device) {
    const identity id = identity_of(device);
    for (size_t k = 0; k < KEYS; k++) {
        const wf_status status = wf_device_file_next_line(from);
        if (status != WF_OK)
            return status;
        const size_t length = strlen(id.keys[k]);
        if (strncmp(from->line, id.keys[k], length) != 0 || from->line[length] != ' ')
            return wf_device_file_refuse(from, WF_INVALID_ARGUMENT, "'%.40s' stands where '%s' must stand", from->line,
                                         id.keys[k]);
        const char *value = from->line + length + 1;
        if (strcmp(value, id.values[k]) != 0)
            return wf_device_file_refuse(from, WF_UNSUPPORTED, "it is for %s '%.60s', and here it is '%.60s'",
                                         id.keys[k], value, id.values[k]);
    }
    return WF_OK;
}

wf_status wf_device_file_open(wf_device_file_reader *from, const char *title, const wf_device_info *device) {
    const wf_status status = read_title(from, title);
    return status == WF_OK ? read_identity(from, device) : status;
}

bool wf_take_number(const char **at, char behind, uint64_t *number) {
    enum { DIGITS = 19 }; /* any 19 decimal digits fit into 64 bits */
    const size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > DIGITS || (**at == '0' && digits > 1) || (*at)[digits] != behind)
        return false;
    *number = 0;
    for (size_t d = 0; d < digits; d++)
        *number = *number * 10 + (uint64_t)((*at)[d] - '0');
    *at += digits + (behind != '\0');
    return true;
}
