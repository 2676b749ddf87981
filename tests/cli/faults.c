/* Preloaded before libwavefold: makes it fail as the environment says, so that tests see what the program does then.
 *
 * WAVEFOLD_FAULT is KIND:RUNG. KIND is
 *   value, nan, infinity, zero  the rung's result is another, of the data
 *   ulp, largest          the rung's result is a number beside it, the largest f64, of the data
 *   flushes               the rung reports 1000 of them, of the data
 *   late                  the same as value, but in the third run of the data only
 *   probe                 the same as value, of the probe
 *   probe_twice           element 0 is counted in the place of element 1, of the probe
 *   probe_half, probe_tie what has an index is folded of the first half of the elements; has that of the last of equal
 *                         elements, of the probe
 *   probe_swap            elements 0 and 1 stand in each other's place, of the probe
 *   probe_again           a sort writes a position twice, of the probe
 *   second, index         the result's second value, its index is another, of the data
 *   last                  the last element of a result that is an array is another, of the data
 *   unwritten, twice, swap, positions, again, beyond
 *                         a scan or a sort of the data writes nothing; writes its last but one element for the last;
 *                         swaps the first and the last; does so with positions alone; writes a position twice,
 *                         or one behind the last
 *   last_two              both are the last but two, of the data
 *   halves                the second half of an array stands before the first, of the data
 *   sorted_halves         the same of i64 keys, which are sorted in here, as the emulator takes seconds for a long one
 *   KERNEL_FAULT, UNSUPPORTED, DEVICE_ERROR  the rung fails with this status
 *   probe_KERNEL_FAULT, ...                  the same, of the probe
 *   late_KERNEL_FAULT, ...                   the same, in the third run of the data only
 *   upload, ceiling, no_ceiling, context, reduce  another call fails, whatever the rung; reduce is wf_describe,
 *                         wf_sum_state_accumulate and wf_reduce_axes, too
 *   small_gpu             the device says that it is a GPU with 100 MiB free, and takes 99 tiles
 *   free_gpu              the device says that it is a GPU
 *   gpu_upload            as free_gpu and upload
 */
#define _GNU_SOURCE
#include "wavefold.h"
#include "wavefold_axes.h"
#include "wavefold_ladder.h"
#include "wavefold_sum.h"

#include "result_bytes.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static bool injected;

static const char *kind(void) {
    static char text[64];
    const char *fault = getenv("WAVEFOLD_FAULT");
    strncpy(text, fault ? fault : "", sizeof text - 1);
    text[strcspn(text, ":")] = '\0';
    return text;
}

static bool is(const char *name) {
    return strcmp(kind(), name) == 0;
}

