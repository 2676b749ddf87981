/* What calls must answer: spelled from what wavefold.h says, apart from the library. */
#ifndef WAVEFOLD_TESTS_FUZZ_API_API_MODEL_H
#define WAVEFOLD_TESTS_FUZZ_API_API_MODEL_H

#include "api_session.h"

/* What may become of a reduction, by its specification alone. */
unsigned allowed_of_reduction(const wf_reduce_spec *spec);
unsigned allowed_of_description(const wf_describe_spec *spec);
unsigned allowed_of_scan(const wf_scan_spec *spec);
unsigned allowed_of_sort(const wf_sort_spec *spec);
bool is_exact_sum(const wf_reduce_spec *spec);
/* As WF_MEAN and so on say what a sum adds of each element. */
big_term term_of(wf_op op);

/* What wf_reduction_get_info must give for a reduction of the table. */
wf_reduction_info info_of(const wf_reduce_spec *spec);

void add_terms(big_sum *sum, wf_type type, wf_op op, const void *elements, size_t count);

/* The answers for these elements, at any address. */
void check_reduction(session *s, const wf_reduce_spec *spec, const void *elements, size_t count, const void *got);
void check_description(session *s, const wf_describe_spec *spec, const void *elements, size_t count,
                       const wf_description *got);
void check_scan(session *s, const wf_scan_spec *spec, const void *elements, size_t count, const void *got);
/* values: as they were and are; NULL: none. */
void check_sort(session *s, const wf_sort_spec *spec, size_t count, const void *keys, const void *got,
                const void *values, const void *got_values);

#endif
