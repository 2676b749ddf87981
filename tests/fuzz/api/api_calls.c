/* The calls of a session. Each picks its arguments, some of them wrong, knows what must come of them, calls, and looks
 * whether it did. */
#include "api_model.h"
#include "gpu_streams.h"

#include "numbers.h"
#include "result_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <wavefold_sum.h>
#include <wavefold_tune.h>

enum { UNTOUCHED = 0xc3, ROOM = 64 };

/* ---- Data ---- */

static wf_type pick_type(session *s) {
    return (wf_type)(pick_rarely(s) ? pick(s, 3) * 77 + WF_TYPE_COUNT : pick(s, WF_TYPE_COUNT));
}

static size_t pick_count(session *s) {
    const uint64_t kind = pick(s, 400);
    return kind == 0 ? pick(s, s->most_elements) : kind < 12 ? pick(s, 5000) : pick(s, kind < 120 ? 9 : 200);
}

static void fill(session *s, wf_type type, void *to, size_t bytes) {
    const size_t number = wf_type_size(type), count = bytes / number;
    const uint64_t kind = pick(s, 6);
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 65504.0, 1e-40, -1e-7, 3.4e38, 1e308, -1e308};
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t bits = pick_bits(s);
        memcpy((char *)to + i, &bits, bytes - i < 8 ? bytes - i : 8);
    }
    if (kind < 2 || (uintptr_t)to % number != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = pick_bits(s);
        if (!number_is_float(type))
            number_put_integer(type, to, i, kind == 2 ? bits % 17 - 8 : kind == 3 ? bits : bits % 3);
        else
            number_put_float(type, to, i,
                             kind == 2   ? (double)(bits % 17) - 8
                             : kind == 3 ? (double)(int64_t)bits * 0x1p-63
                             : kind == 4 ? special[bits % (sizeof special / sizeof *special)]
                                         : 0.0 - (double)(bits % 2));
    }
}

/* Elements for a call: in the program's own memory, or in a part of a block. */
typedef struct source {
    const void *in;
    const unsigned char *elements; /* what is there */
    size_t count;
    void *own;
} source;

static block *pick_block(session *s, size_t least) {
    block *found = &s->blocks[pick(s, BLOCKS)];
    return found->there != NULL && found->bytes >= least ? found : NULL;
}

/* alignment: of device memory; of the host's too, if strict. */
static source pick_source(session *s, wf_type type, size_t element, size_t alignment, bool on_device) {
    source of = {.count = pick_count(s)};
    const block *from = pick_block(s, 1);
    if (from != NULL && (on_device || pick(s, 2) == 0)) {
        const size_t offset = pick(s, from->bytes) / alignment * alignment, there = (from->bytes - offset) / element;
        of.count = of.count < there ? of.count : there;
        of.in = from->there + offset;
        of.elements = from->shadow + offset;
        return of;
    }
    if (on_device) {
        of.count = 0;
        return of;
    }
    const size_t bytes = of.count * element, offset = pick(s, 4) == 0 ? pick(s, 32) / alignment * alignment : 0;
    of.own = malloc(bytes + offset + 1);
    if (of.own == NULL)
        abort();
    fill(s, type, (char *)of.own + offset, bytes);
    of.in = of.elements = (unsigned char *)of.own + offset;
    return of;
}

static wf_type known(wf_type type) {
    return (unsigned)type < WF_TYPE_COUNT ? type : WF_F32;
}

static wf_reduce_spec pick_reduction(session *s) {
    wf_reduce_spec spec = {.type = pick_type(s), .op = (wf_op)pick(s, WF_OP_COUNT)};
    if (pick_rarely(s))
        spec.op = (wf_op)(WF_OP_COUNT + pick(s, 3) * 1000);
    if (pick(s, 4) == 0)
        spec.accumulator = (wf_accumulator)pick(s, pick_rarely(s) ? 9 : 7);
    if (pick(s, 4) == 0)
        spec.nan = (wf_nan)pick(s, pick_rarely(s) ? 3 : 2);
    if (pick(s, 2) == 0)
        spec.accuracy = (wf_accuracy)pick(s, pick_rarely(s) ? 4 : 3);
    return spec;
}

static void say_reduction(session *s, const char *call, const wf_reduce_spec *spec, const source *from) {
    say(s, "%s type %d op %d accumulator %d nan %d accuracy %d, %zu elements %s", call, (int)spec->type, (int)spec->op,
        (int)spec->accumulator, (int)spec->nan, (int)spec->accuracy, from->count,
        from->own != NULL ? "of the host" : "of a block");
}

/* What a wrong argument of a call on an array makes of it. */
typedef struct array_call {
    wf_context *context;
    const void *in;
    size_t count;
    void *result;
    bool without_spec;
    unsigned allowed;
} array_call;