static bool is_victim(size_t index) {
    wf_rung_info info;
    const char *fault = getenv("WAVEFOLD_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
    return colon && wf_rung_get_info(index, &info) == WF_OK && strcmp(colon + 1, info.name) == 0;
}

static wf_status inject(wf_status status) {
    injected = true;
    return status;
}

const char *wf_last_error(void) {
    return injected ? "the injected fault" : NEXT(wf_last_error)();
}

static wf_status status_named(const char *name) {
    return strcmp(name, "KERNEL_FAULT") == 0   ? WF_KERNEL_FAULT
           : strcmp(name, "UNSUPPORTED") == 0  ? WF_UNSUPPORTED
           : strcmp(name, "DEVICE_ERROR") == 0 ? WF_DEVICE_ERROR
                                               : WF_OK;
}

/* Of the input: element 0 for element 1, or each in the other's place. */
static wf_status change_input(wf_context *context, char *in, size_t element) {
    char elements[64];
    wf_status status = wf_copy_to_host(context, elements, in, 2 * element);
    if (status == WF_OK)
        status = NEXT(wf_copy_to_device)(context, in + element, elements, element);
    if (status == WF_OK && is("probe_swap"))
        status = NEXT(wf_copy_to_device)(context, in, elements + element, element);
    return status;
}

static void spoil(wf_type type, void *value) {
    if (is("zero"))
        memset(value, 0, wf_type_size(type));
    else if (is("ulp"))
        *(unsigned char *)value ^= 1;
    else if (type == WF_F32)
        *(float *)value = is("nan") ? NAN : is("infinity") ? INFINITY : *(float *)value + 1;
    else if (type == WF_F64)
        *(double *)value = is("largest") ? DBL_MAX : is("nan") ? NAN : *(double *)value + 1;
    else
        *(unsigned char *)value ^= 1;
}

static void spoil_reduction(const wf_reduction_info *info, void *result) {
    if (is("index"))
        ++((uint64_t *)result)[1];
    else
        spoil(info->result_type, (char *)result + (is("second") ? wf_type_size(info->result_type) : 0));
}

static void exchange(char *a, char *b, size_t bytes) {
    char kept[64];
    memcpy(kept, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, kept, bytes);
}

/* There are at least two elements; behind them stand positions if bytes has room for them. */
static void change_array(wf_type type, size_t element, size_t count, char *array) {
    char *last = array + (count - 1) * element;
    uint32_t *positions = (uint32_t *)(array + count * element);
    if (is("twice"))
        memcpy(last, last - element, element);
    else if (is("last_two"))
        for (size_t i = 1; i <= 2; i++)
            memcpy(last - (i - 1) * element, last - 2 * element, element);
    else if (is("halves") || is("sorted_halves"))
        for (size_t i = 0, half = count / 2; i < half; i++)
            exchange(array + i * element, array + (half + i) * element, element);
    else if (is("swap"))
        exchange(array, last, element);
    else if (is("positions"))
        exchange((char *)positions, (char *)(positions + count - 1), sizeof *positions);
    else if (is("again") || is("probe_again"))
        positions[1] = positions[0];
    else if (is("beyond"))
        positions[1] = (uint32_t)count;
    else
        spoil(type, is("last") ? last : array);
}

static int compare(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static wf_status spoil_array(wf_context *context, wf_rung_kind kind, wf_type type, size_t element, size_t count,
                             const void *in, void *result) {
    size_t bytes = count * (element + (kind == WF_RUNG_SORTS_PAIRS ? sizeof(uint32_t) : 0));
    char *array = malloc(bytes);
    if (array == NULL)
        return WF_OUT_OF_MEMORY;
    wf_status status = wf_copy_to_host(context, array, is("sorted_halves") ? in : result, bytes);
    if (is("sorted_halves"))
        qsort(array, count, sizeof(int64_t), compare);
    change_array(type, element, count, array);
    if (status == WF_OK)
        status = NEXT(wf_copy_to_device)(context, result, array, bytes);
    free(array);
    return status;
}

static wf_status find_last(wf_context *context, const void *in, size_t count, size_t element, void *result) {
    char *elements = malloc(count * element);
    if (elements == NULL)
        return WF_OUT_OF_MEMORY;
    wf_status status = wf_copy_to_host(context, elements, in, count * element);
    for (size_t i = 0; i < count && status == WF_OK; i++)
        if (memcmp(elements + i * element, result, element) == 0)
            ((uint64_t *)result)[1] = i;
    free(elements);
    return status;
}

/* The rung, and its reduction. */
static int get_infos(size_t index, const wf_rung_options *options, wf_reduction_info *info, wf_rung_info *rung) {
    const wf_reduce_spec spec = {.type = options->type,
                                 .op = options->op,
                                 .accumulator = options->accumulator,
                                 .nan = options->nan,
                                 .accuracy = WF_ACCURACY_FAST};
    return wf_reduction_get_info(&spec, info) == WF_OK && wf_rung_get_info(index, rung) == WF_OK;
}

/* wf_rung_run of the first `count` elements. */
static wf_status run(wf_context *context, size_t index, const wf_rung_options *options, const void *in, size_t count,
                     void *result, wf_rung_report *report) {
    wf_reduction_info info;
    wf_rung_info rung;
    if (!get_infos(index, options, &info, &rung))
        return inject(WF_DEVICE_ERROR);
    const size_t bytes = bytes_of_rung_result(index, options, count);
    return NEXT(wf_rung_run)(context, index, options, in, count, result, bytes, report);
}

static wf_status spoilt_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in,
                            size_t count, void *result, wf_rung_report *report) {
    wf_reduction_info info;
    wf_rung_info rung;
    if (!get_infos(index, options, &info, &rung))
        return inject(WF_DEVICE_ERROR);
    if (is("probe_twice") || is("probe_swap")) {
        wf_status status = change_input(context, (void *)(uintptr_t)in, info.element_bytes);
        return status == WF_OK ? run(context, index, options, in, count, result, report) : status;
    }
    if (is("probe_half") || is("probe_tie")) {
        const size_t taken = info.has_index && is("probe_half") ? count / 2 : count;
        wf_status status = run(context, index, options, in, taken, result, report);
        return status == WF_OK && info.has_index && is("probe_tie")
                   ? find_last(context, in, count, info.element_bytes, result)
                   : status;
    }
    char unwritten[16];
    if (is("unwritten")) /* what it would tell of the run is wanted all the same */
        return run(context, index, options, in, 0, rung.kind ? NULL : (void *)unwritten, report);
    const bool is_sorted_here = is("sorted_halves");
    wf_status status = run(context, index, options, in, is_sorted_here ? 0 : count, result, report);
    if (status == WF_OK && rung.kind != WF_RUNG_REDUCES) {
        const size_t results = bytes_of_rung_result(index, options, count) / info.element_bytes;
        return spoil_array(context, rung.kind, options->type, info.element_bytes,
                           rung.kind == WF_RUNG_SORTS_PAIRS ? count : results, in, result);
    }
    if (status == WF_OK && is("flushes"))
        report->flushes = 1000;
    else if (status == WF_OK)
        spoil_reduction(&info, result);
    return status;
}

wf_status wf_rung_run(wf_context *context, size_t index, const wf_rung_options *options, const void *in, size_t count,
                      void *result, size_t result_bytes, wf_rung_report *report) {
    static int runs;
    const char *fault = kind();
    bool probe = !report, late = strncmp(fault, "late", 4) == 0;
    if (is_victim(index)) {
        runs += !probe;
        if (probe == (strncmp(fault, "probe", 5) == 0) && (!late || runs == 3)) {
            const char *name = strncmp(fault, "probe_", 6) == 0 ? fault + 6 : late && fault[4] ? fault + 5 : fault;
            wf_status status = status_named(name);
            return status == WF_OK ? spoilt_run(context, index, options, in, count, result, report) : inject(status);
        }
    }
    return NEXT(wf_rung_run)(context, index, options, in, count, result, result_bytes, report);
}

wf_status wf_copy_to_device(wf_context *context, void *device, const void *host, size_t bytes) {
    return is("upload") || is("gpu_upload") ? inject(WF_DEVICE_ERROR)
                                            : NEXT(wf_copy_to_device)(context, device, host, bytes);
}

wf_status wf_read_ceiling(wf_context *context, const void *in, size_t bytes, double *seconds) {
    if (is("ceiling") || is("no_ceiling"))
        return inject(is("ceiling") ? WF_DEVICE_ERROR : WF_UNSUPPORTED);
    return NEXT(wf_read_ceiling)(context, in, bytes, seconds);
}

wf_status wf_reduce(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count, void *result,
                    size_t result_bytes) {
    return is("reduce") ? inject(WF_DEVICE_ERROR) : NEXT(wf_reduce)(context, spec, in, count, result, result_bytes);
}

wf_status wf_describe(wf_context *context, const wf_describe_spec *spec, const void *in, size_t count,
                      wf_description *result) {
    return is("reduce") ? inject(WF_DEVICE_ERROR) : NEXT(wf_describe)(context, spec, in, count, result);
}

wf_status wf_sum_state_accumulate(wf_context *context, const wf_reduce_spec *spec, const void *in, size_t count,
                                  wf_sum_state *state) {
    return is("reduce") ? inject(WF_DEVICE_ERROR) : NEXT(wf_sum_state_accumulate)(context, spec, in, count, state);
}

wf_status wf_reduce_axes(wf_context *context, const wf_reduce_spec *spec, const wf_axes *axes, const void *in,
                         void *result, size_t result_bytes) {
    return is("reduce") ? inject(WF_DEVICE_ERROR) : NEXT(wf_reduce_axes)(context, spec, axes, in, result, result_bytes);
}

wf_status wf_context_create(wf_context **context, const char *device) {
    return is("context") ? inject(WF_DEVICE_ERROR) : NEXT(wf_context_create)(context, device);
}

wf_status wf_context_get_device(const wf_context *context, wf_device_info *info) {
    wf_status status = NEXT(wf_context_get_device)(context, info);
    if (is("small_gpu") || is("free_gpu") || is("gpu_upload"))
        strcpy(info->backend, "nvidia");
    if (is("small_gpu")) {
        info->memory_free_bytes = 100 << 20;
        info->max_tiles = 99;
    }
    return status;
}
