/* The results of every reduction, for every way of dividing an array, in messages of up to 64 fields. */
#include "data.h"
#include "hard_floats.h"
#include "numbers.h"
#include "ranks.h"
#include "result_bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wavefold_ladder.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_FIELDS = 64, RESULT_BYTES = sizeof(wf_description), UNTOUCHED = 0xa5 };

static const size_t sizes[] = {0, 1, 2, 3, 5, 7, 8, 9, 31, 64, 257, 1023, 1025, 4099};

/* One field, the whole array of which every rank has. */
typedef struct test_case {
    wf_field field; /* without this rank's part */
    wf_reduction_info info;
    parting how;
    dataset data;
    unsigned char expected[RESULT_BYTES], got[RESULT_BYTES];
} test_case;

typedef struct batch {
    const ranks *of;
    test_case cases[MOST_FIELDS];
    size_t n, number; /* of fields; of the batch */
} batch;

/* ---- What should come of it ---- */

static bool is_ordered(wf_op op) {
    return op == WF_MATMUL || op == WF_AFFINE;
}

static bool is_float_sum(const wf_reduce_spec *spec) {
    const bool is_sum = spec->op == WF_SUM || spec->op == WF_MEAN || spec->op == WF_ASUM || spec->op == WF_SUMSQ;
    return is_sum && number_is_float(spec->type);
}
static bool is_exact_sum(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    return is_float_sum(spec) && info->accuracy == WF_ACCURACY_EXACT;
}

/* The last row of the table in wavefold_message.h. */
static bool rounds_more_than_once(const test_case *one) {
    const wf_reduce_spec *const spec = &one->field.spec;
    if (!number_is_float(spec->type))
        return spec->op == WF_MEAN && wf_type_size(spec->type) == 8;
    return is_float_sum(spec) ? !is_exact_sum(spec, &one->info) : spec->op == WF_PRODUCT || is_ordered(spec->op);
}

static size_t size_of_element(const test_case *one) {
    return one->field.describes ? wf_type_size(one->field.spec.type) : one->info.element_bytes;
}

static bool require(wf_status status) {
    return check(status == WF_OK, "%s: %s", wf_status_name(status), wf_last_error());
}

static void expect(const ranks *of, test_case *one) {
    const wf_reduce_spec *const spec = &one->field.spec;
    memset(one->expected, UNTOUCHED, sizeof one->expected);
    if (one->field.describes)
        require(wf_describe(of->context, &(wf_describe_spec){.type = spec->type, .nan = spec->nan}, one->data.values,
                            one->data.count, (wf_description *)(void *)one->expected));
    else
        require(wf_reduce(of->context, spec, one->data.values, one->data.count, one->expected, bytes_of_result(spec)));
}

/* ---- What came of it ---- */

static void show(const test_case *one, const ranks *of, const char *wrong) {
    const wf_reduce_spec *const spec = &one->field.spec;
    check(false,
          "%s of %s (accumulator %d, nan %d, accuracy %d, indices by first %d), %zu of kind %s, parting %d, "
          "%d ranks: %s",
          one->field.describes ? "description" : wf_op_name(spec->op), wf_type_name(spec->type), (int)spec->accumulator,
          (int)spec->nan, (int)spec->accuracy, (int)one->field.has_first, one->data.count, one->data.name,
          (int)one->how, of->count, wrong);
}

/* The variance is rounded more than once, and so is the mean of integers. */
static bool same_description(const test_case *one, const ranks *of, char *wrong, size_t capacity) {
    wf_description got, expected;
    memcpy(&got, one->got, sizeof got);
    memcpy(&expected, one->expected, sizeof expected);
    snprintf(wrong, capacity, "sum %llx, mean %a, variance %a, not %llx, %a, %a", (unsigned long long)got.sum.u64,
             got.mean, got.variance, (unsigned long long)expected.sum.u64, expected.mean, expected.variance);
    const double apart = fabs(got.variance - expected.variance);
    const bool near = isnan(got.variance) ? isnan(expected.variance) : apart <= 1e-10 * expected.variance;
    if (near && (of->count > 1 || isnan(got.variance)))
        got.variance = expected.variance;
    const double spread = sqrt(expected.variance) + fabs(expected.mean);
    if (of->count > 1 && !number_is_float(one->field.spec.type) && fabs(got.mean - expected.mean) <= 1e-14 * spread)
        got.mean = expected.mean;
    return memcmp(&got, &expected, sizeof got) == 0;
}

