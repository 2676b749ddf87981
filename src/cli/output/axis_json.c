#include "axis_json.h"

#include "answer_json.h"
#include "axis_npy.h"
#include "json_values.h"

static json_t *axes_array(const wf_axes *axes) {
    json_t *array = json_array();
    for (uint32_t d = 0; d < axes->dimensions; d++)
        if ((axes->reduced >> d & 1) != 0)
            json_add(array, json_integer(d));
    return array;
}

static json_t *results_array(const axis_answer *a) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < a->plan.results; i++) {
        const result r = axis_answer_result(a, i);
        json_add(array, answer_result(&a->of, &r));
    }
    return array;
}

static json_t *output_object(const axis_answer *a) {
    const axis_npy file = axis_npy_of(a);
    json_t *object = json_object();
    json_put(object, "path", json_text(a->of.options->axes.output_path));
    json_put(object, "shape", json_shape(file.counts, file.dimensions));
    json_put(object, "dtype", json_string(file.dtype));
    return object;
}

json_t *axis_document(const axis_answer *a) {
    const axis_plan *plan = &a->plan;
    json_t *document = answer_head(&a->of);
    json_put(document, "shape", json_shape(plan->elements.counts, plan->elements.dimensions));
    json_put(document, "axes", axes_array(&plan->axes));
    json_put(document, "result_shape", json_shape(plan->counts, plan->dimensions));
    if (a->of.options->axes.output_path != NULL)
        json_put(document, "output", output_object(a));
    else
        json_put(document, "results", results_array(a));
    return document;
}
