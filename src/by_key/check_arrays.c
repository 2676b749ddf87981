#include "check_arrays.h"

#include "check.h"
#include "status.h"

wf_status wf_check_apart(const wf_named_array *outputs, size_t output_count, const wf_named_array *inputs,
                         size_t input_count) {
    for (size_t o = 0; o < output_count; o++)
        for (size_t k = 0; k < o + input_count; k++) {
            const wf_named_array *other = k < o ? &outputs[k] : &inputs[k - o];
            if (outputs[o].bytes != 0 && other->bytes != 0 && outputs[o].data != NULL && other->data != NULL &&
                wf_check_overlap(other->data, other->bytes, outputs[o].data, outputs[o].bytes, false) != WF_OK)
                return wf_fail(WF_INVALID_ARGUMENT, "'%s' and '%s' overlap; they must be apart", other->name,
                               outputs[o].name);
        }
    return WF_OK;
}
