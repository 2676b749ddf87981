#include "check_sort.h"

#include "algebra.h"
#include "check.h"
#include "device_memory.h"
#include "status.h"

static wf_status check_bits(const wf_sort_spec *spec) {
    const uint32_t bits = 8 * (uint32_t)wf_type_size(spec->type);
    if (spec->begin_bit == 0 && spec->end_bit == 0)
        return WF_OK;
    if (wf_type_is_float(spec->type))
        return wf_fail(WF_INVALID_ARGUMENT,
                       "bits %u to %u of %s: floats are sorted by all bits; 'begin_bit' and 'end_bit' must be 0",
                       spec->begin_bit, spec->end_bit, wf_type_name(spec->type));
    if (spec->begin_bit >= spec->end_bit || spec->end_bit > bits)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'begin_bit' is %u and 'end_bit' is %u: the first must be less than the second, and that at "
                       "most %u, the bits of %s; or both 0",
                       spec->begin_bit, spec->end_bit, bits, wf_type_name(spec->type));
    return WF_OK;
}

wf_status wf_sort_check_spec(const wf_sort_spec *spec) {
    wf_status status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status == WF_OK)
        status = wf_check_type(spec->type);
    return status == WF_OK ? check_bits(spec) : status;
}

wf_status wf_sort_check_values(const wf_sort_spec *spec, const void *values) {
    const uint32_t bytes = spec->value_bytes;
    if (bytes > 16 || (bytes & (bytes - 1)) != 0)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "values of %u bytes: 'value_bytes' must be 0 (keys alone), 1, 2, 4, 8 or 16", bytes);
    if (bytes == 0 && values != NULL)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'values' are given, but 'value_bytes' is 0: it must be their size, or 'values' NULL");
    return WF_OK;
}

wf_status wf_sort_check_positions(const char *name, const wf_sort_spec *spec, size_t count) {
    if (spec->flags != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'flags' is 0x%x: %s has no flags", spec->flags, name);
    if (spec->value_bytes != 4 && spec->value_bytes != 8)
        return wf_fail(WF_INVALID_ARGUMENT, "positions of %u bytes: 'value_bytes' must be 4 or 8", spec->value_bytes);
    if (spec->value_bytes == 4 && count > (size_t)UINT32_MAX + 1)
        return wf_fail(WF_UNSUPPORTED, "%zu keys have positions of more than 32 bits: 'value_bytes' must be 8", count);
    return WF_OK;
}

wf_status wf_sort_check_arrays(const wf_context *context, const wf_sort_spec *spec, const void *keys, const char *name,
                               const void *values, size_t count) {
    const size_t key_bytes = wf_type_size(spec->type), value_bytes = spec->value_bytes;
    wf_status status = wf_check_array("keys", keys, count, key_bytes, key_bytes);
    if (status == WF_OK && value_bytes != 0)
        status = wf_check_array(name, values, count, value_bytes, value_bytes);
    if (status == WF_OK && value_bytes != 0 &&
        wf_check_overlap(keys, count * key_bytes, values, count * value_bytes, false) != WF_OK)
        status = wf_fail(WF_INVALID_ARGUMENT, "'keys' and '%s' overlap; they must be apart", name);
    if (status == WF_OK)
        status = wf_check_device_memory(context, "keys", keys, count * key_bytes);
    return status == WF_OK ? wf_check_device_memory(context, name, values, count * value_bytes) : status;
}
