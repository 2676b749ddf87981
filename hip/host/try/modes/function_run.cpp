#include "function_run.hpp"

#include "../memory/device_arrays.hpp"
#include "../memory/launched_types.hpp"
#include "../user_device.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <initializer_list>
#include <sstream>
#include <utility>

namespace wf::tried {

namespace {

constexpr unsigned bins = 16, threads = 256, scalar = 3, extent = 4; // what a parameter of that role gets
constexpr unsigned char untouched = 0xa5;                            // of host memory that a function may fill

std::string lower(std::string text) {
    for (char &c : text)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool has_part(const std::string &name, std::initializer_list<const char *> parts) {
    const std::string plain = lower(name);
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char *part) { return plain.find(part) != std::string::npos; });
}

bool is_one_of(const std::string &name, std::initializer_list<const char *> words) {
    const std::string plain = lower(name);
    return std::any_of(words.begin(), words.end(), [&](const char *word) { return plain == word; });
}

// Of a whole number: the count has a usual name, or is the first one without another meaning.
role role_of_integer(const std::string &name) {
    return has_part(name, {"bin", "bucket"})               ? role::bins
           : has_part(name, {"thread", "block"})           ? role::threads
           : is_one_of(name, {"ndim", "dims", "num_dims"}) ? role::rank
           : is_one_of(name, {"dim", "axis"})              ? role::axis
           : is_one_of(name, {"b", "c", "d", "h", "m", "w"}) ||
                   has_part(name, {"row", "col", "height", "width", "batch", "feature", "channel"})
               ? role::extent
           : is_one_of(name, {"n", "size", "len", "length", "count"}) ||
                   has_part(name, {"num_el", "numel", "n_el", "samples"})
               ? role::count
               : role::scalar;
}

std::vector<std::string> split(const char *names) {
    std::vector<std::string> all;
    std::stringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');)
        all.push_back(name);
    return all;
}

} // namespace

function_plan::function_plan(const erased_function &what) : what_(what) {
    const std::vector<std::string> names = split(what.info.parameters);
    for (size_t p = 0; p < what.count; p++) {
        const value_type &type = what.parameters[p];
        const std::string name = p < names.size() && !names[p].empty() ? names[p] : "parameter " + std::to_string(p);
        role is = role::unsupported;
        if (type.is == value_type::pointer && type.kind != element_kind::other)
            is = lower(name) == "shape" ? role::shape : type.is_constant ? role::input : role::output;
        else if (type.is == value_type::stream)
            is = role::stream;
        else if (type.is == value_type::integer)
            is = role_of_integer(name);
        else if (type.is == value_type::floating)
            is = role::number;
        parameters_.push_back({name, type, is});
    }
    choose_count();
    choose_inputs();
    arrays_.resize(parameters_.size());
}

// One count: the first one by name, else the first extent, else the first number without a meaning.
void function_plan::choose_count() {
    bool has_count = has(role::shape);
    for (parameter &each : parameters_)
        if (each.is == role::count && std::exchange(has_count, true))
            each.is = has(role::extent) ? role::extent : role::scalar;
    for (parameter &each : parameters_)
        if (each.is == role::extent && !std::exchange(has_count, true))
            each.is = role::count;
    for (parameter &each : parameters_)
        if (each.is == role::scalar && !std::exchange(has_count, true))
            each.is = role::count;
}

// Without an array to const: one array is for elements and result; of several the result has its name, or is the last.
void function_plan::choose_inputs() {
    std::vector<parameter *> arrays;
    for (parameter &each : parameters_)
        if (each.is == role::output)
            arrays.push_back(&each);
    if (has(role::input) || arrays.empty())
        return;
    if (arrays.size() == 1) {
        arrays.front()->is = what_.result.is == value_type::nothing ? role::in_place : role::input;
        return;
    }
    const auto named = std::find_if(arrays.begin(), arrays.end(), [](const parameter *each) {
        return has_part(each->name, {"out", "res", "dst", "sum", "hist", "partial", "total", "answer"});
    });
    parameter *const result = named != arrays.end() ? *named : arrays.back();
    for (parameter *each : arrays)
        each->is = each == result ? role::output : role::input;
}