static array_call pick_wrong(session *s, const source *from, void *result, size_t element, unsigned allowed) {
    array_call call = {s->context, from->in, from->count, result, false, allowed};
    const unsigned invalid = MAY_BE_INVALID | (allowed & MAY_BE_UNSUPPORTED);
    if (!pick_rarely(s))
        return call;
    switch (pick(s, 5)) {
    case 0:
        call.context = NULL;
        break;
    case 1:
        call.without_spec = true;
        break;
    case 2:
        call.result = NULL;
        break;
    case 3:
        call.count = SIZE_MAX / 2 / element + 1 + pick(s, 1000);
        break;
    default:
        call.in = NULL;
        call.count += call.count == 0;
    }
    call.allowed = invalid;
    say(s, ", wrong: context %d what %d in %d count %zu result %d", call.context != NULL, !call.without_spec,
        call.in != NULL, call.count, call.result != NULL);
    return call;
}

static void must_be_untouched(session *s, const unsigned char *result, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (result[i] != UNTOUCHED)
            session_fails(s, "the call wrote byte %zu of what it was not to change", i);
}

/* Brings a block's bytes from begin on to the shadow; all others must be as they were. */
static void refresh(session *s, const block *of, size_t begin, size_t bytes) {
    unsigned char *now = malloc(of->bytes);
    if (now == NULL)
        abort();
    gave(s, wf_copy_to_host(s->context, now, of->there, of->bytes), MAY_SUCCEED);
    if (memcmp(now, of->shadow, begin) != 0 ||
        memcmp(now + begin + bytes, of->shadow + begin + bytes, of->bytes - begin - bytes) != 0)
        session_fails(s, "a call wrote outside of bytes %zu to %zu of a block of %zu", begin, begin + bytes, of->bytes);
    memcpy(of->shadow + begin, now + begin, bytes);
    free(now);
}

/* ---- Memory ---- */

static void call_malloc(session *s) {
    block *at = &s->blocks[pick(s, BLOCKS)];
    if (at->there != NULL) {
        say(s, "wf_free");
        wf_free(s->context, at->there);
        free(at->shadow);
        *at = (block){.bytes = 0};
    }
    const uint64_t kind = pick(s, 60);
    size_t bytes = kind == 0 ? s->most_elements * 4 : 1 + pick(s, kind < 50 ? 4096 : 65536);
    void *memory = s;
    say(s, " wf_malloc of %zu, %d", bytes, (int)kind);
    if (kind == 1 || kind == 2) {
        gave(s, wf_malloc(kind == 1 ? NULL : s->context, kind == 1 ? &memory : NULL, bytes), MAY_BE_INVALID);
    } else if (kind == 3) {
        gave(s, wf_malloc(s->context, &memory, SIZE_MAX / 4 + pick(s, SIZE_MAX / 2)), MAY_LACK_MEMORY);
    } else if (kind == 4) {
        gave(s, wf_malloc(s->context, &memory, 0), MAY_SUCCEED);
        wf_free(s->context, memory);
        return;
    }
    if (kind >= 1 && kind <= 3) {
        if (memory != s)
            session_fails(s, "wf_malloc failed and changed what it was given");
        return;
    }
    gave(s, wf_malloc(s->context, &memory, bytes), MAY_SUCCEED);
    if ((uintptr_t)memory % 256 != 0)
        session_fails(s, "device memory is not aligned to 256 bytes");
    *at = (block){.there = memory, .shadow = malloc(bytes), .bytes = bytes};
    if (at->shadow == NULL)
        abort();
    fill(s, known(pick_type(s)), at->shadow, bytes);
    gave(s, wf_copy_to_device(s->context, memory, at->shadow, bytes), MAY_SUCCEED);
}

static void call_copy(session *s) {
    const block *of = pick_block(s, 1);
    if (of == NULL)
        return;
    const size_t begin = pick(s, of->bytes), bytes = pick(s, of->bytes - begin + 1);
    unsigned char *host = malloc(bytes + 1);
    if (host == NULL)
        abort();
    const uint64_t kind = pick(s, 40);
    const bool reads = pick(s, 2) == 0;
    say(s, "wf_copy_to_%s of %zu bytes at %zu of %zu, %d", reads ? "host" : "device", bytes, begin, of->bytes,
        (int)kind);
    wf_context *const context = kind == 0 ? NULL : s->context;
    void *const there = kind == 1 ? NULL : of->there + begin, *const here = kind == 2 ? NULL : host;
    const unsigned allowed = kind == 0 || (kind < 3 && bytes != 0) ? MAY_BE_INVALID : MAY_SUCCEED;
    memset(host, UNTOUCHED, bytes + 1);
    if (reads) {
        if (gave(s, wf_copy_to_host(context, here, there, bytes), allowed)) {
            if (memcmp(host, of->shadow + begin, bytes) != 0)
                session_fails(s, "a copy of a block is not what was there");
        } else {
            must_be_untouched(s, host, bytes);
        }
    } else {
        fill(s, known(pick_type(s)), host, bytes);
        if (gave(s, wf_copy_to_device(context, there, here, bytes), allowed))
            memcpy(of->shadow + begin, host, bytes);
    }
    free(host);
}

