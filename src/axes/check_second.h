/* Checks of a wf_second that do not depend on the shape. */
#ifndef WAVEFOLD_AXES_CHECK_SECOND_H
#define WAVEFOLD_AXES_CHECK_SECOND_H

#include "wavefold_pairs.h"

/* Refuses unknown kinds, and reserved fields that are not 0. */
wf_status wf_check_second(const wf_second *second);
/* Refuses an operator that the kind does not take. The reduction exists. */
wf_status wf_check_op_of_second(const wf_reduce_spec *spec, const wf_second *second);

#endif