/* Of NaN wavefold.h says the bits for exact sums alone, and between a value and its index nothing of the bytes. */
static bool same_bits(const test_case *one) {
    const bool is_nan = number_is_float(one->info.result_type) && number_is_nan(one->info.result_type, one->got, 0) &&
                        number_is_nan(one->info.result_type, one->expected, 0);
    if (is_nan && !is_exact_sum(&one->field.spec, &one->info) && one->info.result_values == 1 && !one->info.has_index)
        return true;
    const size_t index = one->info.has_index ? 8 : 0, bytes = sizeof one->got - index;
    return memcmp(one->got, one->expected, index ? wf_type_size(one->info.result_type) : 0) == 0 &&
           memcmp(one->got + index, one->expected + index, bytes) == 0;
}

static void compare(const test_case *one, const ranks *of) {
    compared++;
    char wrong[256] = "not the bits of one process";
    if (one->field.describes) {
        if (!same_description(one, of, wrong, sizeof wrong))
            show(one, of, wrong);
    } else if (of->count > 1 && rounds_more_than_once(one)) {
        const wf_rung_report report = {.depth = one->data.count + (uint64_t)of->count + 2};
        if (!data_agrees(&one->data, one->got, &report, wrong, sizeof wrong))
            show(one, of, wrong);
    } else if (!same_bits(one))
        show(one, of, wrong);
}

static bool is_untouched(const test_case *one) {
    for (size_t i = 0; i < sizeof one->got; i++)
        if (one->got[i] != UNTOUCHED)
            return false;
    return true;
}

/* ---- Messages ---- */

/* Parts go by rank; with has_first in reverse. */
static wf_field part_of(test_case *one, const ranks *of) {
    wf_field field = one->field;
    const int place = field.has_first ? of->count - 1 - of->rank : of->rank;
    const size_t start = part_start(one->how, place, of->count, one->data.count);
    field.count = part_start(one->how, place + 1, of->count, one->data.count) - start;
    field.first = field.has_first ? start : 12345; /* which then is not heeded */
    field.in = field.count > 0 || start % 2 == 0 ? (char *)one->data.values + start * size_of_element(one) : NULL;
    return field;
}

/* Some ranks do not want some results. */
static bool wants(const batch *all, size_t i, int root) {
    const int rank = all->of->rank;
    return (root == WF_MPI_ALL || root == rank) && (i + (size_t)rank + all->number) % 9 != 8;
}

static void run(batch *all) {
    const ranks *const of = all->of;
    wf_field fields[MOST_FIELDS];
    static unsigned char before[MOST_FIELDS][RESULT_BYTES];
    const int root = all->number % 3 == 0 ? WF_MPI_ALL : (int)(all->number % (size_t)of->count);
    /* The same parts give the same bits every time; every fourth message tells whether they do. */
    for (int again = 0; again <= (all->number % 4 == 0); again++) {
        for (size_t i = 0; i < all->n; i++) {
            fields[i] = part_of(&all->cases[i], of);
            memcpy(before[i], all->cases[i].got, RESULT_BYTES);
            memset(all->cases[i].got, UNTOUCHED, RESULT_BYTES);
            const bool refuses = (root == WF_MPI_ALL || root == of->rank) && !wants(all, i, root);
            fields[i].result = refuses ? NULL : all->cases[i].got;
            fields[i] = with_result_bytes(fields[i]);
        }
        require(wf_mpi_reduce_many(of->context, fields, all->n, root, of->comm));
        for (size_t i = 0; i < all->n; i++) {
            test_case *const one = &all->cases[i];
            if (!wants(all, i, root))
                check(is_untouched(one), "a result was written where none was wanted (field %zu)", i);
            else if (again)
                check(memcmp(before[i], one->got, RESULT_BYTES) == 0, "other bits the second time (field %zu)", i);
            else
                compare(one, of);
        }
    }
    for (size_t i = 0; i < all->n; i++)
        data_free(&all->cases[i].data);
    all->n = 0;
    all->number++;
}

