#include "softmax.hpp"

#include <algorithm>
#include <cmath>

namespace wf::tried::verdict {

namespace {

// Of elements [begin, end): their maximum, and the sum of e^(x - maximum).
struct powers {
    long double most = -HUGE_VALL, sum = 0;

    powers(const elements &in, size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++)
            most = std::max(most, in[i]);
        for (size_t i = begin; i < end; i++)
            sum += std::exp(in[i] - most);
    }
    long double share(long double x) const { return std::exp(x - most) / sum; }
};

// What a result may be off by. Roundings: two to add a power to the sum, three to scale it where the maximum grows, and
// for e^x by the GPU's own instruction 2 ulps and another for each unit of |x|. They are of f32 if the result is
// narrower, unless so few are telling in its own precision. What lies below the normal floats may be 0.
class tolerance {
  public:
    explicit tolerance(const judged &of) : type_(of.result.type()) {
        long double magnitude = 0;
        for (size_t i = 0; i < of.n(); i++)
            magnitude = std::max(magnitude, std::fabs(of.inputs[0][i]));
        const long double steps = 5 * (long double)(of.n()) + 16 + 8 * magnitude;
        const int own = facts_of(type_).precision, given = facts_of(of.inputs[0].type()).precision;
        const long double narrow = std::ldexp(steps, -own);
        relative_ = own >= 24 ? std::ldexp(steps, -std::clamp(given, 24, own))
                              : std::max(std::ldexp(steps, -24), narrow <= most_ ? narrow : 0);
        least_ = std::ldexp(1.0L, facts_of(type_).min_exponent);
    }
    bool allows(long double got, long double expected) const {
        return std::fabs(got - expected) <= relative_ * expected + ulp_of(type_, expected) / 2 + least_;
    }
    bool is_telling() const { return relative_ <= most_; }

  private:
    static constexpr long double most_ = 0.125L;

    element_type type_;
    long double relative_ = 0, least_ = 0;
};

template <class Expected>
bool equals(const judged &of, const tolerance &near, const Expected &expected) {
    for (size_t i = 0; i < of.n(); i++)
        if (!near.allows(of.result[i], expected(i)))
            return false;
    return true;
}

} // namespace

check check_softmax(const judged &of) {
    check made;
    const elements &in = of.inputs[0];
    const tolerance near(of);
    if (of.n() == 0 || of.row > 1 || !facts_of(of.result.type()).is_float || !near.is_telling())
        return made;
    const powers all(in, 0, of.n());
    if (!std::isfinite(all.sum))
        return made;
    made.applies = true;
    size_t right = 0;
    for (size_t i = 0; i < of.n(); i++) {
        const long double expected = all.share(in[i]), got = i < of.result.size() ? of.result[i] : std::nanl("");
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

std::vector<remark> remarks_on_softmax(const judged &of, const check &wrong, const options &options) {
    const elements &in = of.inputs[0];
    const size_t n = of.n();
    const tolerance near(of);
    if (of.result.size() < n)
        return {{"unwritten", 0, range_of(of.result.size(), n) + " of the result were never written"}};
    bool has_nan = false;
    for (size_t i = 0; i < n; i++)
        has_nan = has_nan || std::isnan(of.result[i]);
    const powers all(in, 0, n);
    constexpr long double most_power = 88; // e^89 overflows f32
    if (has_nan)
        return {{"overflow", 0,
                 all.most > most_power ? "e^x overflows: subtract the maximum from each element first"
                                       : "the result is no number: is the maximum one of the elements?"}};
    if (n > 1 && equals(of, near, [&](size_t i) { return std::exp(in[i] - all.most); }))
        return {{"not divided", 0, "it is e^(x - maximum), not divided by the sum of these"}};
    for (const size_t tile : tile_sizes(options)) {
        bool is_tiled = n > tile;
        for (size_t begin = 0; is_tiled && begin < n; begin += tile) {
            const size_t end = std::min(begin + tile, n);
            const powers own(in, begin, end);
            for (size_t i = begin; is_tiled && i < end; i++)
                is_tiled = near.allows(of.result[i], own.share(in[i]));
        }
        if (is_tiled)
            return {{"tiles", tile, "each " + std::to_string(tile) + " elements are divided by their own sum"}};
    }
    long double total = 0;
    for (size_t i = 0; i < n; i++)
        total += of.result[i];
    if (std::fabs(total - 1) > 0.01L)
        return {
            {"total", 0,
             "the results add up to " + text_of(of.result.type(), rounded_to(of.result.type(), total)) + ", not to 1"}};
    return {{"from", 0,
             wrong.index == 0 ? "the first result is wrong"
                              : "it is right up to element " + std::to_string(wrong.index - 1)}};
}

} // namespace wf::tried::verdict