/* ---- Reductions and descriptions ---- */

static void call_reduce(session *s) {
    const wf_reduce_spec spec = pick_reduction(s);
    const unsigned of_table = allowed_of_reduction(&spec);
    const wf_reduction_info info = of_table == MAY_SUCCEED ? info_of(&spec) : (wf_reduction_info){.element_bytes = 8};
    const bool is_ordered = spec.op == WF_MATMUL || spec.op == WF_AFFINE;
    const source from = pick_source(s, known(spec.type), info.element_bytes,
                                    is_ordered && of_table == MAY_SUCCEED ? wf_type_size(spec.type) : 1, false);
    unsigned char room[ROOM + 8], *const result = room + pick(s, 8);
    memset(room, UNTOUCHED, sizeof room);
    say_reduction(s, "wf_reduce", &spec, &from);
    array_call call = pick_wrong(s, &from, result, info.element_bytes, of_table);
    if (is_ordered && of_table == MAY_SUCCEED && call.allowed == MAY_SUCCEED && call.count != 0 && pick_rarely(s)) {
        call.in = (const char *)call.in + 1; /* not aligned; what lies there is not read */
        call.allowed = MAY_BE_INVALID;
        say(s, ", not aligned");
    }
    if (gave(s,
             wf_reduce(call.context, call.without_spec ? NULL : &spec, call.in, call.count, call.result,
                       bytes_of_result(call.without_spec ? NULL : &spec)),
             call.allowed)) {
        check_reduction(s, &spec, from.elements, from.count, result);
        must_be_untouched(s, result + info.result_bytes, (size_t)(room + sizeof room - result) - info.result_bytes);
        s->answered++;
    } else {
        must_be_untouched(s, room, sizeof room);
    }
    free(from.own);
}

static void call_describe(session *s) {
    const wf_describe_spec spec = {.type = pick_type(s), .nan = (wf_nan)pick(s, pick_rarely(s) ? 3 : 2)};
    const size_t element = wf_type_size(known(spec.type));
    const source from = pick_source(s, known(spec.type), element, 1, false);
    union {
        wf_description description;
        unsigned char bytes[sizeof(wf_description)];
    } got;
    memset(got.bytes, UNTOUCHED, sizeof got.bytes);
    say(s, "wf_describe type %d nan %d, %zu elements", (int)spec.type, (int)spec.nan, from.count);
    const array_call call = pick_wrong(s, &from, &got, element, allowed_of_description(&spec));
    if (gave(s, wf_describe(call.context, call.without_spec ? NULL : &spec, call.in, call.count, call.result),
             call.allowed)) {
        check_description(s, &spec, from.elements, from.count, &got.description);
        s->answered++;
    } else {
        must_be_untouched(s, got.bytes, sizeof got.bytes);
    }
    free(from.own);
}

/* Several reductions on several streams, whose results are looked at when all are done. */
typedef struct queued {
    wf_reduce_spec spec;
    wf_describe_spec description;
    bool describes;
    source from;
    size_t at; /* in the block of results */
} queued;

static void queue_one(session *s, queued *one, const block *results, size_t at) {
    void *const stream = s->streams[pick(s, s->stream_count)], *const result = results->there + at;
    *one = (queued){.describes = pick(s, 4) == 0, .at = at};
    do
        one->spec = pick_reduction(s);
    while (allowed_of_reduction(&one->spec) != MAY_SUCCEED);
    one->description = (wf_describe_spec){.type = one->spec.type, .nan = one->spec.nan};
    const size_t number = wf_type_size(one->spec.type);
    const size_t element = one->describes ? number : info_of(&one->spec).element_bytes;
    const size_t alignment = one->spec.op == WF_MATMUL || one->spec.op == WF_AFFINE ? number : 1;
    do /* the results' own block changes meanwhile */
        one->from = pick_source(s, one->spec.type, element, alignment, true);
    while (one->from.elements != NULL && one->from.elements >= results->shadow &&
           one->from.elements < results->shadow + results->bytes);
    say_reduction(s, one->describes ? " wf_describe_async" : " wf_reduce_async", &one->spec, &one->from);
    const bool is_off = pick_rarely(s), has_wrong_stream = s->is_host && pick_rarely(s);
    const size_t result_number = one->describes ? 8 : wf_type_size(info_of(&one->spec).result_type);
    const bool misaligns = is_off && result_number > 1;
    const unsigned allowed = misaligns || has_wrong_stream ? MAY_BE_INVALID : MAY_SUCCEED;
    void *const there = (char *)result + misaligns, *const on = has_wrong_stream ? (void *)s : stream;
    const wf_status status =
        one->describes ? wf_describe_async(s->context, &one->description, one->from.in, one->from.count, there, on)
                       : wf_reduce_async(s->context, &one->spec, one->from.in, one->from.count, there,
                                         bytes_of_result(&one->spec), on);
    if (!gave(s, status, allowed))
        one->at = SIZE_MAX;
}