static void add(batch *all, const wf_field *field, dataset data, parting how) {
    test_case *const one = &all->cases[all->n++];
    *one = (test_case){.field = *field, .how = how, .data = data};
    if (!field->describes)
        require(wf_reduction_get_info(&field->spec, &one->info));
    expect(all->of, one);
    if (all->n == MOST_FIELDS)
        run(all);
}

/* ---- Cases ---- */

static size_t data_size(size_t number) {
    return sizes[number % COUNT(sizes)];
}

static dataset hard_data(const wf_reduce_spec *spec, size_t input, size_t most) {
    dataset data = {.name = hard_name(input), .spec = *spec};
    data.count = most < hard_count(input) ? most : hard_count(input);
    data.values = malloc(data.count * wf_type_size(spec->type) + 1);
    if (data.values == NULL)
        abort();
    for (size_t i = 0; i < data.count; i++)
        hard_put(input, spec->type, i, (char *)data.values + i * wf_type_size(spec->type));
    return data;
}

/* Every reduction that differs from others: of one rule for NaN where there is none, and of one accuracy where nothing
 * is rounded. */
static bool next_reduction(wf_reduce_spec *spec, wf_reduction_info *info) {
    do {
        if (spec->accuracy < WF_ACCURACY_EXACT)
            spec->accuracy = (wf_accuracy)(spec->accuracy + 1);
        else {
            spec->accuracy = WF_ACCURACY_BEST;
            if (spec->nan < WF_NAN_IGNORE)
                spec->nan = WF_NAN_IGNORE;
            else {
                spec->nan = WF_NAN_PROPAGATE;
                if (spec->accumulator < WF_ACCUMULATE_F64)
                    spec->accumulator = (wf_accumulator)(spec->accumulator + 1);
                else {
                    spec->accumulator = WF_ACCUMULATE_DEFAULT;
                    spec->op = (wf_op)((spec->op + 1) % WF_OP_COUNT);
                    if (spec->op == 0)
                        spec->type = (wf_type)(spec->type + 1);
                }
            }
        }
        if (spec->type == WF_TYPE_COUNT)
            return false;
    } while (wf_reduction_get_info(spec, info) != WF_OK || (spec->nan != 0 && !number_is_float(spec->type)) ||
             (spec->accuracy != 0 && !is_float_sum(spec)));
    return true;
}

static const wf_reduce_spec first_reduction = {.accuracy = (wf_accuracy)-1};

/* Every reduction, of every kind of data; sizes and ways of dividing go round. */
static void test_reductions(batch *all, size_t round) {
    size_t number = round;
    wf_reduction_info info;
    for (wf_reduce_spec spec = first_reduction; next_reduction(&spec, &info);) {
        for (size_t kind = 0; kind < data_kinds(&spec); kind++, number++) {
            const wf_field field = {.spec = spec,
                                    .has_first = !is_ordered(spec.op) && number % 4 == 3 && info.has_index};
            add(all, &field, data_make(&spec, kind, data_size(number + round), number), (parting)(number % PARTINGS));
        }
        for (size_t input = 0; is_exact_sum(&spec, &info) && input < HARD_INPUTS; input++, number++)
            add(all, &(wf_field){.spec = spec}, hard_data(&spec, input, data_size(number + round)),
                (parting)(number % PARTINGS));
    }
    if (all->n > 0)
        run(all);
}

static void test_descriptions(batch *all, size_t round) {
    size_t number = round;
    for (wf_type type = 0; type < WF_TYPE_COUNT; type++)
        for (int nan = 0; nan < 2; nan++) {
            const wf_reduce_spec spec = {.type = type}; /* whose data are any */
            for (size_t kind = 0; kind < data_kinds(&spec); kind++, number++) {
                const wf_field field = {
                    .spec = {.type = type, .nan = (wf_nan)nan}, .describes = 1, .has_first = number % 4 == 3};
                add(all, &field, data_make(&spec, kind, data_size(number), number), (parting)(number % PARTINGS));
            }
        }
    if (all->n > 0)
        run(all);
}

