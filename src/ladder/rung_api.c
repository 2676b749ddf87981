/* wavefold_ladder.h: lists the rungs, checks the arguments of a run, and starts its driver. */
#include "algebra.h"
#include "check.h"
#include "default_environment.h"
#include "device_memory.h"
#include "ladder_table.h"
#include "limits.h"
#include "nearest.h"
#include "reduce/sequential.h"
#include "reduction_table.h"
#include "row_shape.h"
#include "status.h"
#include "wavefold_ladder.h"
#include "wf_context.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_WINDOW = 8,
    FULL_THREADS = 2048, /* the most threads that a multiprocessor of current GPUs holds */
    FULL_TILES = 32      /* the most tiles of these threads */
};

size_t wf_rung_count(void) {
    return wf_ladder_length;
}

static wf_status unknown_index(size_t index) {
    return wf_fail(WF_INVALID_ARGUMENT, "no rung number %zu: they go from 0 to %zu", index, wf_ladder_length - 1);
}

wf_status wf_rung_get_info(size_t index, wf_rung_info *info) {
    if (index >= wf_ladder_length)
        return unknown_index(index);
    if (info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'info' must not be NULL");
    *info = wf_ladder[index].info;
    return WF_OK;
}

wf_status wf_rung_find(const char *name, size_t *index) {
    enum { MOST = 64 };
    const char *names[MOST];
    if (name == NULL || index == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", name == NULL ? "name" : "index");
    size_t count = 0;
    for (size_t i = 0; i < wf_ladder_length; i++) {
        if (strcmp(wf_ladder[i].info.name, name) == 0) {
            *index = i;
            return WF_OK;
        }
        if (count < MOST)
            names[count++] = wf_ladder[i].info.name;
    }
    const char *nearest = wf_nearest_name(name, names, count);
    return wf_fail(WF_INVALID_ARGUMENT, "unknown rung '%.60s'%s%s%s", name, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Lists the rungs of this kind that take the group, separated by commas. */
static void name_rungs(wf_rung_kind kind, uint32_t group, char *names, size_t capacity) {
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < wf_ladder_length && used < capacity; i++)
        if (wf_ladder[i].info.kind == kind && (wf_ladder[i].folds & group) != 0)
            used += (size_t)snprintf(names + used, capacity - used, "%s%s", used ? ", " : "", wf_ladder[i].info.name);
}

/* True if the rung exact takes the reduction. */
static bool has_exact_sum(const wf_rung_options *options, const wf_reduction_info *info) {
    const wf_reduce_spec exact = wf_exact_sum_of(options, info);
    wf_reduction_info found;
    return options->op != WF_MEAN && wf_reduction_get_info(&exact, &found) == WF_OK &&
           wf_reduction_is_exact(&exact, &found);
}

static wf_status refuse_not_exact(const wf_rung *rung, const wf_rung_options *options, uint32_t groups) {
    char others[100];
    name_rungs(rung->info.kind, groups, others, sizeof others);
    return wf_fail(WF_UNSUPPORTED,
                   "%s takes sum and asum of f16, bf16, f32 and f64, and sumsq of the first three, not %s of %s; %s%s",
                   rung->info.name, wf_op_name(options->op), wf_type_name(options->type),
                   (groups & WF_FOLDS_CORE) != 0 ? "all other rungs of its kind do" : "rungs that do: ",
                   (groups & WF_FOLDS_CORE) != 0 ? "" : others);
}

/* The group of a reduction: CORE, ORDERED without CORE, or WIDE without CORE. */
static uint32_t fold_group(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    return wf_op_is_ordered(spec->op)                ? WF_FOLDS_ORDERED & ~WF_FOLDS_CORE
           : wf_reduction_is_of_elements(spec, info) ? WF_FOLDS_CORE
                                                     : WF_FOLDS_WIDE & ~WF_FOLDS_CORE;
}

static wf_status supports_fold(const wf_rung *rung, const wf_rung_options *options, wf_reduction_info *info) {
    const wf_reduce_spec spec = wf_reduction_of(options);
    const wf_status status = wf_reduction_get_info(&spec, info);
    if (status != WF_OK)
        return status;
    uint32_t groups = fold_group(&spec, info);
    if ((rung->folds & groups) != 0)
        return WF_OK;
    groups |= has_exact_sum(options, info) ? WF_FOLDS_EXACT : 0;
    if ((rung->folds & groups) != 0)
        return WF_OK;
    char others[300];
    name_rungs(rung->info.kind, groups, others, sizeof others);
    const char *name = rung->info.name, *op = wf_op_name(options->op), *type = wf_type_name(options->type);
    if (wf_op_is_ordered(options->op))
        return wf_fail(WF_UNSUPPORTED, "%s reorders the elements, but %s does not commute; %s%s", name, op,
                       others[0] ? "rungs that keep the order: " : "no rung of its kind keeps the order", others);
    if (rung->folds == WF_FOLDS_EXACT)
        return refuse_not_exact(rung, options, groups);
    const bool ordered = (rung->folds & WF_FOLDS_ORDERED) == WF_FOLDS_ORDERED;
    const char *how = options->nan == WF_NAN_IGNORE        ? " ignoring NaN"
                      : info->accumulator != options->type ? " in another type"
                                                           : "";
    return wf_fail(
        WF_UNSUPPORTED,
        "%s takes sum, min and max of f32, f64, i32 and i64%s, in their own type and propagating NaN, not %s of "
        "%s%s; %s%s",
        name, ordered ? ", and matmul and affine" : "", op, type, how,
        others[0] ? "rungs that do: " : "no rung of its kind does", others);
}

static bool sorts(const wf_rung *rung) {
    return rung->info.kind == WF_RUNG_SORTS || rung->info.kind == WF_RUNG_SORTS_PAIRS;
}

static wf_status supports(const wf_rung *rung, const wf_rung_options *options, wf_reduction_info *info) {
    *info = (wf_reduction_info){0};
    wf_status status =
        wf_check_reserved("options", options->reserved, sizeof options->reserved / sizeof *options->reserved);
    if (status != WF_OK)
        return status;
    status = sorts(rung) ? wf_check_sort_type(rung->info.name, options->type) : supports_fold(rung, options, info);
    if (sorts(rung))
        info->element_bytes = (uint32_t)wf_type_size(options->type);
    return status;
}

wf_status wf_rung_supports(size_t index, const wf_rung_options *options) {
    if (index >= wf_ladder_length)
        return unknown_index(index);
    if (options == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'options' must not be NULL");
    wf_reduction_info info;
    return supports(&wf_ladder[index], options, &info);
}

/* Sets the defaults, and refuses values out of range. Parameters that the rung does not use become 0 or the default. */
static wf_status complete(const wf_rung *rung, const wf_context *context, wf_rung_options *options) {
    const wf_device_info *device = &context->info;
    const uint32_t heeds = rung->info.parameters;
    if (options->tile_size == 0)
        options->tile_size = WF_DEFAULT_TILE;
    if ((options->tile_size & (options->tile_size - 1)) != 0 || options->tile_size < WF_LEAST_TILE ||
        options->tile_size > device->max_tile_size)
        return wf_fail(WF_INVALID_ARGUMENT, "tile size %u: it must be a power of two from %d to %u on %s",
                       options->tile_size, WF_LEAST_TILE, device->max_tile_size, device->id);
    if ((heeds & WF_RUNG_WHOLE_WAVES) != 0 && options->tile_size % device->wave_width != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "tile size %u: %s uses whole waves, so it must be a multiple of %u on %s",
                       options->tile_size, rung->info.name, device->wave_width, device->id);
    if (rung->kernel == WF_KERNEL_exact && options->tile_size > context->backend->exact_tile)
        return wf_fail(WF_INVALID_ARGUMENT, "tile size %u: %s takes tiles of up to %u threads on %s",
                       options->tile_size, rung->info.name, context->backend->exact_tile, device->id);
    if (options->window == 0)
        options->window = DEFAULT_WINDOW;
    if (options->window < WF_LEAST_WINDOW || options->window > WF_MOST_WINDOW)
        return wf_fail(WF_INVALID_ARGUMENT, "window of %u elements: it must be from %d to %d", options->window,
                       WF_LEAST_WINDOW, WF_MOST_WINDOW);
    const uint32_t most_tiles = smaller(WF_MOST_TILES, device->max_tiles);
    if (options->tiles == 0) /* as many as fill the device once */
        options->tiles =
            smaller(most_tiles, device->multiprocessors * smaller(FULL_TILES, FULL_THREADS / options->tile_size));
    if (options->tiles > most_tiles)
        return wf_fail(WF_INVALID_ARGUMENT, "%u tiles: there must be from 1 to %u on %s", options->tiles, most_tiles,
                       device->id);

    if ((heeds & WF_RUNG_TILE) == 0)
        options->tile_size = WF_DEFAULT_TILE;
    if ((heeds & WF_RUNG_TILES) == 0)
        options->tiles = 0;
    if ((heeds & WF_RUNG_WINDOW) == 0)
        options->window = 0;
    if ((heeds & WF_RUNG_EXCLUSIVE) == 0)
        options->exclusive = 0;
    if ((heeds & WF_RUNG_DESCENDING) == 0)
        options->descending = 0;
    if ((heeds & WF_RUNG_ROW_LENGTH) != 0 && options->row_length == 0)
        options->row_length = WF_DEFAULT_ROW_LENGTH;
    return WF_OK;
}

/* Bytes for each element in a result that is an array. */
static size_t result_element_bytes(const wf_rung *rung, const wf_reduction_info *info) {
    return info->element_bytes + (rung->info.kind == WF_RUNG_SORTS_PAIRS ? sizeof(uint32_t) : 0);
}

static size_t result_bytes_of(const wf_rung *rung, const wf_reduction_info *info, size_t results) {
    return rung->info.kind == WF_RUNG_REDUCES ? info->result_bytes : results * result_element_bytes(rung, info);
}

/* The elements of a result that is an array. */
static size_t result_count_of(const wf_rung *rung, const wf_rung_options *options, size_t count) {
    const wf_rung_kind kind = rung->info.kind;
    return wf_kind_has_rows(kind) ? (size_t)wf_row_results(kind, count, options->row_length) : count;
}

static wf_status check_arrays(const wf_context *context, const wf_rung *rung, const wf_reduction_info *info,
                              const wf_rung_options *options, const void *in, size_t count, const void *result,
                              size_t result_count) {
    const bool pairs = rung->info.kind == WF_RUNG_SORTS_PAIRS, may_equal = !pairs && !wf_kind_has_rows(rung->info.kind);
    const size_t element = info->element_bytes, alignment = wf_type_size(options->type);
    wf_status status = wf_check_array("in", in, count, element, alignment);
    if (status == WF_OK && rung->info.kind == WF_RUNG_REDUCES)
        return wf_check_device_memory(context, "in", in, count * element);
    if (status != WF_OK)
        return status;
    const size_t result_element = result_element_bytes(rung, info);
    status = wf_check_array("result", result, result_count, result_element, alignment);
    if (status == WF_OK && pairs && count > (size_t)UINT32_MAX + 1)
        status = wf_fail(WF_UNSUPPORTED, "%s stores positions in 32 bits: at most 2^32 elements, not %zu",
                         rung->info.name, count);
    if (status == WF_OK)
        status = wf_check_overlap(in, count * element, result, result_count * result_element, may_equal);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "in", in, count * element);
    return status == WF_OK ? wf_check_device_memory(context, "result", result, result_count * result_element) : status;
}

wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in, size_t count,
                      void *result, size_t result_bytes, wf_rung_report *report) {
    if (index >= wf_ladder_length)
        return unknown_index(index);
    wf_status status = wf_check_call(context, options, "options");
    if (status != WF_OK)
        return status;
    if (result == NULL && wf_ladder[index].info.kind == WF_RUNG_REDUCES)
        return wf_fail(WF_INVALID_ARGUMENT, "'result' must not be NULL");
    const wf_rung *rung = &wf_ladder[index];
    wf_rung_options complete_options = *options;
    wf_reduction_info info;
    status = supports(rung, options, &info);
    if (status == WF_OK)
        status = complete(rung, context, &complete_options);
    const size_t results = status == WF_OK ? result_count_of(rung, &complete_options, count) : 0;
    if (status == WF_OK)
        status = check_arrays(context, rung, &info, options, in, count, result, results);
    if (status == WF_OK)
        status = wf_check_result_bytes(result_bytes, result_bytes_of(rung, &info, results), rung->info.name);
    if (status != WF_OK)
        return status;

    wf_rung_report measured = {.window = complete_options.window, .tiles = complete_options.tiles};
    if ((rung->info.parameters & WF_RUNG_TILE) != 0)
        measured.tile_size = complete_options.tile_size;
    wf_launch_count launched = {.launches = 0};
    wf_rung_run_args args = {.context = context,
                             .queue = {.context = context, .count = &launched},
                             .options = complete_options,
                             .info = info,
                             .in = in,
                             .count = count,
                             .result = result,
                             .report = &measured};
    wf_result folded;
    if (rung->info.kind == WF_RUNG_REDUCES) {
        args.result = &folded;
        const wf_reduce_spec spec = wf_reduction_of(options);
        wf_put_identity(&spec, &info, &folded);
    }
    const fenv_t before = wf_enter_default_environment(); /* also for the arithmetic on times */
    status = count == 0 ? WF_OK : rung->run(rung, &args);
    fesetenv(&before);
    if (status != WF_OK) {
        if (launched.launches != 0)
            (void)context->backend->finish(context->device); /* earlier launches may still use the arrays */
        return status;
    }
    if (rung->info.kind == WF_RUNG_REDUCES)
        memcpy(result, &folded, info.result_bytes);
    measured.launches = launched.launches;
    if (launched.launches != 0)
        measured.threads = launched.threads;
    if (report != NULL)
        *report = measured;
    return WF_OK;
}

static wf_status time_reading(const wf_context *context, const void *in, size_t bytes, double *seconds) {
    const wf_backend *backend = context->backend;
    double measured = 0;
    wf_status status = wf_start_clock(context);
    if (status != WF_OK)
        return status;
    if (bytes >= 16)
        status = backend->read(context->device, in, bytes - bytes % 16);
    const bool is_queued = status == WF_OK;
    if (is_queued)
        status = backend->timer_stop(context->device, &measured);
    if (status != WF_OK) {
        wf_backend_fail(context, status, "measuring the read ceiling");
        if (is_queued)
            (void)backend->finish(context->device); /* the kernel may still read the array */
        return status;
    }
    *seconds = measured;
    return WF_OK;
}

wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds) {
    wf_status status = wf_check_call(context, seconds, "seconds");
    if (status == WF_OK)
        status = wf_check_bytes(bytes);
    if (status != WF_OK)
        return status;
    if (in == NULL && bytes != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'in' must not be NULL for %zu bytes", bytes);
    if ((uintptr_t)in % 16 != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'in' must be aligned to 16 bytes");
    status = wf_check_device_memory(context, "in", in, bytes);
    if (status != WF_OK)
        return status;
    const fenv_t before = wf_enter_default_environment();
    status = time_reading(context, in, bytes, seconds);
    fesetenv(&before);
    return status;
}
