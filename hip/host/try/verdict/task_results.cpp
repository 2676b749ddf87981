#include "task_results.hpp"

#include "rounding_rule.hpp"
#include "softmax.hpp"

#include <algorithm>
#include <cmath>

namespace wf::tried::verdict {

namespace {

bool same(long double a, long double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

std::string added_in(element_type type) {
    return std::string("it was added in ") + facts_of(type).name + ": the result's type holds more digits";
}

// ---- Sums -----------------------------------------------------------------------------------------------------------

// What is made of the exact sum.
long double finished(task what, long double sum, size_t n) {
    return what == task::mean || what == task::mse ? sum / (long double)(n) : what == task::norm ? std::sqrt(sum) : sum;
}

// A bound on the sum's error becomes one on the mean's, or on the norm's.
long double finished_bound(task what, long double bound, long double expected, size_t n) {
    if (what == task::mean || what == task::mse)
        return bound / (long double)(n);
    if (what == task::norm)
        return expected > 0 ? bound / expected : std::sqrt(bound);
    return bound;
}

void check_integer(check &made, task what, const judged &of, const exact_total &total) {
    const type_facts &type = facts_of(of.result.type());
    const long double sum = total.value();
    if (is_finished_sum(what)) {
        made.expected = rounded_to(of.result.type(), finished(what, sum, of.n()));
        made.fits = made.got == made.expected || made.got == std::floor(finished(what, sum, of.n()));
        return;
    }
    const bool is_integral = std::isfinite(sum) && sum == std::trunc(sum);
    made.expected = is_integral ? total.modulo(int(8 * type.bytes), type.is_signed) : sum;
    made.fits = made.got == made.expected;
    if (made.fits && made.expected != sum)
        made.note = std::string("the sum does not fit ") + type.name + ", which keeps its low bits";
}

void check_float(check &made, task what, const judged &of, exact_total total, const term_facts &facts) {
    const element_type type = of.result.type();
    const long double sum = total.value();
    made.expected = finished(what, sum, of.n());
    if (!std::isfinite(made.expected) || !std::isfinite(rounded_to(type, made.expected)) || !std::isfinite(made.got)) {
        made.fits = same(made.got, rounded_to(type, made.expected));
        return;
    }
    const bool is_finished = is_finished_sum(what);
    const size_t steps = std::max(facts.terms, size_t(1)) - 1 + (what == task::dot || what == task::sumsq) +
                         (what == task::mse ? 2 : 0) + (is_finished ? 4 : 0);
    const rounding_rule rule(type, of.inputs[0].type(), facts, steps, sum);
    if (!is_finished)
        total.add(-made.got);
    const long double error = std::fabs(is_finished ? made.expected - made.got : total.value());
    const long double ulp = ulp_of(type, made.expected);
    const long double tiny = what == task::sum ? 0 : (long double)(facts.terms) * ulp_of(type, 0); // products underflow
    const long double finish = is_finished ? 4 * ulp : 0; // a division or a root, and what fast ones lose
    if (rule.demands_exact && what != task::mean && what != task::mse) { // a mean may divide each element
        made.fits = error <= finish;
        return;
    }
    const long double bound = finished_bound(what, rule.bound, made.expected, of.n()) + finish + tiny;
    made.is_rounded = !rule.demands_exact;
    made.ulps = double(error / ulp);
    made.bound_ulps = double(bound / ulp);
    if (of.depth != 0)
        made.depth_ulps = double((long double)(of.depth) *
                                 std::ldexp(facts.magnitudes, -std::max(facts_of(type).precision, 24)) / ulp);
    made.fits = error <= bound;
    if (!made.fits && rule.coarse_bound != 0 &&
        error <= finished_bound(what, rule.coarse_bound, made.expected, of.n()) + finish + tiny) {
        made.fits = true;
        made.note = added_in(of.inputs[0].type());
    }
}

long double total_of(const elements &parts) {
    exact_total total;
    for (size_t i = 0; i < parts.size(); i++)
        total.add(parts[i]);
    return total.value();
}

check check_sum(task what, const judged &of, const options &options) {
    check made;
    const summands terms{of, what};
    exact_total total;
    term_facts facts;
    for (size_t i = 0; i < terms.size(); i++) {
        terms.add_to(total, i);
        const long double x = of.inputs[0][i];
        if (what == task::dot)
            facts.add(x, of.inputs[1][i]);
        else if (what == task::mse)
            facts.add(x - of.inputs[1][i], x - of.inputs[1][i]);
        else if (what == task::sumsq || what == task::norm)
            facts.add(x, x);
        else
            facts.add(what == task::count ? terms[i] : x);
    }
    made.applies = true;
    made.got = of.result[0];
    const auto judge = [&] {
        if (facts_of(of.result.type()).is_float)
            check_float(made, what, of, total, facts);
        else
            check_integer(made, what, of, total);
    };
    judge();
    const size_t parts = of.result.size();
    const bool may_be_parts = parts > 1 && parts != of.n() && (what == task::sum || what == task::dot);
    if (!made.fits && options.allows_parts && may_be_parts) {
        check whole = made;
        std::swap(whole, made);
        made.got = total_of(of.result);
        judge();
        if (made.fits)
            made.note = "it left " + std::to_string(parts) +
                        " partial sums, whose total is right; element 0 alone is " +
                        text_of(of.result.type(), whole.got);
        else
            made = whole;
    }
    made.agreement = made.fits;
    return made;
}

// ---- Extremes -------------------------------------------------------------------------------------------------------

check check_extreme(const judged &of, bool is_max) {
    check made;
    const elements &in = of.inputs[0];
    if (in.size() == 0)
        return made;
    bool has_nan = false;
    for (size_t i = 0; i < in.size(); i++)
        has_nan = has_nan || std::isnan(in[i]);
    made.applies = true;
    made.got = of.result[0];
    made.expected = rounded_to(of.result.type(), in[place_of_extreme(in, is_max)]);
    made.fits = same(made.got, made.expected) || (has_nan && std::isnan(made.got));
    made.agreement = made.fits;
    return made;
}

check check_place_of_extreme(const judged &of, bool is_max) {
    check made;
    const elements &in = of.inputs[0];
    if (in.size() == 0)
        return made;
    const size_t place = place_of_extreme(in, is_max);
    made.applies = true;
    made.got = of.result[0];
    made.expected = (long double)(place);
    const bool is_index = made.got >= 0 && made.got < (long double)(in.size()) && made.got == std::trunc(made.got);
    made.fits = is_index && in[size_t(made.got)] == in[place]; // any of equal ones
    made.agreement = made.fits;
    return made;
}

// ---- Arrays ---------------------------------------------------------------------------------------------------------

// Compares element by element.
class comparison {
  public:
    explicit comparison(const judged &of) : of_(of) { made.applies = true; }
    void add(long double expected, bool is_right) {
        const bool is_there = count_ < of_.result.size();
        if (is_right && is_there)
            right_++;
        else if (right_ == count_) { // the first wrong one
            made.index = count_;
            made.expected = expected;
            made.got = is_there ? of_.result[count_] : std::nanl("");
        }
        count_++;
    }
    check finish() {
        made.fits = right_ == count_;
        made.agreement = count_ == 0 ? 1 : double(right_) / double(count_);
        return made;
    }
    check made;

  private:
    const judged &of_;
    size_t count_ = 0, right_ = 0;
};

long double result_at(const judged &of, size_t i) {
    return i < of.result.size() ? of.result[i] : std::nanl("");
}

check check_scan(const judged &of, bool is_inclusive) {
    const elements &in = of.inputs[0];
    const element_type type = of.result.type();
    const bool is_float = facts_of(type).is_float;
    comparison compared(of);
    exact_total total;
    term_facts facts, all;
    for (size_t i = 0; i < in.size(); i++)
        all.add(in[i]);
    const bool is_short = all.is_exact_in(64); // long double adds without rounding, and much faster
    const auto wraps = [&](const exact_total &of_integers) {
        return of_integers.modulo(int(8 * facts_of(type).bytes), facts_of(type).is_signed);
    };
    long double sum = 0, wrapped_before = 0;
    for (size_t i = 0; i < in.size(); i++) {
        const long double x = in[i], before = sum;
        if (is_short)
            sum += x;
        else {
            total.add(x);
            sum = total.value();
        }
        facts.add(x);
        const long double expected = is_inclusive ? sum : before, got = result_at(of, i);
        if (!is_float && !is_short) {
            const long double wrapped = is_inclusive ? wraps(total) : wrapped_before;
            wrapped_before = wraps(total);
            compared.add(wrapped, got == wrapped);
            continue;
        }
        if (!is_float || !std::isfinite(expected) || !std::isfinite(got)) {
            compared.add(expected, same(got, rounded_to(type, expected)));
            continue;
        }
        const rounding_rule rule(type, in.type(), facts, facts.terms + 1, expected); // one may subtract x
        const long double error = std::fabs(expected - got), ulp = ulp_of(type, expected);
        compared.add(expected, error <= (rule.demands_exact ? 0 : std::max(rule.bound, rule.coarse_bound)));
        if (rule.demands_exact || double(error / ulp) < compared.made.ulps)
            continue;
        compared.made.is_rounded = true;
        compared.made.ulps = double(error / ulp);
        compared.made.bound_ulps = double(rule.bound / ulp);
    }
    return compared.finish();
}

check check_sort(const judged &of, bool is_ascending) {
    std::vector<long double> sorted(of.n());
    for (size_t i = 0; i < sorted.size(); i++)
        sorted[i] = of.inputs[0][i];
    std::sort(sorted.begin(), sorted.end(), [&](long double a, long double b) { // NaNs behind all others
        if (std::isnan(a) || std::isnan(b))
            return !std::isnan(a);
        return is_ascending ? a < b : a > b;
    });
    comparison compared(of);
    for (size_t i = 0; i < sorted.size(); i++)
        compared.add(sorted[i], same(result_at(of, i), sorted[i]));
    return compared.finish();
}

// Where some elements are great, most results are 0. Zeros at the end may be missing.
check check_softmax(const judged &of) {
    check made;
    const elements &in = of.inputs[0];
    const softmax_tolerance near(of);
    if (of.n() == 0 || of.row > 1 || !facts_of(of.result.type()).is_float || !near.is_telling())
        return made;
    const softmax_powers all(in, 0, of.n());
    if (!std::isfinite(all.sum))
        return made;
    made.applies = of.result.size() > 1 || of.n() == 1;
    for (size_t i = of.result.size(); i < of.n(); i++)
        made.applies = made.applies && near.allows(0, all.share(in[i]));
    size_t right = 0;
    for (size_t i = 0; i < of.n(); i++) {
        const long double expected = all.share(in[i]), got = i < of.result.size() ? of.result[i] : 0;
        if (near.allows(got, expected)) {
            right++;
        } else if (right == i || (std::isnan(got) && !std::isnan(made.got))) { // the first wrong one, or NaN
            made.index = i;
            made.expected = rounded_to(of.result.type(), expected);
            made.got = got;
        }
    }
    made.fits = right == of.n();
    made.agreement = double(right) / double(of.n());
    return made;
}

bool has_integral_values(const elements &in) {
    for (size_t i = 0; i < in.size(); i++)
        if (!(in[i] >= 0 && in[i] == std::trunc(in[i])))
            return false;
    return true;
}

check check_counts(const judged &of, const std::vector<size_t> &bins) {
    std::vector<size_t> counts(of.result.size());
    for (const size_t bin : bins)
        if (bin < counts.size())
            counts[bin]++;
    comparison compared(of);
    for (size_t i = 0; i < counts.size(); i++)
        compared.add((long double)(counts[i]), of.result[i] == (long double)(counts[i]));
    return compared.finish();
}

check check_histogram(const judged &of) {
    const elements &in = of.inputs[0];
    const size_t bins = of.result.size();
    if (bins < 2 || !has_integral_values(in))
        return {};
    const check direct = check_counts(of, bins_of(in, bins));
    if (direct.fits || total_of(of.result) == 0)
        return direct;
    // Values that share bins: v % bins, v * bins / 256, and letters.
    const auto mapped = [&](auto bin_of) {
        std::vector<size_t> of_elements(in.size());
        for (size_t i = 0; i < in.size(); i++)
            of_elements[i] = bin_of(size_t(in[i]));
        return check_counts(of, of_elements);
    };
    const check others[] = {mapped([&](size_t v) { return v % bins; }),
                            mapped([&](size_t v) { return v * bins / 256; }), mapped([&](size_t v) {
                                const size_t letters = (26 + bins - 1) / bins;
                                return v >= 'a' && v <= 'z' ? (v - 'a') / letters : bins;
                            }),
                            mapped([&](size_t v) { return std::min(v, bins - 1); })};
    for (const check &other : others)
        if (other.fits)
            return other;
    return direct;
}

} // namespace

// ---- What the hints use, too ----------------------------------------------------------------------------------------

long double summands::operator[](size_t i) const {
    const long double x = of.inputs[0][i];
    switch (what) {
    case task::dot:
        return x * of.inputs[1][i];
    case task::mse:
        return (x - of.inputs[1][i]) * (x - of.inputs[1][i]);
    case task::sumsq:
    case task::norm:
        return x * x;
    case task::count:
        return x == (long double)(of.scalars.front());
    default:
        return x;
    }
}

void summands::add_to(exact_total &total, size_t i) const {
    const long double x = of.inputs[0][i];
    if (what == task::dot) {
        total.add_product(x, of.inputs[1][i]);
    } else if (what == task::mse) {
        const long double y = of.inputs[1][i];
        total.add_product(x, x);
        total.add_product(-2 * x, y);
        total.add_product(y, y);
    } else if (what == task::sumsq || what == task::norm) {
        total.add_product(x, x);
    } else {
        total.add((*this)[i]);
    }
}

size_t place_of_extreme(const elements &in, bool is_max) {
    size_t place = 0;
    for (size_t i = 1; i < in.size(); i++)
        if (std::isnan(in[place]) || (is_max ? in[i] > in[place] : in[i] < in[place]))
            place = i;
    return place;
}

std::vector<size_t> bins_of(const elements &in, size_t bins) {
    std::vector<size_t> made(in.size());
    for (size_t i = 0; i < in.size(); i++)
        made[i] = in[i] >= 0 && in[i] < (long double)(bins) ? size_t(in[i]) : bins;
    return made;
}

namespace {

// Of a kernel that wrote as many elements as it has read, element 0 alone is no result, unless it worked in place.
bool is_array_of_results(const judged &of) {
    return of.n() > 1 && of.result.size() >= of.n() && !of.is_in_place;
}

// The first elements, roughly.
bool may_be_scan(const judged &of, bool is_inclusive) {
    constexpr size_t most = 64;
    const type_facts &type = facts_of(of.result.type());
    long double sum = 0, magnitudes = 0;
    for (size_t i = 0; i < std::min(of.n(), most); i++) {
        const long double before = sum, got = of.result[i];
        sum += of.inputs[0][i];
        magnitudes += std::fabs(of.inputs[0][i]);
        const long double expected = rounded_to(of.result.type(), is_inclusive ? sum : before);
        const long double bound = type.is_float ? std::ldexp(magnitudes * (long double)(most), -type.precision) : 0;
        if (std::isfinite(expected) && !(std::fabs(got - expected) <= bound))
            return false;
    }
    return true;
}

} // namespace

bool may_fit(task what, const judged &of) {
    const elements &out = of.result;
    const auto all = [&](auto is_possible) {
        for (size_t i = 0; i < out.size(); i++)
            if (!is_possible(i))
                return false;
        return true;
    };
    if (of.n() < 2 || !is_array_task(what))
        return true;
    if (what == task::histogram)
        return all([&](size_t i) { return out[i] >= 0 && out[i] <= (long double)(of.n()); });
    if (out.size() < of.n())
        return false;
    switch (what) {
    case task::inclusive_sum:
    case task::exclusive_sum:
        return may_be_scan(of, what == task::inclusive_sum);
    case task::sort_ascending:
        return all([&](size_t i) { return i == 0 || !(out[i] < out[i - 1]); });
    case task::sort_descending:
        return all([&](size_t i) { return i == 0 || !(out[i] > out[i - 1]); });
    default: // softmax
        return all([&](size_t i) { return out[i] >= 0 && out[i] <= 1.25L; });
    }
}

check check_of(task what, const judged &of, const options &options) {
    if (of.inputs.empty() || of.result.size() == 0)
        return {};
    if (!is_array_task(what) && is_array_of_results(of)) {
        const bool may_be_parts = what == task::sum && options.allows_parts && of.result.size() != of.n();
        const check parts = may_be_parts ? check_sum(what, of, options) : check{};
        return parts.fits ? parts : check{};
    }
    const bool is_array = of.result.size() > 1 || of.n() <= 1;
    switch (what) {
    case task::softmax:
        return check_softmax(of);
    case task::dot:
    case task::mse:
        return of.n() > 0 && of.inputs.size() >= 2 && of.inputs[1].size() == of.n() ? check_sum(what, of, options)
                                                                                    : check{};
    case task::count:
        return !of.scalars.empty() ? check_sum(what, of, options) : check{};
    case task::mean:
    case task::norm:
        return of.n() > 0 ? check_sum(what, of, options) : check{};
    case task::sum:
    case task::sumsq:
        return check_sum(what, of, options);
    case task::max:
    case task::min:
        return check_extreme(of, what == task::max);
    case task::argmax:
    case task::argmin:
        return check_place_of_extreme(of, what == task::argmax);
    case task::inclusive_sum:
    case task::exclusive_sum:
        return is_array ? check_scan(of, what == task::inclusive_sum) : check{};
    case task::sort_ascending:
    case task::sort_descending:
        return is_array ? check_sort(of, what == task::sort_ascending) : check{};
    case task::histogram:
        return check_histogram(of);
    }
    return {};
}

} // namespace wf::tried::verdict
