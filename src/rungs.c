/* The public face of the ladder: what rungs there are, and checked entry into one. */
#include "internal.h"
#include "ladder.h"
#include "nearest.h"

#include <stdint.h>
#include <string.h>

enum {
    DEFAULT_TILE = 256,
    DEFAULT_WINDOW = 8,
    LARGEST_WINDOW = 1024,
    LARGEST_TILES = 65536, /* their partial results are folded on the host, one after the other */
    FULL_THREADS = 2048,   /* threads that a multiprocessor of today's GPUs holds, */
    FULL_TILES = 32        /* in so many tiles at the most */
};

size_t wf_rung_count(void) {
    return wf_ladder_length;
}

static wf_status unknown_index(size_t index) {
    return wf_fail(WF_INVALID_ARGUMENT, "rung number %zu was asked for; they go from 0 to %zu", index,
                   wf_ladder_length - 1);
}

wf_status wf_rung_get_info(size_t index, wf_rung_info *info) {
    if (index >= wf_ladder_length)
        return unknown_index(index);
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "info must not be NULL");
    *info = wf_ladder[index].info;
    return WF_OK;
}

wf_status wf_rung_find(const char *name, size_t *index) {
    enum { MOST = 64 };
    const char *names[MOST];
    if (name == NULL || index == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "%s must not be NULL", name == NULL ? "name" : "index");
    size_t count = 0;
    for (size_t i = 0; i < wf_ladder_length; i++) {
        if (strcmp(wf_ladder[i].info.name, name) == 0) {
            *index = i;
            return WF_OK;
        }
        if (count < MOST)
            names[count++] = wf_ladder[i].info.name;
    }
    const char *nearest = nearest_name(name, names, count);
    return wf_fail(WF_INVALID_ARGUMENT, "unknown rung '%.60s'%s%s%s", name, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Fills in the defaults, and refuses what is out of range. Parameters that the rung does not heed become 0. */
static wf_status complete(const wf_rung *rung, const wf_device_info *device, wf_rung_options *options) {
    if (wf_type_name(options->type) == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "unknown element type %d", (int)options->type);
    if (wf_op_name(options->op) == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "unknown operator %d", (int)options->op);

    const uint32_t heeds = rung->info.parameters;
    if (options->tile_size == 0)
        options->tile_size = DEFAULT_TILE;
    if ((options->tile_size & (options->tile_size - 1)) != 0 || options->tile_size < 2 ||
        options->tile_size > device->max_tile_size)
        return wf_fail(WF_INVALID_ARGUMENT, "tile size %u: it must be a power of two from 2 to %u on %s",
                       options->tile_size, device->max_tile_size, device->id);
    if ((heeds & WF_RUNG_WHOLE_WAVES) != 0 && options->tile_size % device->wave_width != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "tile size %u: %s folds by waves, so it must be a multiple of %u on %s",
                       options->tile_size, rung->info.name, device->wave_width, device->id);
    if (options->window == 0)
        options->window = DEFAULT_WINDOW;
    if (options->window < 2 || options->window > LARGEST_WINDOW)
        return wf_fail(WF_INVALID_ARGUMENT, "window of %u elements: it must be from 2 to %d", options->window,
                       LARGEST_WINDOW);
    const uint32_t most_tiles = smaller(LARGEST_TILES, device->max_tiles);
    if (options->tiles == 0) /* one full load of the device */
        options->tiles =
            smaller(most_tiles, device->multiprocessors * smaller(FULL_TILES, FULL_THREADS / options->tile_size));
    if (options->tiles > most_tiles)
        return wf_fail(WF_INVALID_ARGUMENT, "%u tiles: there must be from 1 to %u on %s", options->tiles, most_tiles,
                       device->id);

    if ((heeds & WF_RUNG_TILE) == 0)
        options->tile_size = DEFAULT_TILE;
    if ((heeds & WF_RUNG_TILES) == 0)
        options->tiles = 0;
    if ((heeds & WF_RUNG_WINDOW) == 0)
        options->window = 0;
    return WF_OK;
}

wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in, size_t count,
                      void *result, wf_rung_report *report) {
    if (index >= wf_ladder_length)
        return unknown_index(index);
    if (context == NULL || options == NULL || result == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "%s must not be NULL",
                       context == NULL   ? "context"
                       : options == NULL ? "options"
                                         : "result");
    const wf_rung *rung = &wf_ladder[index];
    wf_rung_options complete_options = *options;
    const wf_status checked = complete(rung, &context->info, &complete_options);
    if (checked != WF_OK)
        return checked;

    const size_t element = wf_type_size(options->type);
    if (in == NULL && count != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "in must not be NULL: it holds %zu elements", count);
    if ((uintptr_t)in % element != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "in must be aligned to its elements of %zu bytes", element);
    if (count > PTRDIFF_MAX / element)
        return wf_fail(WF_INVALID_ARGUMENT, "%zu elements of %zu bytes are more than an address space holds", count,
                       element);

    wf_rung_report told = {.window = complete_options.window, .tiles = complete_options.tiles};
    if ((rung->info.parameters & WF_RUNG_TILE) != 0)
        told.tile_size = complete_options.tile_size;
    double folded = 0; /* large and aligned enough for one element of any type */
    wf_identity(options->type, options->op, &folded);
    const wf_rung_run_args args = {context, complete_options, in, count, &folded, &told};
    const wf_status status = count == 0 ? WF_OK : rung->run(rung, &args);
    if (status != WF_OK)
        return status;
    memcpy(result, &folded, element);
    if (report != NULL)
        *report = told;
    return WF_OK;
}

wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds) {
    if (context == NULL || seconds == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "%s must not be NULL", context == NULL ? "context" : "seconds");
    if (in == NULL && bytes != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "in must not be NULL: it holds %zu bytes", bytes);
    if ((uintptr_t)in % 16 != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "in must be aligned to 16 bytes");
    const wf_backend *backend = context->backend;
    double measured = 0;
    wf_status status = backend->timer_start(context->device);
    if (status == WF_OK && bytes >= 16)
        status = backend->read(context->device, in, bytes - bytes % 16);
    if (status == WF_OK)
        status = backend->timer_stop(context->device, &measured);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "measuring the read ceiling");
    *seconds = measured;
    return WF_OK;
}
