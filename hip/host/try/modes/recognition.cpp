#include "recognition.hpp"

#include "../memory/device_arrays.hpp"
#include "../memory/launched_types.hpp"
#include "../stop.hpp"
#include "../user_device.hpp"
#include "../verdict/verdict.hpp"
#include "schedules.hpp"
#include "wanted_task.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wf::tried {

namespace {

constexpr size_t most_bytes = size_t(4) << 20; // of an array that is compared, within a second
constexpr size_t most_results = 16, most_inputs = 4;

struct contents {
    std::string name;
    std::vector<unsigned char> bytes;
};

struct state {
    std::map<const void *, contents> filled; // as the host left them: kernels may have changed them since
    std::vector<std::string> sentences;
    std::optional<verdict::conclusion> judged; // of the task that the user named: a right result, else the first one
    size_t results = 0;
};

state &all() {
    static state &one = *new state;
    return one;
}

size_t bytes_of(verdict::element_type type) {
    static constexpr size_t bytes[] = {2, 2, 4, 8, 1, 1, 2, 2, 4, 4, 8, 8};
    return bytes[size_t(type)];
}

verdict::numbers numbers_of(const contents &of, element_kind type) {
    const auto element = verdict::element_type(type);
    return {element, of.bytes.data(), of.bytes.size() / bytes_of(element), of.name};
}

std::string text_of(const verdict::conclusion &what, const std::vector<verdict::numbers> &inputs,
                    const verdict::numbers &result, bool is_in_place) {
    std::string text = "'" + result.name + "' equals the " + verdict::name_of(what.what) + " of ";
    for (size_t i = 0; i < inputs.size(); i++)
        text += (i == 0 ? "" : " and ") + (is_in_place ? "its elements before" : "'" + inputs[i].name + "'");
    char ulps[40];
    std::snprintf(ulps, sizeof ulps, "%.3g", what.ulps);
    return text + (what.is_rounded && what.ulps > 0 ? std::string(" (rounding: off by ") + ulps + " ulp)" : "");
}

// Whether a result that fits says something: few elements, or equal ones, fit by chance; a sorted input stays as it is;
// and the first of several results may be an extreme by chance.
bool is_telling(verdict::task what, const std::vector<verdict::numbers> &inputs, const verdict::numbers &result) {
    using verdict::task;
    constexpr size_t few = 4;
    const verdict::numbers &in = inputs[0];
    const auto *const bytes = static_cast<const unsigned char *>(in.data);
    const size_t element = bytes_of(in.type);
    bool has_others = false;
    for (size_t i = 1; i < in.count && !has_others; i++)
        has_others = std::memcmp(bytes, bytes + i * element, element) != 0;
    if (in.count < few)
        return false;
    switch (what) {
    case task::max:
    case task::min:
    case task::argmax:
    case task::argmin:
        return has_others && result.count == 1;
    case task::sort_ascending:
    case task::sort_descending:
        return result.type != in.type || std::memcmp(in.data, result.data, in.count * element) != 0;
    default:
        return true;
    }
}

// The sentence, or "". An array that was changed in place often begins with an extreme of what it was: only a task
// whose result is an array is recognised then.
std::string recognise(const std::vector<verdict::numbers> &inputs, const verdict::numbers &result, bool is_in_place) {
    verdict::judge one;
    verdict::experiment seen;
    seen.inputs = inputs;
    seen.result = result;
    seen.is_in_place = is_in_place;
    one.add(seen);
    const std::optional<verdict::task> wanted = wanted_task();
    if (!wanted) {
        using results = verdict::judge::results;
        const std::optional<verdict::conclusion> what = one.recognise(is_in_place ? results::arrays : results::any);
        return what && is_telling(what->what, inputs, result) ? text_of(*what, inputs, result, is_in_place) : "";
    }
    const verdict::conclusion what = one.conclude(wanted);
    if (what.is != verdict::outcome::unknown && (!all().judged || what.is == verdict::outcome::right))
        all().judged = what;
    return what.is == verdict::outcome::right ? text_of(what, inputs, result, is_in_place) : "";
}

void compare(const device_array &array, size_t bytes) {
    const element_kind type = type_of_array(array.data);
    if (type == element_kind::other)
        return;
    contents result = {array.name, {}};
    {
        const open_memory open;
        result.bytes.assign(array.data, array.data + bytes);
    }
    std::vector<verdict::numbers> inputs;
    std::vector<bool> is_result; // an input that was the result's array before
    for (const auto &[data, filled] : all().filled) {
        const element_kind of = type_of_array(data);
        const device_array *const from = array_of(data);
        if (of == element_kind::other || inputs.size() == most_inputs || from == nullptr || from->is_released)
            continue;
        inputs.push_back(numbers_of(filled, of));
        is_result.push_back(data == array.data);
    }
    std::string sentence;
    for (size_t i = 0; sentence.empty() && i < inputs.size(); i++)
        sentence = recognise({inputs[i]}, numbers_of(result, type), is_result[i] && bytes > array.element);
    for (size_t i = 0; i < inputs.size(); i++)
        for (size_t j = i + 1; sentence.empty() && j < inputs.size(); j++)
            if (!is_result[i] && !is_result[j])
                sentence = recognise({inputs[i], inputs[j]}, numbers_of(result, type), false);
    if (!sentence.empty() &&
        std::find(all().sentences.begin(), all().sentences.end(), sentence) == all().sentences.end())
        all().sentences.push_back(sentence);
}

// Tiles without checks record no writes.
bool is_written(const device_array &array) {
    return array.written_end != 0 || (launches().sampled != 0 && all().filled.count(array.data) == 0);
}

size_t written_of(const device_array &array, size_t bytes) {
    return launches().sampled != 0 ? bytes : std::min(bytes, array.written_end);
}

// Other orders of lanes only repeat what is said.
bool is_said_elsewhere() {
    return std::strcmp(present_answer().now.schedule, schedules[0].name) != 0 && !wanted_task();
}

} // namespace

void note_filled(const void *address, size_t bytes) {
    const device_array *const array = array_of(address);
    if (array == nullptr || !array->holds(address) || bytes > most_bytes || is_said_elsewhere())
        return;
    if (address == array->data && bytes >= array->element) {
        const open_memory open;
        all().filled[array->data] = {array->name, {array->data, array->data + std::min(bytes, array->bytes)}};
    }
}

void note_fetched(const void *address, size_t bytes) {
    const device_array *const array = array_of(address);
    if (is_said_elsewhere() || array == nullptr || address != array->data || bytes > array->bytes ||
        bytes > most_bytes || !is_written(*array) || all().results++ >= most_results)
        return;
    compare(*array, written_of(*array, bytes));
}

void note_waited() {
    if (is_said_elsewhere())
        return;
    for (const device_array *each : live_arrays())
        if (each->kind == memory_kind::managed && is_written(*each) && each->bytes <= most_bytes &&
            all().results++ < most_results)
            compare(*each, written_of(*each, each->bytes));
}

void add_recognised(answer &to) {
    to.recognised = all().sentences;
    to.judged = all().judged;
}

} // namespace wf::tried
