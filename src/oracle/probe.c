#include "probe.h"

#include "generate.h"
#include "hash.h"

/* An integer type of the same width. */
static wf_type as_wide(wf_type type) {
    static const wf_type integers[] = {[1] = WF_U8, [2] = WF_U16, [4] = WF_I32, [8] = WF_I64};
    return integers[wf_type_size(type)];
}

size_t probes_for(const fold *data, uint64_t seed, uint64_t count, probe probes[MOST_PROBES]) {
    wf_op op = data->spec.op;
    const wf_reduce_spec sum = {.type = as_wide(data->spec.type), .op = op == WF_PRODUCT ? WF_PRODUCT : WF_SUM};
    const wf_reduce_spec ordered = {.type = WF_I32, .op = op};
    const struct {
        bool wanted;
        probe_kind kind;
        wf_reduce_spec spec;
    } all[] = {
        {true, op == WF_PRODUCT ? PROBE_FACTORS : PROBE_WEIGHTS, sum},
        {wf_op_is_ordered(data->spec.op), PROBE_ORDER, ordered},
        {data->info.has_index, PROBE_UNIQUE, data->spec},
        {data->info.has_index, PROBE_TIES, data->spec},
    };
    size_t found = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        probe *next = &probes[found];
        *next = (probe){.kind = all[i].kind, .seed = seed, .count = count};
        found += all[i].wanted && fold_of(&all[i].spec, &next->of) == WF_OK;
        if (found == MOST_PROBES)
            break;
    }
    return found;
}

static uint64_t weight(const probe *made, uint64_t hash) {
    size_t size = wf_type_size(made->of.spec.type);
    uint64_t most = UINT64_MAX >> (64 - 8 * size);
    return size <= 2 ? hash % most + 1 : hash;
}

/* The extremes, and numbers between them; every type holds them. */
enum { LEAST = 1, LARGEST = 100, TIES_APART = 64 };

static uint64_t plain_or_extreme(const probe *made, uint64_t hash, uint64_t index) {
    bool extreme = made->kind == PROBE_UNIQUE ? index == hash_index(made->seed, made->count) % made->count
                                              : (hash >> 32) % TIES_APART == 0;
    if (!extreme)
        return LEAST + 1 + hash % (LARGEST - LEAST - 1);
    return made->of.spec.op == WF_ARGMIN ? LEAST : LARGEST;
}

static value number(const probe *made, uint64_t index, size_t place) {
    wf_type type = made->of.spec.type;
    uint64_t hash = hash_index(made->seed, index);
    if (made->kind == PROBE_WEIGHTS)
        return value_of_bits(type, weight(made, hash));
    if (made->kind == PROBE_FACTORS || made->kind == PROBE_ORDER)
        return value_of_bits(type, without_loss(made->of.spec.op, place, hash));
    hash = plain_or_extreme(made, hash, index);
    return wf_type_is_float(type) ? value_of_double(type, (double)hash) : value_of_bits(type, hash);
}

void probe_fill(const probe *made, uint64_t first, size_t count, void *elements) {
    size_t scalars = wf_facts_of_op(made->of.spec.op).scalars;
    for (size_t i = 0; i < count * scalars; i++)
        value_put(made->of.spec.type, elements, i, number(made, first * scalars + i, i % scalars));
}

const char *probe_meaning(const probe *made) {
    switch (made->kind) {
    case PROBE_ORDER:
        return "not every element is counted exactly once and in its place";
    case PROBE_UNIQUE:
        return "the extreme is not found where it stands";
    case PROBE_TIES:
        return "the first of equal extremes is not found";
    case PROBE_WEIGHTS:
    case PROBE_FACTORS:
        break;
    }
    return "not every element is counted exactly once";
}