static void call_async(session *s) {
    enum { MOST = 6 };
    const block *results = pick_block(s, MOST * ROOM);
    if (results == NULL)
        return;
    queued all[MOST];
    const size_t count = 1 + pick(s, MOST);
    for (size_t i = 0; i < count; i++)
        queue_one(s, &all[i], results, i * ROOM);
    for (size_t i = 1; i < s->stream_count; i++)
        gpu_stream_finish(s->streams[i]);
    refresh(s, results, 0, count * ROOM);
    for (size_t i = 0; i < count; i++) {
        const queued *one = &all[i];
        if (one->at == SIZE_MAX)
            continue;
        if (one->describes) {
            wf_description got;
            memcpy(&got, results->shadow + one->at, sizeof got);
            check_description(s, &one->description, one->from.elements, one->from.count, &got);
        } else {
            check_reduction(s, &one->spec, one->from.elements, one->from.count, results->shadow + one->at);
        }
        s->answered++;
    }
}

/* ---- Scans and sorts ---- */

/* A part of a block for count elements; false: it is too small. */
typedef struct part {
    const block *of;
    size_t begin, bytes;
} part;

static bool pick_part(session *s, size_t element, size_t alignment, size_t count, part *found) {
    found->of = pick_block(s, 1);
    if (found->of == NULL || found->of->bytes / element < count)
        return false;
    found->bytes = count * element;
    found->begin = pick(s, found->of->bytes - found->bytes + 1) / alignment * alignment;
    return true;
}

static bool overlaps(const part *a, const part *b) {
    return a->of == b->of && a->begin < b->begin + b->bytes && b->begin < a->begin + a->bytes;
}

static void finish(session *s, void *stream) {
    if (stream != NULL)
        gpu_stream_finish(stream);
    (void)s;
}

static void call_scan(session *s) {
    const wf_scan_spec spec = {
        .reduce = {.type = pick_type(s), .op = (wf_op)pick(s, pick_rarely(s) ? 99 : WF_OP_COUNT)},
        .exclusive = (uint32_t)pick(s, 2)};
    const unsigned of_table = allowed_of_scan(&spec);
    const wf_type type = spec.reduce.type;
    const wf_op op = spec.reduce.op;
    wf_reduce_spec fast = spec.reduce;
    fast.accuracy = WF_ACCURACY_FAST;
    wf_reduction_info info = {.element_bytes = 8, .result_bytes = 8};
    if (of_table == MAY_SUCCEED)
        info = info_of(&fast);
    const size_t element = info.element_bytes, number = of_table == MAY_SUCCEED ? wf_type_size(type) : 8;
    const size_t count = pick_count(s),
                 result_number = info.has_index != 0 || info.result_bytes > 8 ? 8 : info.result_bytes;
    part in, out;
    if (!pick_part(s, element, number, count, &in) || !pick_part(s, info.result_bytes, result_number, count, &out))
        return;
    if (pick(s, 4) == 0 && element == info.result_bytes)
        out = in;
    const bool is_same = in.of == out.of && in.begin == out.begin && element == info.result_bytes;
    const bool is_wrong = count != 0 && !is_same && overlaps(&in, &out),
               is_off = count != 0 && pick_rarely(s) && (number > 1 || result_number > 1);
    const unsigned invalid = MAY_BE_INVALID | (of_table & MAY_BE_UNSUPPORTED);
    void *const stream = s->streams[pick(s, s->stream_count)];
    say(s, "wf_scan type %d op %d exclusive %u, %zu elements at %zu to %zu of %s block%s", (int)type, (int)op,
        spec.exclusive, count, in.begin, out.begin, in.of == out.of ? "the same" : "another", is_off ? ", off" : "");
    const unsigned char *source_at = in.of->there + in.begin + is_off;
    unsigned char *result = out.of->there + out.begin + is_off;
    const bool queues = pick(s, 2) == 0;
    const wf_status status = queues ? wf_scan_async(s->context, &spec, source_at, count, result, stream)
                                    : wf_scan(s->context, &spec, source_at, count, result);
    if (queues)
        finish(s, stream);
    unsigned char *before = malloc(in.bytes + 1);
    if (before == NULL)
        abort();
    memcpy(before, in.of->shadow + in.begin, in.bytes);
    const bool is_done = gave(s, status, is_wrong || is_off ? invalid : of_table);
    refresh(s, out.of, out.begin, is_done ? out.bytes : 0);
    if (is_done)
        check_scan(s, &spec, before, count, out.of->shadow + out.begin);
    s->answered += is_done;
    free(before);
}