bool function_plan::has(role which) const {
    return std::any_of(parameters_.begin(), parameters_.end(), [=](const parameter &each) { return each.is == which; });
}

std::string function_plan::problem() const {
    for (const parameter &each : parameters_)
        if (each.is == role::unsupported)
            return "parameter '" + each.name + "' is neither a number nor a pointer to numbers";
    if (!has(role::input) && !has(role::in_place))
        return "it has no array for its elements: a pointer to const, or one pointer for elements and result";
    if (!has(role::count) && !has(role::shape))
        return "it has no whole number for the count of elements";
    return "";
}

// Elements are 0 to limit - 1; 0: there is no limit.
unsigned function_plan::limit() const {
    return has(role::bins) ? bins : has(role::scalar) ? 10 : 0;
}

// A histogram of bytes may have a count for each.
size_t function_plan::least_results() const {
    const bool has_bytes = std::any_of(parameters_.begin(), parameters_.end(), [](const parameter &each) {
        return each.is == role::input && each.type.element == 1;
    });
    return has_bytes && !has(role::bins) ? 256 : bins;
}

unsigned char *function_plan::allocate(const parameter &of, size_t bytes) const {
    constexpr size_t spare = 1 << 16; // a function that copies more than there is must not harm the trial
    if (what_.info.takes_host_arrays)
        return new unsigned char[bytes + spare];
    return static_cast<unsigned char *>(allocate_array(of.name.c_str(), bytes, memory_kind::device, of.type.element));
}

bool function_plan::make(size_t p, size_t n, made_data data, unsigned number) {
    const parameter &of = parameters_[p];
    array &made = arrays_[p];
    const bool is_output = of.is == role::output;
    made.count = is_output ? std::max(n, least_results()) : n;
    made.bytes = made.count * of.type.element;
    made.before.assign(made.bytes, is_output && what_.info.takes_host_arrays ? untouched : 0);
    for (size_t i = 0; !is_output && i < n; i++)
        make_element(made.before.data() + i * of.type.element, of.type.kind, data, i, n, number, limit());
    made.data = allocate(of, made.bytes);
    if (made.data == nullptr)
        return false;
    const open_memory open;
    std::memcpy(made.data, made.before.data(), made.bytes);
    if (what_.info.takes_host_arrays)
        return true;
    mark_written(made.data, made.bytes);
    note_type(made.data, of.type.kind);
    array_of(made.data)->is_input = of.is == role::input;
    if (of.is == role::input)
        array_of(made.data)->reads.assign(n, false);
    return true;
}

// Up to the last byte that was written.
size_t function_plan::written_bytes(const array &of) const {
    size_t end = of.bytes;
    while (end > 0 && of.data[end - 1] == of.before[end - 1])
        end--;
    return what_.info.takes_host_arrays ? end : std::max(end, array_of(of.data)->written_end); // it wrote zeros
}

void function_plan::add_result(verdict::experiment &to, size_t n, const value &returned) {
    const open_memory open;
    for (size_t p = 0; p < parameters_.size(); p++) {
        const parameter &each = parameters_[p];
        array &of = arrays_[p];
        if (each.is != role::output && each.is != role::in_place)
            continue;
        of.after.assign(of.data, of.data + of.bytes);
        size_t written = (written_bytes(of) + each.type.element - 1) / each.type.element;
        const bool may_have_zeros = launches().sampled != 0 && !what_.info.takes_host_arrays; // at its end
        if (may_have_zeros && 2 * written > n)
            written = std::max(written, n);
        if (has(role::bins))
            written = std::max(written, size_t(bins));
        to.result = {verdict::element_type(each.type.kind), of.after.data(),
                     each.is == role::in_place ? n : std::min(std::max(written, size_t(1)), of.count), each.name};
        return;
    }
    const value_type &type = what_.result;
    to.result = {verdict::element_type(type.kind), returned_, 1, "the value of " + std::string(what_.info.name)};
    if (type.kind == element_kind::f32) {
        const auto number = float(returned.floating);
        std::memcpy(returned_, &number, sizeof number);
    } else if (type.is == value_type::floating) {
        std::memcpy(returned_, &returned.floating, sizeof returned.floating);
    } else {
        std::memcpy(returned_, &returned.integer, sizeof returned.integer); // of a smaller type its first bytes
    }
}

