/* What ranks fold in messages, and whether a result is the one that is wanted. */
#ifndef WAVEFOLD_TESTS_MESSAGE_VALUES_H
#define WAVEFOLD_TESTS_MESSAGE_VALUES_H

#include <wavefold.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers whose sums cancel, reach over all exponents or end at ties; NaN and infinities in some kinds. Where they are
 * multiplied, or a fold of kind 0 is_rounded_often, numbers of which none can be left out unseen. */
enum { KINDS = 7, NAN_AND_MINUS_ZERO = 6 };
void *make_values(const wf_reduce_spec *spec, size_t scalars, size_t count, size_t kind, uint64_t seed);

bool multiplies(wf_op op);
bool is_rounded_often(const wf_reduce_spec *spec, const wf_reduction_info *info);
bool same_result(const wf_reduction_info *info, const uint64_t *got, const uint64_t *want);
/* Of make_values' kind 0: a product or a mean within the parts' and the join's roundings; sums, maps and matrices are
 * exact. */
bool is_close(const wf_reduce_spec *spec, const wf_reduction_info *info, const uint64_t *got, const uint64_t *want,
              size_t count);

#endif