static void call_sort(session *s) {
    static const uint32_t value_sizes[] = {0, 4, 8, 1, 2, 16};
    const uint32_t value_bytes = pick_rarely(s) ? (uint32_t)pick(s, 20) : value_sizes[pick(s, 6)];
    const wf_sort_spec spec = {.type = pick_type(s),
                               .descending = (uint32_t)pick(s, 2),
                               .value_bytes = value_bytes,
                               .flags = pick(s, 4) == 0 ? WF_SORT_IN_PLACE : 0};
    const unsigned of_table = allowed_of_sort(&spec);
    const bool is_sorted = of_table == MAY_SUCCEED, has_values = is_sorted && value_bytes != 0;
    const size_t number = is_sorted ? wf_type_size(spec.type) : 8, count = pick_count(s);
    part keys, values;
    if (!pick_part(s, number, number, count, &keys) ||
        !pick_part(s, has_values ? value_bytes : 8, has_values ? value_bytes : 8, count, &values))
        return;
    const bool is_wrong = has_values && count != 0 && overlaps(&keys, &values);
    const bool lacks = !is_wrong && count != 0 && pick_rarely(s); /* keys, or values that there should be */
    void *const stream = s->streams[pick(s, s->stream_count)];
    say(s, "wf_sort type %d descending %u values of %u flags %u, %zu keys at %zu, %zu%s", (int)spec.type,
        spec.descending, value_bytes, spec.flags, count, keys.begin, values.begin, lacks ? ", without them" : "");
    const bool queues = pick(s, 2) == 0;
    void *const with = value_bytes != 0 && !(lacks && has_values) ? values.of->there + values.begin : NULL;
    void *const sorted = lacks && !has_values ? NULL : keys.of->there + keys.begin;
    unsigned char *old_keys = malloc(keys.bytes + 1), *old_values = malloc(values.bytes + 1);
    if (old_keys == NULL || old_values == NULL)
        abort();
    memcpy(old_keys, keys.of->shadow + keys.begin, keys.bytes);
    memcpy(old_values, values.of->shadow + values.begin, values.bytes);
    const wf_status status = queues ? wf_sort_async(s->context, &spec, sorted, with, count, stream)
                                    : wf_sort(s->context, &spec, sorted, with, count);
    if (queues)
        finish(s, stream);
    const bool is_done =
        gave(s, status, is_wrong || lacks ? MAY_BE_INVALID | (of_table & MAY_BE_UNSUPPORTED) : of_table);
    if (is_done && has_values && values.of == keys.of) { /* both parts of one block change at once */
        const size_t begin = keys.begin < values.begin ? keys.begin : values.begin;
        const size_t keys_end = keys.begin + keys.bytes, values_end = values.begin + values.bytes;
        refresh(s, keys.of, begin, (keys_end > values_end ? keys_end : values_end) - begin);
    } else {
        refresh(s, keys.of, keys.begin, is_done ? keys.bytes : 0);
        if (has_values)
            refresh(s, values.of, values.begin, is_done ? values.bytes : 0);
    }
    if (is_done)
        check_sort(s, &spec, count, old_keys, keys.of->shadow + keys.begin, old_values,
                   values.of->shadow + values.begin);
    s->answered += is_done;
    free(old_keys);
    free(old_values);
}

/* ---- States of sums ---- */

static void check_state(session *s, const summed *of) {
    static _Thread_local big_sum sum;
    sum = of->terms;
    big_sum_finish(&sum);
    static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};
    const wf_type type = types[pick(s, 4)];
    const bool averages = pick(s, 2) == 0;
    uint64_t got = 0;
    gave(s, wf_sum_state_round(&of->state, averages ? WF_MEAN : WF_SUM, type, &got, wf_type_size(type)), MAY_SUCCEED);
    const uint64_t wanted = big_sum_rounded(&sum, averages, type);
    if (got != wanted)
        session_fails(s, "a state's %s as %s is %#llx, and must be %#llx", averages ? "mean" : "sum",
                      wf_type_name(type), (unsigned long long)got, (unsigned long long)wanted);
    s->answered++;
}