void function_plan::release() {
    for (array &each : arrays_) {
        if (what_.info.takes_host_arrays)
            delete[] each.data;
        else if (each.data != nullptr)
            release_array(each.data);
        each.data = nullptr;
    }
}

// Of a matrix: its elements for each of the count.
size_t function_plan::row_elements() const {
    size_t elements = 1;
    for (const parameter &each : parameters_)
        elements *= each.is == role::extent ? extent : 1;
    return elements;
}

bool function_plan::make_shape(size_t p, size_t n) {
    const parameter &of = parameters_[p];
    array &made = arrays_[p];
    made.count = 1;
    made.bytes = of.type.element;
    made.data = allocate(of, made.bytes);
    if (made.data == nullptr)
        return false;
    const open_memory open;
    const uint64_t count = n; // a smaller type has its first bytes
    std::memcpy(made.data, &count, std::min(made.bytes, sizeof count));
    if (!what_.info.takes_host_arrays)
        mark_written(made.data, made.bytes);
    return true;
}

// n: of all elements.
long long function_plan::integer_of(const parameter &of, size_t n) const {
    switch (of.is) {
    case role::count:
        return (long long)(n / row_elements());
    case role::extent:
        return extent;
    case role::bins:
        return bins;
    case role::threads:
        return threads;
    case role::rank:
        return 1;
    case role::axis:
        return 0;
    default: { // it may divide, or be an index
        const long long least = has_part(of.name, {"size", "stride", "step", "window"}) ? 1 : 0;
        return std::min((long long)(scalar), std::max((long long)(n)-1, least));
    }
    }
}

// Which elements of the first input were read; nothing if some accesses were not checked.
std::optional<std::vector<std::pair<size_t, size_t>>> function_plan::read_elements() const {
    const auto first = std::find_if(parameters_.begin(), parameters_.end(),
                                    [](const parameter &each) { return each.is == role::input; });
    if (what_.info.takes_host_arrays || first == parameters_.end() || launches().sampled != 0)
        return std::nullopt;
    const std::vector<bool> &reads = array_of(arrays_[size_t(first - parameters_.begin())].data)->reads;
    std::vector<std::pair<size_t, size_t>> ranges;
    for (size_t i = 0; i < reads.size(); i++) {
        if (!reads[i])
            continue;
        if (ranges.empty() || ranges.back().second != i)
            ranges.emplace_back(i, i);
        ranges.back().second = i + 1;
    }
    return ranges;
}

bool function_plan::run(size_t n, made_data data, verdict::experiment &done) {
    n = (n + row_elements() - 1) / row_elements() * row_elements();
    std::vector<value> values(parameters_.size() + 1);
    unsigned inputs = 0, numbers = 0;
    done = {};
    release();
    for (size_t p = 0; p < parameters_.size(); p++) {
        const parameter &each = parameters_[p];
        const bool is_input = each.is == role::input || each.is == role::in_place;
        if (is_input || each.is == role::output) {
            if (!make(p, n, data, inputs))
                return false;
            inputs += is_input;
            values[p].pointer = arrays_[p].data;
        } else if (each.is == role::shape) {
            if (!make_shape(p, n))
                return false;
            values[p].pointer = arrays_[p].data;
        } else if (each.is == role::stream) {
            values[p].pointer = nullptr;
        } else if (each.is == role::number) {
            values[p].floating = ++numbers;
            done.floats = numbers;
        } else {
            values[p].integer = integer_of(each, n);
            if (each.is == role::bins || each.is == role::scalar)
                done.scalars.push_back(values[p].integer);
        }
        if (is_input)
            done.inputs.push_back({verdict::element_type(each.type.kind), arrays_[p].before.data(), n, each.name});
    }
    what_.call(what_.function, values.data(), &values.back());
    add_result(done, n, values.back());
    done.is_in_place = has(role::in_place);
    done.row = row_elements();
    done.read = read_elements();
    done.is_exact = is_exact(element_kind(done.result.type), data, n);
    return true;
}

} // namespace wf::tried
