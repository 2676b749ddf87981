#include "mpi_request.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define REMEDY "all ranks must give the same fields, in the same order, and the same root"

enum { FIELDS_AT_ONCE = 16, FIELD_TEXT = 128, ROOT_TEXT = 48 };

/* The numbers of a request that ranks compare before they compare fields. */
typedef struct summary {
    uint64_t n, number;
    int64_t root;
} summary;

static bool is_same(summary a, summary b) {
    return a.n == b.n && a.number == b.number && a.root == b.root;
}

static uint32_t number_of(const wf_field *field) {
    uint32_t number = 0; /* every field here has a number, since each rank has written its message */
    (void)wf_message_get_request(field, 1, &number);
    return number;
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, uint64_t number) {
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (number >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

/* Hashes the number of each field, which is finer than that of all fields, and the check words, which differ for a
 * message of other fields. */
uint64_t wf_mpi_number_request(const wf_mpi_request *request) {
    uint64_t hash = mix(mix(UINT64_C(0xcbf29ce484222325), request->n), (uint64_t)request->root);
    for (int i = 0; request->check != NULL && i < WF_MESSAGE_CHECK_WORDS; i++)
        hash = mix(hash, request->check[i]);
    for (size_t i = 0; i < request->n; i++)
        hash = mix(hash, number_of(&request->fields[i]));
    return hash >> 1;
}

/* Sends `bytes` bytes at data from rank `from` to all ranks. */
static wf_status broadcast(const wf_mpi_ranks *ranks, int from, void *data, size_t bytes) {
    return wf_mpi_check(MPI_Bcast(data, (int)bytes, MPI_BYTE, from, ranks->comm), "MPI_Bcast");
}

static void print_root(int64_t root, char text[ROOT_TEXT]) {
    if (root == WF_MPI_ALL)
        snprintf(text, ROOT_TEXT, "results on all ranks");
    else
        snprintf(text, ROOT_TEXT, "results on rank %lld", (long long)root);
}

/* "the sum of f32 in f64, fast": only values other than the defaults are printed. */
static void print_field(const wf_field *field, char text[FIELD_TEXT]) {
    const wf_reduce_spec *const spec = &field->spec;
    wf_reduction_info info;
    const bool in_another =
        !field->describes && spec->accumulator != WF_ACCUMULATE_DEFAULT && wf_reduction_get_info(spec, &info) == WF_OK;
    const char *const accuracy = field->describes || spec->accuracy == WF_ACCURACY_BEST ? ""
                                 : spec->accuracy == WF_ACCURACY_FAST                   ? ", fast"
                                                                                        : ", exact";
    snprintf(text, FIELD_TEXT, "the %s of %s%s%s%s%s%s", field->describes ? "description" : wf_op_name(spec->op),
             wf_type_name(spec->type), in_another ? " in " : "", in_another ? wf_type_name(info.accumulator) : "",
             spec->nan == WF_NAN_IGNORE ? " without NaN" : "", accuracy,
             field->has_first ? ", indices from its first" : "");
}

/* Fails with the first field in which rank 0 and rank `other` differ; both have n fields. It compares a few fields at a
 * time, since it allocates nothing. */
static wf_status fail_for_field(const wf_mpi_ranks *ranks, int other, const wf_mpi_request *request, uint64_t n) {
    for (uint64_t at = 0; at < n; at += FIELDS_AT_ONCE) {
        wf_field fields[2][FIELDS_AT_ONCE] = {{{.count = 0}}};
        for (uint64_t i = 0; i < FIELDS_AT_ONCE && at + i < request->n; i++) {
            const wf_field *const mine = &request->fields[at + i];
            fields[0][i] = (wf_field){.spec = mine->spec, .describes = mine->describes, .has_first = mine->has_first};
            fields[1][i] = fields[0][i];
        }
        wf_status status = broadcast(ranks, 0, fields[0], sizeof fields[0]);
        if (status == WF_OK)
            status = broadcast(ranks, other, fields[1], sizeof fields[1]);
        if (status != WF_OK)
            return status;
        for (uint64_t i = 0; i < FIELDS_AT_ONCE && at + i < n; i++) {
            if (number_of(&fields[0][i]) == number_of(&fields[1][i]))
                continue;
            char first[FIELD_TEXT], second[FIELD_TEXT], place[32] = "";
            print_field(&fields[0][i], first);
            print_field(&fields[1][i], second);
            if (n > 1)
                snprintf(place, sizeof place, "field %llu: ", (unsigned long long)(at + i));
            return wf_mpi_fail(WF_INVALID_ARGUMENT, "%srank 0 requests %s, rank %d requests %s; " REMEDY, place, first,
                               other, second);
        }
    }
    return wf_mpi_fail(WF_INVALID_ARGUMENT,
                       "the message of rank 0 or %d is not of the fields that they request; " REMEDY, other);
}

wf_status wf_mpi_tell_difference(const wf_mpi_ranks *ranks, const wf_mpi_request *request) {
    const summary mine = {.n = request->n, .number = wf_mpi_number_request(request), .root = request->root};
    summary first = mine, second = mine;
    wf_status status = broadcast(ranks, 0, &first, sizeof first);
    if (status != WF_OK)
        return status;
    int other = is_same(mine, first) ? ranks->count : ranks->rank;
    status = wf_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, ranks->comm), "MPI_Allreduce");
    if (status == WF_OK)
        status = broadcast(ranks, other, &second, sizeof second);
    if (status != WF_OK)
        return status;
    if (first.root != second.root) {
        char first_root[ROOT_TEXT], second_root[ROOT_TEXT];
        print_root(first.root, first_root);
        print_root(second.root, second_root);
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "rank 0 requests %s, rank %d requests %s; " REMEDY, first_root, other,
                           second_root);
    }
    if (first.n != second.n)
        return wf_mpi_fail(WF_INVALID_ARGUMENT, "rank 0 gives %llu fields, rank %d %llu; " REMEDY,
                           (unsigned long long)first.n, other, (unsigned long long)second.n);
    return fail_for_field(ranks, other, request, first.n);
}
