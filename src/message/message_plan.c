#include "message_plan.h"
#include "check.h"
#include "reduction_table.h"
#include "status.h"

#include <stdio.h>

/* ---- The kind of a reduction ---- */

/* Integers whose mean is exact: a sum of 2^32 of them fits 64 bits. */
static bool is_narrow_integer(wf_type type) {
    return !wf_type_is_float(type) && wf_type_size(type) <= 4;
}

static wf_message_kind kind_of_sum(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    if (wf_reduction_is_exact(spec, info))
        return WF_MESSAGE_STATE;
    if (spec->op == WF_MEAN)
        return is_narrow_integer(spec->type) ? WF_MESSAGE_MEAN : WF_MESSAGE_WEIGHTED;
    return wf_type_is_float(spec->type) ? WF_MESSAGE_VALUE : WF_MESSAGE_SUM;
}

static wf_message_kind kind_of(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    switch (wf_facts_of_op(spec->op).op_class) {
    case WF_CLASS_SUM:
        return kind_of_sum(spec, info);
    case WF_CLASS_PRODUCT:
        return WF_MESSAGE_VALUE;
    case WF_CLASS_EXTREME:
        return info->has_index ? WF_MESSAGE_PLACE : WF_MESSAGE_EXTREME;
    case WF_CLASS_BITWISE:
        return WF_MESSAGE_BITS;
    case WF_CLASS_ORDERED:
        break;
    }
    return WF_MESSAGE_ORDERED;
}

static wf_message_size words_of(wf_message_kind kind, const wf_reduction_info *info) {
    switch (kind) {
    case WF_MESSAGE_STATE:
        return (wf_message_size){.sums = WF_STATE_WORDS};
    case WF_MESSAGE_SUM:
        return (wf_message_size){.sums = 1};
    case WF_MESSAGE_MEAN:
        return (wf_message_size){.sums = 3};
    case WF_MESSAGE_BITS:
        return (wf_message_size){.sums = 4 * (size_t)info->result_bytes};
    case WF_MESSAGE_EXTREME:
        return (wf_message_size){.maxima = info->result_values};
    case WF_MESSAGE_PLACE:
        return (wf_message_size){.records = 3};
    case WF_MESSAGE_VALUE:
        return (wf_message_size){.records = 1};
    case WF_MESSAGE_WEIGHTED:
        return (wf_message_size){.records = 2};
    case WF_MESSAGE_ORDERED:
        return (wf_message_size){.records = info->result_bytes / sizeof(uint64_t)};
    case WF_MESSAGE_DESCRIPTION:
        break;
    }
    return (wf_message_size){.records = WF_DESCRIPTION_WORDS + 1};
}

/* ---- The reductions ---- */

/* Sums of integers are computed in 64 bits; narrower results are their lower bits. */
static wf_status plan_fold(const wf_reduce_spec *spec, wf_message_kind kind, wf_reduce_plan *fold) {
    if (kind == WF_MESSAGE_STATE)
        return wf_reduce_plan_of_state(spec, WF_EXACT_STATE, fold);
    wf_reduce_spec local = *spec;
    if (kind == WF_MESSAGE_SUM || kind == WF_MESSAGE_MEAN)
        local.accumulator = wf_type_is_signed(spec->type) ? WF_ACCUMULATE_I64 : WF_ACCUMULATE_U64;
    if (kind == WF_MESSAGE_MEAN)
        local.op = WF_SUM;
    return wf_reduce_plan_of(&local, fold);
}

static void describe_numbers(wf_message_entry *entry, wf_type type) {
    const wf_type_facts facts = wf_facts_of_type(type);
    entry->number = (uint8_t)facts.kind;
    entry->bytes = (uint8_t)wf_type_size(type);
    entry->digits = (uint8_t)facts.digits;
    entry->exponent_bits = (uint8_t)facts.exponent_bits;
}

static wf_status plan_reduction(const wf_reduce_spec *spec, wf_message_plan *plan) {
    wf_reduction_info info;
    wf_status status = wf_reduction_get_info(spec, &info);
    if (status != WF_OK)
        return status;
    const wf_message_kind kind = kind_of(spec, &info);
    status = plan_fold(spec, kind, &plan->fold);
    plan->words = words_of(kind, &info);
    plan->entry.kind = (uint8_t)kind;
    plan->entry.values = (uint8_t)info.result_values;
    plan->entry.joins_state = kind == WF_MESSAGE_STATE;
    describe_numbers(&plan->entry, kind == WF_MESSAGE_MEAN ? spec->type : info.result_type);
    return status;
}