/* The calls of one field are those of many. */
static void test_single_calls(const ranks *of) {
    size_t number = 0;
    wf_reduction_info info;
    for (wf_reduce_spec spec = first_reduction; next_reduction(&spec, &info); number++) {
        test_case one = {.field = {.spec = spec}, .info = info, .how = (parting)(number % PARTINGS)};
        one.data = data_make(&spec, 0, 1009, number);
        expect(of, &one);
        memset(one.got, UNTOUCHED, sizeof one.got);
        const wf_field field = part_of(&one, of);
        const int root = number % 2 == 0 ? WF_MPI_ALL : (int)(number % (size_t)of->count);
        require(
            wf_mpi_reduce(of->context, &spec, field.in, field.count, one.got, bytes_of_result(&spec), root, of->comm));
        if (root == WF_MPI_ALL || root == of->rank)
            compare(&one, of);
        else
            check(is_untouched(&one), "a result was written on rank %d, the root is %d", of->rank, root);
        data_free(&one.data);
    }
    for (wf_type type = 0; type < WF_TYPE_COUNT; type++)
        for (int nan = 0; nan < 2; nan++) {
            const wf_reduce_spec of_data = {.type = type};
            test_case one = {.field = {.spec = {.type = type, .nan = (wf_nan)nan}, .describes = 1}, .how = UNEVEN};
            const size_t last = data_kinds(&of_data) - 1; /* kind 2 of floats has a NaN */
            one.data = data_make(&of_data, last < 2 ? last : 2, 1009, type);
            expect(of, &one);
            const wf_field field = part_of(&one, of);
            require(wf_mpi_describe(of->context, &(wf_describe_spec){.type = type, .nan = (wf_nan)nan}, field.in,
                                    field.count, (wf_description *)(void *)one.got, WF_MPI_ALL, of->comm));
            compare(&one, of);
            data_free(&one.data);
        }
}

/* Indices of parts that say where they begin, beyond 32 bits. */
static void test_far_indices(const ranks *of) {
    const uint64_t first = UINT64_C(1) << 40;
    const int16_t part[3] = {5, -7, -7};
    struct {
        int16_t value;
        uint64_t index;
    } least = {0, 0};
    wf_field field = {.spec = {.type = WF_I16, .op = WF_ARGMIN}, .has_first = 1, .in = part, .count = 3};
    field.first = first + 3 * (uint64_t)(of->count - 1 - of->rank);
    field.result = &least;
    field.result_bytes = sizeof least;
    require(wf_mpi_reduce_many(of->context, &field, 1, WF_MPI_ALL, of->comm));
    check(least.value == -7 && least.index == first + 1, "argmin %d at %llu", least.value,
          (unsigned long long)least.index);
}

/* The same floats by MPI_SUM: on how many ranks its bits are others is MPI's matter, and only shown. */
static void show_mpi_sum(const ranks *of) {
    const wf_reduce_spec exact = {.type = WF_F32}, fast = {.type = WF_F32, .accuracy = WF_ACCURACY_FAST};
    dataset data = data_make(&exact, 1, 100003, 7);
    const size_t start = part_start(EVEN, of->rank, of->count, data.count);
    const size_t count = part_start(EVEN, of->rank + 1, of->count, data.count) - start;
    const float *const part = (const float *)data.values + start;
    float sum = 0, mine = 0, by_mpi = 0;
    require(wf_mpi_reduce(of->context, &exact, part, count, &sum, bytes_of_result(&exact), WF_MPI_ALL, of->comm));
    require(wf_reduce(of->context, &fast, part, count, &mine, bytes_of_result(&fast)));
    PMPI_Allreduce(&mine, &by_mpi, 1, MPI_FLOAT, MPI_SUM, of->comm);
    if (of->rank == 0)
        printf("%zu floats on %d ranks: exact sum %a, MPI_SUM of each rank's fast sum %a\n", data.count, of->count,
               (double)sum, (double)by_mpi);
    data_free(&data);
}

void test_results(const ranks *of) {
    static batch all;
    all.of = of;
    for (size_t round = 0; round < 2; round++) {
        test_reductions(&all, round);
        test_descriptions(&all, round);
    }
    test_single_calls(of);
    test_far_indices(of);
    show_mpi_sum(of);
}