static void accumulate(session *s, summed *into) {
    const wf_reduce_spec spec = pick_reduction(s);
    const wf_type type = known(spec.type);
    const bool is_known = (unsigned)spec.type < WF_TYPE_COUNT && (unsigned)spec.op < WF_OP_COUNT;
    const wf_reduce_spec exact = {.type = type, .op = is_known ? spec.op : WF_MAX, .accuracy = WF_ACCURACY_EXACT};
    const bool has_state = is_known && number_is_float(type) && is_exact_sum(&exact);
    const bool is_plain = has_state && spec.nan == WF_NAN_PROPAGATE;
    const source from = pick_source(s, type, wf_type_size(type), 1, false);
    say_reduction(s, "wf_sum_state_accumulate", &spec, &from);
    const wf_sum_state before = into->state;
    const unsigned allowed = is_plain ? MAY_SUCCEED : MAY_BE_UNSUPPORTED | MAY_BE_INVALID;
    if (gave(s, wf_sum_state_accumulate(s->context, &spec, from.in, from.count, &into->state), allowed))
        add_terms(&into->terms, type, spec.op, from.elements, from.count);
    else if (memcmp(&before, &into->state, sizeof before) != 0)
        session_fails(s, "a state has changed though the call failed");
    free(from.own);
}

static void merge(session *s, summed *into, const summed *other) {
    say(s, "wf_sum_state_merge");
    const summed added = *other;       /* which may be the same */
    if (into->terms.count > 1000000) { /* so that merging a state with itself has an end */
        wf_sum_state_init(&into->state);
        into->terms = (big_sum){.count = 0};
    }
    gave(s, wf_sum_state_merge(&into->state, into == other ? &into->state : &added.state), MAY_SUCCEED);
    const big_sum *terms = into == other ? &into->terms : &added.terms;
    const big_sum were = *terms;
    for (int i = 0; i < BIG_BITS; i++)
        into->terms.bit[i] += were.bit[i];
    into->terms.count += were.count;
    into->terms.nans += were.nans;
    into->terms.infinities[0] += were.infinities[0];
    into->terms.infinities[1] += were.infinities[1];
    into->terms.others = into->terms.others || were.others;
}

/* A state with one of its numbers changed is refused, or another state: nothing else may come of it. */
static void spoil(session *s, const summed *of) {
    union {
        wf_sum_state state;
        uint64_t words[WF_SUM_STATE_BYTES / 8];
    } spoilt = {.state = of->state};
    const size_t word = pick(s, WF_SUM_STATE_BYTES / 8);
    spoilt.words[word] = pick(s, 2) == 0 ? pick_bits(s) : spoilt.words[word] ^ UINT64_C(1) << pick(s, 64);
    say(s, "a state with word %zu %#llx", word, (unsigned long long)spoilt.words[word]);
    unsigned char bytes[WF_SUM_STATE_BYTES];
    double rounded = 7;
    const bool is_state = gave(s, wf_sum_state_round(&spoilt.state, WF_SUM, WF_F64, &rounded, wf_type_size(WF_F64)),
                               MAY_SUCCEED | MAY_BE_INVALID);
    if (!is_state && rounded != 7)
        session_fails(s, "what is no state was rounded");
    gave(s, wf_sum_state_write(&spoilt.state, bytes), is_state ? MAY_SUCCEED : MAY_BE_INVALID);
    gave(s, wf_sum_state_normalise(&spoilt.state), is_state ? MAY_SUCCEED : MAY_BE_INVALID);
    gave(s, wf_sum_state_round(NULL, WF_SUM, WF_F64, &rounded, wf_type_size(WF_F64)), MAY_BE_INVALID);
    gave(s, wf_sum_state_round(&of->state, WF_MAX, WF_F64, &rounded, wf_type_size(WF_F64)), MAY_BE_INVALID);
    gave(s, wf_sum_state_round(&of->state, WF_SUM, WF_I32, &rounded, wf_type_size(WF_I32)), MAY_BE_INVALID);
}

static void carry_over(session *s, summed *of) {
    unsigned char bytes[WF_SUM_STATE_BYTES];
    say(s, "wf_sum_state_write, _read");
    gave(s, wf_sum_state_write(&of->state, bytes), MAY_SUCCEED);
    gave(s, wf_sum_state_read(&of->state, bytes), MAY_SUCCEED);
}

static void call_state(session *s) {
    summed *of = &s->sums[pick(s, STATES)];
    switch (pick(s, 8)) {
    case 0:
        merge(s, of, &s->sums[pick(s, STATES)]);
        break;
    case 1:
        carry_over(s, of);
        break;
    case 2:
        spoil(s, of);
        break;
    case 3:
        say(s, "wf_sum_state_init");
        wf_sum_state_init(&of->state);
        of->terms = (big_sum){.count = 0};
        break;
    default:
        accumulate(s, of);
    }
    check_state(s, of);
}