/* A description's numbers have 64 bits. */
static wf_status plan_description(const wf_field *field, wf_message_plan *plan) {
    const wf_describe_spec spec = {.type = field->spec.type, .nan = field->spec.nan};
    wf_status status = wf_reduce_plan_of_description(&spec, &plan->fold);
    if (status != WF_OK)
        return status;
    const wf_kind kind = wf_kind_of(spec.type);
    plan->entry.op = WF_SUM; /* the caller's op is ignored */
    plan->words = words_of(WF_MESSAGE_DESCRIPTION, NULL);
    plan->entry.kind = WF_MESSAGE_DESCRIPTION;
    describe_numbers(&plan->entry, kind == WF_KIND_FLOAT ? WF_F64 : kind == WF_KIND_SIGNED ? WF_I64 : WF_U64);
    if (kind != WF_KIND_FLOAT)
        return WF_OK;
    plan->words.sums = WF_STATE_WORDS;
    plan->entry.joins_state = 1;
    status = wf_reduce_plan_of_state(&(wf_reduce_spec){.type = spec.type, .op = WF_SUM}, WF_EXACT_STATE, &plan->state);
    plan->state.spec.nan = spec.nan;
    return status;
}

wf_status wf_message_name_field(wf_status status, size_t i, size_t n) {
    if (status == WF_OK || n == 1)
        return status;
    char reason[512];
    snprintf(reason, sizeof reason, "%s", wf_last_error());
    return wf_fail(status, "field %zu of %zu: %s", i, n, reason);
}

wf_status wf_message_plan_of(const wf_field *fields, size_t i, size_t n, wf_message_plan *plan) {
    const wf_field *const field = &fields[i];
    const wf_status status =
        wf_check_reserved("fields", field->reserved, sizeof field->reserved / sizeof *field->reserved);
    if (status != WF_OK)
        return wf_message_name_field(status, i, n);
    *plan = (wf_message_plan){.entry = {.op = (uint8_t)field->spec.op,
                                        .ignores_nan = field->spec.nan == WF_NAN_IGNORE,
                                        .has_first = field->has_first != 0,
                                        .count = field->count,
                                        .first = field->has_first != 0 ? field->first : 0,
                                        .result = field->result}};
    return wf_message_name_field(
        field->describes != 0 ? plan_description(field, plan) : plan_reduction(&field->spec, plan), i, n);
}

size_t wf_message_result_bytes(const wf_message_entry *entry) {
    switch ((wf_message_kind)entry->kind) {
    case WF_MESSAGE_MEAN:
        return sizeof(double);
    case WF_MESSAGE_PLACE:
        return 2 * sizeof(uint64_t);
    case WF_MESSAGE_DESCRIPTION:
        return sizeof(wf_description);
    case WF_MESSAGE_STATE:
    case WF_MESSAGE_SUM:
    case WF_MESSAGE_BITS:
    case WF_MESSAGE_EXTREME:
    case WF_MESSAGE_VALUE:
    case WF_MESSAGE_WEIGHTED:
    case WF_MESSAGE_ORDERED:
        break;
    }
    return (size_t)entry->values * entry->bytes;
}

size_t wf_message_result_alignment(const wf_message_entry *entry) {
    const bool has_words =
        entry->kind == WF_MESSAGE_MEAN || entry->kind == WF_MESSAGE_PLACE || entry->kind == WF_MESSAGE_DESCRIPTION;
    return has_words ? sizeof(uint64_t) : entry->bytes;
}

void wf_message_place(wf_message_plan *plan, wf_message_size *at) {
    plan->entry.sums = (uint32_t)at->sums;
    plan->entry.maxima = (uint32_t)at->maxima;
    plan->entry.record = (uint32_t)at->records;
    at->sums += plan->words.sums;
    at->maxima += plan->words.maxima;
    at->records += plan->words.records;
}

/* ---- All fields ---- */

/* FNV-1a. */
static uint64_t mix(uint64_t hash, uint64_t number) {
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (number >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

/* Hashes the properties that fix how a field's words are joined and read. */
static uint64_t mix_field(uint64_t hash, const wf_field *field, const wf_message_plan *plan) {
    const uint64_t numbers[] = {
        plan->entry.kind,      field->spec.type,   plan->entry.op,    plan->entry.ignores_nan,
        plan->entry.has_first, plan->entry.number, plan->entry.bytes, (uint64_t)plan->fold.accumulator};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = mix(hash, numbers[i]);
    return hash;
}

wf_status wf_message_measure(const wf_field *fields, size_t n, wf_message_size *size, uint32_t *request) {
    if (fields == NULL && n != 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'fields' must not be NULL");
    wf_message_size at = {.sums = WF_MESSAGE_CHECK_WORDS};
    uint64_t hash = mix(mix(UINT64_C(0xcbf29ce484222325), WF_MESSAGE_WORDS_VERSION), n);
    for (size_t i = 0; i < n; i++) {
        wf_message_plan plan;
        const wf_status status = wf_message_plan_of(fields, i, n, &plan);
        if (status != WF_OK)
            return status;
        wf_message_place(&plan, &at);
        hash = mix_field(hash, &fields[i], &plan);
    }
    if (at.sums + at.maxima + at.records > INT32_MAX)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "%zu fields make a message of %zu words, more than 2^31 - 1: use several messages", n,
                       at.sums + at.maxima + at.records);
    *size = at;
    *request = (uint32_t)((hash ^ hash >> 20 ^ hash >> 40) & 0xfffff);
    return WF_OK;
}

wf_status wf_message_check_alignment(const char *name, const uint64_t *words) {
    if ((uintptr_t)words % sizeof *words == 0)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'%s' must be aligned to %zu bytes", name, sizeof *words);
}
