#include "result_of_none.h"

#include "algebra.h"

#include <string.h>

/* Results of operators that commute have two numbers at the most, of one size. */
void wf_put_axes_result_of_none(const wf_reduce_plan *plan, wf_axes_request *request) {
    if (plan->describes) {
        request->of_none[0] = plan->of_none.description.min.u64;
        request->of_none[1] = plan->of_none.description.max.u64;
        return;
    }
    const wf_op_facts op = wf_facts_of_op(plan->spec.op);
    const uint32_t numbers = op.has_index || op.values == 2 ? 2 : 1;
    const size_t bytes = plan->result_bytes / numbers;
    for (uint32_t i = 0; i < numbers && !wf_op_is_ordered(plan->spec.op); i++)
        memcpy(&request->of_none[i], (const char *)&plan->of_none.result + i * bytes, bytes); /* the low bytes */
}