/* ---- Messages ---- */

enum { RANKS = 3, FIELDS = 3 };

typedef struct spread {
    wf_field fields[FIELDS];
    size_t n, ranks;
    size_t element[FIELDS];
    unsigned char *data[FIELDS]; /* all ranks' parts of a field */
    size_t begin[FIELDS][RANKS + 1];
    uint64_t results[FIELDS][8];
} spread;

static void pick_spread(session *s, spread *of) {
    *of = (spread){.n = 1 + pick(s, FIELDS), .ranks = 1 + pick(s, RANKS)};
    for (size_t f = 0; f < of->n; f++) {
        wf_reduce_spec spec;
        do
            spec = pick_reduction(s);
        while (allowed_of_reduction(&spec) != MAY_SUCCEED);
        of->fields[f] =
            with_result_bytes((wf_field){.spec = spec, .describes = pick(s, 4) == 0, .result = of->results[f]});
        of->element[f] = of->fields[f].describes != 0 ? wf_type_size(spec.type) : info_of(&spec).element_bytes;
        for (size_t r = 0; r < of->ranks; r++)
            of->begin[f][r + 1] = of->begin[f][r] + pick(s, 50);
        const size_t bytes = of->begin[f][of->ranks] * of->element[f];
        of->data[f] = malloc(bytes + 1);
        if (of->data[f] == NULL)
            abort();
        fill(s, spec.type, of->data[f], bytes);
    }
}

/* The rank's message of the elements of its parts, or of their first or second half. */
static void write_part(session *s, const spread *of, size_t rank, int half, uint64_t *message) {
    wf_field fields[FIELDS];
    for (size_t f = 0; f < of->n; f++) {
        const size_t begin = of->begin[f][rank], count = of->begin[f][rank + 1] - begin;
        fields[f] = of->fields[f];
        fields[f].in = of->data[f] + (begin + (half == 2 ? count / 2 : 0)) * of->element[f];
        fields[f].count = half == 0 ? count : half == 1 ? count / 2 : count - count / 2;
    }
    const bool queues = half == 0 && s->is_host && pick(s, 4) == 0;
    gave(s,
         queues ? wf_message_write_async(s->context, fields, of->n, message, NULL)
                : wf_message_write(s->context, fields, of->n, message),
         MAY_SUCCEED);
}

static void check_fields(session *s, const spread *of) {
    for (size_t f = 0; f < of->n; f++) {
        const wf_field *field = &of->fields[f];
        const wf_describe_spec description = {.type = field->spec.type, .nan = field->spec.nan};
        wf_description got;
        memcpy(&got, of->results[f], sizeof got);
        if (field->describes != 0)
            check_description(s, &description, of->data[f], of->begin[f][of->ranks], &got);
        else
            check_reduction(s, &field->spec, of->data[f], of->begin[f][of->ranks], of->results[f]);
        s->answered++;
    }
}

static void call_message(session *s) {
    spread of;
    pick_spread(s, &of);
    for (size_t f = 0; f < of.n; f++)
        say(s, " field type %d op %d accumulator %d nan %d accuracy %d describes %u of %zu",
            (int)of.fields[f].spec.type, (int)of.fields[f].spec.op, (int)of.fields[f].spec.accumulator,
            (int)of.fields[f].spec.nan, (int)of.fields[f].spec.accuracy, of.fields[f].describes, of.begin[f][of.ranks]);
    wf_message_size size;
    gave(s, wf_message_get_size(of.fields, of.n, &size), MAY_SUCCEED);
    const size_t joined = size.sums + size.maxima, words = joined + size.records;
    uint64_t *message = calloc(words, 8), *other = calloc(words, 8), *all = calloc(joined, 8);
    uint64_t *records = calloc(size.records * of.ranks + 1, 8);
    if (message == NULL || other == NULL || all == NULL || records == NULL)
        abort();
    for (size_t rank = 0; rank < of.ranks; rank++) {
        if (pick(s, 3) == 0) {
            write_part(s, &of, rank, 1, message);
            write_part(s, &of, rank, 2, other);
            say(s, " append");
            gave(s, wf_message_append(of.fields, of.n, message, other), MAY_SUCCEED);
        } else {
            write_part(s, &of, rank, 0, message);
        }
        for (size_t w = 0; w < joined; w++)
            all[w] = w < size.sums ? all[w] + message[w] : message[w] > all[w] ? message[w] : all[w];
        memcpy(records + rank * size.records, message + joined, size.records * 8);
    }
    say(s, " %zu ranks", of.ranks);
    if (pick_rarely(s)) { /* the check must tell */
        all[0] += UINT64_C(1) << pick(s, 64);
        gave(s, wf_message_read(of.fields, of.n, of.ranks, all, records), MAY_BE_INVALID);
    } else {
        gave(s, wf_message_read(of.fields, of.n, of.ranks, all, records), MAY_SUCCEED);
        check_fields(s, &of);
    }
    for (size_t f = 0; f < of.n; f++)
        free(of.data[f]);
    free(message);
    free(other);
    free(all);
    free(records);
}

