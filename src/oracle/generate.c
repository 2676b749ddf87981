#include "generate.h"

#include "hash.h"

/* True if number `place` of the identity is 1: 1, (1 0; 0 1), 1 x + 0. */
static bool is_one(wf_op op, size_t place) {
    return place == 0 || (op == WF_MATMUL && place == 3);
}

uint64_t without_loss(wf_op op, size_t place, uint64_t number) {
    if (!wf_op_multiplies(op))
        return number;
    if (is_one(op, place))
        return number | 1;
    return op == WF_MATMUL && place == 1 ? number & ~UINT64_C(1) : number;
}

static value make_float(const generator *made, uint64_t index, size_t place) {
    int digits = wf_facts_of_type(made->type).digits; /* so that every number of the range is exact */
    uint64_t bits = hash_index(made->seed, index);
    double step = (double)(UINT64_C(1) << (digits - 1));
    double x = made->random ? (double)(bits >> (64 - digits)) / step - 1 : (double)(index % 16) * 0.01;
    if (wf_op_multiplies(made->op))
        x = is_one(made->op, place) + x / (double)made->count;
    return value_of_double(made->type, x);
}

static value make_integer(const generator *made, uint64_t index, size_t place) {
    uint64_t bits = hash_index(made->seed, index);
    uint64_t number = made->random ? bits >> (64 - 8 * wf_type_size(made->type)) : index % 16;
    return value_of_bits(made->type, without_loss(made->op, place, number));
}

void generate(const generator *made, uint64_t first, size_t count, void *elements) {
    bool is_float = wf_type_is_float(made->type);
    for (size_t i = 0; i < count * made->scalars; i++) {
        uint64_t index = first * made->scalars + i;
        size_t place = i % made->scalars;
        value_put(made->type, elements, i,
                  is_float ? make_float(made, index, place) : make_integer(made, index, place));
    }
}
