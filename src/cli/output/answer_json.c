#include "answer_json.h"

#include "json_values.h"

typedef json_t *value_maker(wf_type type, value v);

static value_maker *maker_of(const answer *a, wf_type type) {
    return answer_is_bool(a, type) ? json_bool : json_value;
}

static json_t *type_name(const answer *a, wf_type type) {
    return json_string(answer_is_bool(a, type) ? "bool" : wf_type_name(type));
}

static json_t *description_object(const answer *a) {
    const wf_description *of = &a->described;
    wf_type type = a->data.type, wide = wide_type(type);
    value_maker *of_element = maker_of(a, type);
    json_t *object = json_object();
    json_put(object, "count", json_whole(of->count));
    json_put(object, "sum", json_value(wide, answer_wide(of->sum)));
    json_put(object, "min", of_element(type, answer_narrow(a, of->min)));
    json_put(object, "max", of_element(type, answer_narrow(a, of->max)));
    json_put(object, "argmin", json_index(of->argmin));
    json_put(object, "argmax", json_index(of->argmax));
    json_put(object, "mean", json_number(of->mean));
    json_put(object, "variance", json_number(of->variance));
    return object;
}

json_t *answer_head(const answer *a) {
    bool is_description = describes(a->options);
    const wf_reduction_info *info = &a->of.info;
    wf_type wide = wide_type(a->data.type);
    json_t *document = json_object();
    json_put(document, "wavefold", json_string(wf_version()));
    json_put(document, "input", json_text(a->data.path));
    json_put(document, "n", json_count(a->data.count));
    json_put(document, "type", type_name(a, a->data.type));
    json_put(document, "op", json_string(reduced_name(a->options)));
    json_put(document, "accumulator", type_name(a, is_description ? wide : info->accumulator));
    json_put(document, "result_type", is_description ? json_null() : type_name(a, info->result_type));
    json_put(document, "accuracy", answer_accuracy(a) != NULL ? json_string(answer_accuracy(a)) : json_null());
    json_put(document, "nan", json_string(nan_rule_name(a->of.spec.nan)));
    json_put(document, "device", json_device(&a->device));
    if (a->engine != NULL) {
        json_put(document, "ranks", json_integer(a->ranks));
        json_put(document, "engine", json_text(a->engine));
    }
    json_put(document, "seconds", json_number(a->seconds));
    return document;
}

json_t *answer_result(const answer *a, const result *r) {
    return json_result(&a->of, r, maker_of(a, a->of.info.result_type));
}

json_t *answer_document(const answer *a) {
    json_t *document = answer_head(a);
    json_put(document, "result", describes(a->options) ? description_object(a) : answer_result(a, &a->folded));
    return document;
}