/* ---- The rest ---- */

static void call_info(session *s) {
    const wf_reduce_spec spec = pick_reduction(s);
    const unsigned allowed = allowed_of_reduction(&spec);
    wf_reduction_info got;
    say(s, "wf_reduction_get_info");
    if (!gave(s, wf_reduction_get_info(&spec, &got), allowed))
        return;
    const wf_reduction_info wanted = info_of(&spec);
    if (memcmp(&got, &wanted, sizeof got) != 0)
        session_fails(s,
                      "type %d op %d accumulator %d accuracy %d is told another way: result type %d, %u bytes, "
                      "accuracy %d",
                      (int)spec.type, (int)spec.op, (int)spec.accumulator, (int)spec.accuracy, (int)got.result_type,
                      got.result_bytes, (int)got.accuracy);
    s->answered++;
}

static void call_odd(session *s) {
    static const char *const names[] = {
        "hots", "", ":", "host:65", "host:64:sideways", "nvidia:99", "host:64:random=x"};
    wf_context *none = NULL;
    wf_device_info device;
    wf_tuning_info tuning;
    switch (pick(s, 7)) {
    case 0:
        say(s, "wf_context_create of no device");
        gave(s, wf_context_create(&none, names[pick(s, sizeof names / sizeof *names)]),
             MAY_BE_INVALID | MAY_LACK_DEVICE);
        if (none != NULL)
            session_fails(s, "a context was made of no device");
        break;
    case 1:
        say(s, "wf_context_create without a place for it");
        gave(s, wf_context_create(NULL, s->device), MAY_BE_INVALID);
        break;
    case 2:
        say(s, "wf_context_get_device");
        gave(s, wf_context_get_device(s->context, &device), MAY_SUCCEED);
        gave(s, wf_context_get_device(NULL, &device), MAY_BE_INVALID);
        break;
    case 3:
        say(s, "wf_context_get_tuning");
        gave(s, wf_context_get_tuning(s->context, &tuning), MAY_SUCCEED);
        gave(s, wf_context_get_tuning(s->context, NULL), MAY_BE_INVALID);
        break;
    case 4:
        say(s, "wf_context_forget_stream");
        wf_context_forget_stream(s->context, s->streams[pick(s, s->stream_count)]);
        wf_context_forget_stream(NULL, NULL);
        break;
    case 5:
        say(s, "nothing freed, nothing destroyed");
        wf_free(s->context, NULL);
        wf_free(NULL, NULL);
        wf_context_destroy(NULL);
        wf_sum_state_init(NULL);
        break;
    default:
        say(s, "a message's sentence again");
        (void)wf_reduce(NULL, NULL, NULL, 0, NULL, 0);
        (void)wf_message_fail(WF_ENGINE_ERROR, wf_last_error());
        if (strstr(wf_last_error(), "'context' must not be NULL") == NULL)
            session_fails(s, "a sentence that was handed back has become '%s'", wf_last_error());
    }
}

static void call_anew(session *s) {
    say(s, "wf_context_destroy, wf_context_create");
    session_close(s);
    session_open(s);
}

/* How often each is called, of a hundred times; NULL: seldom, all anew. */
typedef struct weighted {
    void (*call)(session *s);
    unsigned weight;
} weighted;

void session_step(session *s) {
    static const weighted of_owner[] = {{call_malloc, 8},  {call_copy, 8}, {call_reduce, 26}, {call_describe, 8},
                                        {call_async, 8},   {call_scan, 8}, {call_sort, 8},    {call_state, 10},
                                        {call_message, 5}, {call_info, 6}, {call_odd, 4},     {NULL, 1}};
    static const weighted of_guest[] = {{call_reduce, 70}, {call_describe, 30}};
    const weighted *list = s->is_guest ? of_guest : of_owner;
    s->log[s->step % LOGGED][0] = '\0';
    session_begin(s);
    uint64_t at = pick(s, 100);
    for (; at >= list->weight; list++)
        at -= list->weight;
    if (list->call == call_scan && !s->scans)
        call_sort(s);
    else if (list->call != NULL)
        list->call(s);
    else if (!s->is_shared && pick(s, 20) == 0)
        call_anew(s);
    s->step++;
}
