// Explains wrong extremes, scans, sorts and histograms.
#include "softmax.hpp"
#include "wrong_results.hpp"

#include <algorithm>
#include <cmath>

namespace wf::tried::verdict {

namespace {

std::string number(size_t x) {
    return std::to_string(x);
}

// Of the first elements.
long double extreme_before(const elements &in, size_t end, bool is_max) {
    long double extreme = in[0];
    for (size_t i = 1; i < end; i++)
        extreme = is_max ? std::max(extreme, in[i]) : std::min(extreme, in[i]);
    return extreme;
}

// ---- Extremes -------------------------------------------------------------------------------------------------------

std::vector<remark> on_extreme(const judged &of, bool is_max, const options &options) {
    const elements &in = of.inputs[0];
    const long double got = of.result[0];
    const size_t place = place_of_extreme(in, is_max);
    const char *const name = is_max ? "maximum" : "minimum";
    if (std::isnan(got))
        return {
            {"nan", 0, "the result is no number: the kernel compared memory that was never written, or left it there"}};
    if (got == in[place_of_extreme(in, !is_max)] && in.size() > 1)
        return {{"other extreme", 0, is_max ? "it is the minimum" : "it is the maximum"}};
    if (got == 0 && (is_max ? in[place] < 0 : in[place] > 0))
        return {{"begins at 0", 0,
                 is_max ? "it begins at 0, which is greater than every element: begin at -INFINITY, or at an element"
                        : "it begins at 0, which is less than every element: begin at INFINITY, or at an element"}};
    if (is_max && got == 0x1p-126L && in[place] < 0)
        return {{"FLT_MIN", 0, "it begins at FLT_MIN, the least positive number: begin at -FLT_MAX or -INFINITY"}};
    long double magnitude = 0;
    for (size_t i = 0; i < in.size(); i++)
        magnitude = std::max(magnitude, std::fabs(in[i]));
    if (is_max && got == magnitude)
        return {{"magnitude", 0, "it is the largest magnitude"}};
    const size_t whole = options.block_size == 0 ? 0 : in.size() / options.block_size * options.block_size;
    if (place >= whole && whole > 0 && got == extreme_before(in, whole, is_max))
        return {{"partial tile", 0,
                 std::string("the ") + name + ", element " + number(place) +
                     ", is in the last tile, which is not full: it was left out"}};
    for (size_t i = 0; i < in.size(); i++)
        if (in[i] == got)
            return {{"left out", place == in.size() - 1 ? size_t(1) : 0,
                     "it is element " + number(i) + ": the " + name + ", " +
                         (place == in.size() - 1 ? "the last element, " : "element ") + number(place) +
                         ", was left out"}};
    long double sum = 0;
    for (size_t i = 0; i < in.size(); i++)
        sum += in[i];
    if (got == sum)
        return {{"sum", 0, "it is the sum"}};
    return {};
}

std::vector<remark> on_place(const judged &of, bool is_max, const options &options) {
    const elements &in = of.inputs[0];
    const long double got = of.result[0], place = (long double)(place_of_extreme(in, is_max));
    const char *const name = is_max ? "maximum" : "minimum";
    if (got == (long double)(place_of_extreme(in, !is_max)) && in.size() > 1)
        return {{"other extreme", 0, std::string("it is the index of the ") + (is_max ? "minimum" : "maximum")}};
    if (got == in[size_t(place)])
        return {{"value", 0, std::string("it is the ") + name + " itself, not its index"}};
    for (const size_t tile : tile_sizes(options))
        if (place >= (long double)(tile) && got == std::fmod(place, (long double)(tile)))
            return {{"within tile", tile, "it is the index within a tile of " + number(tile)}};
    if (got == place + 1)
        return {{"from 1", 0, "it counts from 1"}};
    if (!(got >= 0 && got < (long double)(in.size())))
        return {{"outside", 0, "it is the index of no element"}};
    return {{"left out", 0,
             "element " + number(size_t(got)) + " is " + text_of(in.type(), in[size_t(got)]) + ", the " + name + " " +
                 text_of(in.type(), in[size_t(place)])}};
}

// ---- Scans ----------------------------------------------------------------------------------------------------------

// Whether each result is `expected(i)`; with sums of random data, nearly.
template <class Expected>
bool equals(const judged &of, const check &wrong, const Expected &expected) {
    const type_facts &type = facts_of(of.result.type());
    long double magnitudes = 0;
    for (size_t i = 0; i < of.result.size(); i++) {
        magnitudes += std::fabs(of.inputs[0][i]);
        const long double tolerance = wrong.is_rounded ? std::ldexp(magnitudes, 4 - type.precision) : 0;
        if (!(std::fabs(of.result[i] - expected(i)) <= tolerance))
            return false;
    }
    return true;
}

std::vector<remark> on_scan(const judged &of, bool is_inclusive, const check &wrong, const options &options) {
    const elements &in = of.inputs[0];
    const size_t n = in.size();
    if (of.result.size() < n)
        return {{"unwritten", 0, range_of(of.result.size(), n) + " of the result were never written"}};
    std::vector<long double> sums(n + 1);
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + in[i];
    const size_t own = is_inclusive ? 1 : 0;
    if (n > 1 && equals(of, wrong, [&](size_t i) { return sums[i + 1 - own]; }))
        return {{"other kind", 0,
                 is_inclusive ? "it is the exclusive prefix sum: element i has the sum of those before it"
                              : "it is the inclusive prefix sum: element i is added to its own result"}};
    if (n > 1 && equals(of, wrong, [&](size_t i) { return in[i]; }))
        return {{"unchanged", 0, "it equals the elements: nothing was added"}};
    if (n > 1 && equals(of, wrong, [&](size_t i) { return sums[n] - sums[i + 1 - own]; }))
        return {{"backwards", 0, "it is the prefix sum from the end of the array"}};
    for (const size_t tile : tile_sizes(options)) {
        const auto first = [&](size_t i) { return i / tile * tile; };
        if (n > tile && equals(of, wrong, [&](size_t i) { return sums[i + own] - sums[first(i)]; }))
            return {{"tiles", tile,
                     "each " + number(tile) +
                         " elements are scanned by themselves: the sums of the tiles before are "
                         "not added"}};
        const auto before = [&](size_t i) { return first(i) >= tile ? first(i) - tile : 0; };
        if (n > 2 * tile && equals(of, wrong, [&](size_t i) { return sums[i + own] - sums[before(i)]; }))
            return {{"one tile before", tile,
                     "a tile of " + number(tile) + " adds the sum of the one tile before it, not of all"}};
    }
    for (const size_t tile : tile_sizes(options))
        if (wrong.index >= n / tile * tile && n % tile != 0 && tile == options.block_size)
            return {{"partial tile", 0, "the last tile is not full: " + range_of(wrong.index, n) + " are wrong"}};
    return {{"from", 0,
             wrong.index == 0 ? "the first result is wrong" : "it is right up to element " + number(wrong.index - 1)}};
}

// ---- Sorts ----------------------------------------------------------------------------------------------------------

bool is_sorted(const elements &of, size_t begin, size_t end, bool is_ascending) {
    for (size_t i = begin + 1; i < end; i++)
        if (is_ascending ? of[i] < of[i - 1] : of[i] > of[i - 1])
            return false;
    return true;
}

std::vector<remark> on_sort(const judged &of, bool is_ascending, const options &options) {
    const elements &in = of.inputs[0], &out = of.result;
    const size_t n = in.size();
    if (out.size() < n)
        return {{"unwritten", 0, range_of(out.size(), n) + " of the result were never written"}};
    std::vector<long double> was(n), is(n);
    for (size_t i = 0; i < n; i++) {
        was[i] = in[i];
        is[i] = out[i];
    }
    if (was == is)
        return {{"unchanged", 0, "nothing was moved"}};
    if (n > 1 && is_sorted(out, 0, n, !is_ascending))
        return {
            {"other order", 0, is_ascending ? "it is sorted in descending order" : "it is sorted in ascending order"}};
    std::sort(was.begin(), was.end());
    std::sort(is.begin(), is.end());
    const auto [lost, instead] = std::mismatch(was.begin(), was.end(), is.begin());
    std::string elements_differ;
    if (lost != was.end()) {
        const bool is_lost = !std::binary_search(is.begin(), is.end(), *lost);
        elements_differ = is_lost
                              ? "element " + text_of(in.type(), *lost) + " is lost"
                              : "the result has " + text_of(in.type(), *instead) + " too often, or it is no element";
    }
    if (is_sorted(out, 0, n, is_ascending))
        return {{"lost", 0, "it is sorted, but " + elements_differ}};
    if (elements_differ.empty())
        for (const size_t tile : tile_sizes(options)) {
            bool are_sorted = n > tile;
            for (size_t begin = 0; are_sorted && begin < n; begin += tile)
                are_sorted = is_sorted(out, begin, std::min(begin + tile, n), is_ascending);
            if (are_sorted)
                return {{"tiles", tile, "each " + number(tile) + " elements are sorted, but not merged"}};
        }
    size_t i = 1;
    while (is_ascending ? !(out[i] < out[i - 1]) : !(out[i] > out[i - 1]))
        i++;
    return {{"order", 0,
             "elements " + number(i - 1) + " and " + number(i) + " are in the wrong order" +
                 (elements_differ.empty() ? "" : ", and " + elements_differ)}};
}

// ---- Histograms -----------------------------------------------------------------------------------------------------

std::vector<remark> on_histogram(const judged &of, const check &wrong) {
    const elements &in = of.inputs[0], &out = of.result;
    const std::vector<size_t> bins = bins_of(in, out.size());
    // The first k elements, whose counts these are.
    std::vector<size_t> counts(out.size());
    const auto equal = [&] {
        for (size_t b = 0; b < counts.size(); b++)
            if (out[b] != (long double)(counts[b]))
                return false;
        return true;
    };
    long double total = 0;
    for (size_t b = 0; b < out.size(); b++)
        total += out[b];
    size_t k = 0;
    for (long double counted = 0; k < bins.size() && counted < total; k++)
        if (bins[k] < counts.size()) {
            counts[bins[k]]++;
            counted++;
        }
    if (k > 0 && k < bins.size() && equal())
        return {
            {"start", 0,
             "it counts the first " + number(k) + " elements: " + range_of(k, bins.size()) + " were never counted"}};
    const auto all = (long double)(std::count_if(bins.begin(), bins.end(), [&](size_t b) { return b < out.size(); }));
    if (total == all)
        return {{"bins", 0, "every element was counted, some in another bin"}};
    if (total == 0)
        return {{"nothing", 0, "nothing was counted"}};
    std::fill(counts.begin(), counts.end(), 0);
    for (const size_t b : bins)
        if (b < out.size())
            counts[b]++;
    size_t wrong_bins = 0;
    bool is_less = true;
    for (size_t b = 0; b < out.size(); b++) {
        wrong_bins += out[b] != (long double)(counts[b]);
        is_less = is_less && out[b] <= (long double)(counts[b]);
    }
    if (wrong_bins == 1)
        return {{"bin", wrong.index + 1 == out.size() ? size_t(1) : 0,
                 "only bin " + number(wrong.index) + " is wrong" +
                     (wrong.index + 1 == out.size() ? ", the last one" : "")}};
    if (is_less)
        return {{"lost", 0,
                 "counts are lost, " + text_of(element_type::i64, all - total) +
                     " in all: threads add to one bin at once without an atomic, or elements were left out"}};
    return {{"more", 0, text_of(element_type::i64, total - all) + " counts too many"}};
}

// ---- softmax --------------------------------------------------------------------------------------------------------

template <class Expected>
bool is_softmax(const judged &of, const softmax_tolerance &near, const Expected &expected) {
    for (size_t i = 0; i < of.n(); i++)
        if (!near.allows(of.result[i], expected(i)))
            return false;
    return true;
}

std::vector<remark> on_softmax(const judged &of, const check &wrong, const options &options) {
    const elements &in = of.inputs[0];
    const size_t n = of.n();
    const softmax_tolerance near(of);
    if (of.result.size() < n)
        return {{"unwritten", 0, range_of(of.result.size(), n) + " of the result were never written"}};
    bool has_nan = false;
    for (size_t i = 0; i < n; i++)
        has_nan = has_nan || std::isnan(of.result[i]);
    const softmax_powers all(in, 0, n);
    constexpr long double most_power = 88; // e^89 overflows f32
    if (has_nan)
        return {{"overflow", 0,
                 all.most > most_power ? "e^x overflows: subtract the maximum from each element first"
                                       : "the result is no number: is the maximum one of the elements?"}};
    if (n > 1 && is_softmax(of, near, [&](size_t i) { return std::exp(in[i] - all.most); }))
        return {{"not divided", 0, "it is e^(x - maximum), not divided by the sum of these"}};
    for (const size_t tile : tile_sizes(options)) {
        bool is_tiled = n > tile;
        for (size_t begin = 0; is_tiled && begin < n; begin += tile) {
            const size_t end = std::min(begin + tile, n);
            const softmax_powers own(in, begin, end);
            for (size_t i = begin; is_tiled && i < end; i++)
                is_tiled = near.allows(of.result[i], own.share(in[i]));
        }
        if (is_tiled)
            return {{"tiles", tile, "each " + number(tile) + " elements are divided by their own sum"}};
    }
    long double total = 0;
    for (size_t i = 0; i < n; i++)
        total += of.result[i];
    if (std::fabs(total - 1) > 0.01L)
        return {
            {"total", 0,
             "the results add up to " + text_of(of.result.type(), rounded_to(of.result.type(), total)) + ", not to 1"}};
    return {{"from", 0,
             wrong.index == 0 ? "the first result is wrong" : "it is right up to element " + number(wrong.index - 1)}};
}

} // namespace

std::string range_of(size_t begin, size_t end) {
    return end - begin == 1 ? "element " + number(begin) : "elements " + number(begin) + " to " + number(end - 1);
}

std::vector<size_t> tile_sizes(const options &options) {
    std::vector<size_t> sizes;
    if (options.block_size > 1)
        sizes = {options.block_size, 2 * size_t(options.block_size)};
    for (size_t usual = 1024; usual >= 2; usual /= 2)
        if (std::find(sizes.begin(), sizes.end(), usual) == sizes.end())
            sizes.push_back(usual);
    return sizes;
}

std::vector<remark> remarks_on_array(task what, const judged &of, const check &wrong, const options &options) {
    switch (what) {
    case task::max:
    case task::min:
        return on_extreme(of, what == task::max, options);
    case task::argmax:
    case task::argmin:
        return on_place(of, what == task::argmax, options);
    case task::inclusive_sum:
    case task::exclusive_sum:
        return on_scan(of, what == task::inclusive_sum, wrong, options);
    case task::sort_ascending:
    case task::sort_descending:
        return on_sort(of, what == task::sort_ascending, options);
    case task::histogram:
        return on_histogram(of, wrong);
    case task::softmax:
        return on_softmax(of, wrong, options);
    default:
        return {};
    }
}

std::vector<remark> remarks_on(task what, const judged &of, const check &wrong, const options &options) {
    return adds(what) ? remarks_on_sum(what, of, wrong, options) : remarks_on_array(what, of, wrong, options);
}

} // namespace wf::tried::verdict
