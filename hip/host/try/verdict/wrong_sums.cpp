// Explains wrong sums: elements left out or added twice, threads that a tree loses, another task's result.
#include "wrong_results.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wf::tried::verdict {

namespace {

bool is_power_of_two(size_t x) {
    return (x & (x - 1)) == 0;
}

// Sums of the terms, compared with what the kernel gave.
class wrong_sum {
  public:
    wrong_sum(task what, const judged &of, const check &wrong, const options &options)
        : what_(what), of_(of), options_(options), terms_{of, what}, n_(terms_.size()), sums_(n_ + 1) {
        long double magnitudes = 0;
        for (size_t i = 0; i < n_; i++) {
            sums_[i + 1] = sums_[i] + terms_[i];
            magnitudes += std::fabs(terms_[i]);
        }
        got_ = what == task::mean || what == task::mse ? wrong.got * (long double)(n_)
               : what == task::norm                    ? wrong.got * wrong.got
                                                       : wrong.got;
        const type_facts &type = facts_of(of.result.type());
        const bool finishes = is_finished_sum(what);
        if (wrong.is_rounded || (finishes && type.is_float))
            tolerance_ = std::ldexp(magnitudes, -type.precision) * (wrong.is_rounded ? 16 : 4);
        else if (finishes && what != task::norm)
            tolerance_ = (long double)(n_);
    }

    std::vector<remark> all() {
        if (std::isnan(got_) && std::isfinite(whole()))
            return {{"nan", 0,
                     "the result is no number: the kernel added memory that was never written, or left it there"}};
        find_partial_tile();
        find_nothing();
        find_multiple();
        find_start();
        find_tree();
        find_lanes();
        find_one();
        find_range_twice();
        find_range_missing();
        find_other_task();
        find_narrow_integers();
        return std::move(found_);
    }

  private:
    long double whole() const { return sums_[n_]; }
    bool is_got(long double sum) const { return std::fabs(sum - got_) <= tolerance_; }
    void add(const char *kind, size_t parameter, const std::string &text) { found_.push_back({kind, parameter, text}); }
    const char *word() const { return what_ == task::count ? "counted" : "added"; }

    // Whether kernels read none of [begin, end), as far as the caller knows.
    bool is_unread(size_t begin, size_t end) const {
        if (!of_.read)
            return false;
        return std::none_of(of_.read->begin(), of_.read->end(),
                            [&](const auto &range) { return range.first < end && begin < range.second; });
    }
    std::string never(size_t begin, size_t end, bool is_start = false) const {
        const bool is_one = end - begin == 1 && !is_start;
        const std::string which = is_one      ? "element " + std::to_string(begin) + " was"
                                  : end == n_ ? "elements " + std::to_string(begin) + " and on were"
                                              : range_of(begin, end) + " were";
        return which + " never " + (is_unread(begin, end) ? "read" : word());
    }

    void find_partial_tile() {
        for (const size_t tile : tile_sizes(options_)) {
            const size_t whole_tiles = n_ / tile * tile, rest = n_ - whole_tiles;
            const bool is_own =
                options_.block_size != 0 && tile <= 2 * size_t(options_.block_size) && tile >= options_.block_size;
            if (rest != 0 && (is_own || (whole_tiles != 0 && rest > 1)) && is_got(sums_[whole_tiles])) {
                add("partial tile", 0,
                    "the last tile is not full and was left out: " + never(whole_tiles, n_) + " (tiles of " +
                        std::to_string(tile) + ")");
                return;
            }
        }
    }

    void find_nothing() {
        if (got_ == 0 && whole() != 0)
            add("nothing", 0, "the result is 0: nothing was added to it, or it was cleared afterwards");
    }

    void find_multiple() {
        if (whole() == 0)
            return;
        const long double times = std::nearbyint(got_ / whole());
        const bool is_undivided = what_ != task::norm && is_finished_sum(what_) && times == (long double)(n_);
        if (!is_undivided && times >= 2 && times <= 65536 && is_got(times * whole()))
            add("multiple", 0,
                times == 2 ? "everything was added twice"
                           : "everything was added " + std::to_string(size_t(times)) + " times");
    }

    // Only elements 0 to k - 1, or all but these.
    void find_start() {
        std::vector<size_t> starts;
        for (size_t k = 1; k < n_; k++)
            if (is_got(sums_[k]))
                starts.push_back(k);
        for (const size_t tile : tile_sizes(options_))
            if (std::count(starts.begin(), starts.end(), tile) != 0)
                return add("start", tile,
                           "it equals the sum of the first " + std::to_string(tile) +
                               " elements: " + never(tile, n_, true));
        // By chance other sums are the same: kernels leave off at round numbers.
        std::sort(starts.begin(), starts.end(), [](size_t a, size_t b) { return (a & (0 - a)) > (b & (0 - b)); });
        const bool is_round = starts.size() > 1 && starts[0] % 32 == 0 && starts[1] % 32 != 0;
        if (starts.size() == 1 && starts[0] == 1)
            return add("start", 1, "it is element 0 alone");
        if ((starts.size() == 1 || is_round) && n_ - starts[0] > 1)
            return add("start", starts[0],
                       "it equals the sum of the first " + std::to_string(starts[0]) +
                           " elements: " + never(starts[0], n_, true));
        std::vector<size_t> ends;
        for (size_t k = 2; k < n_; k++)
            if (is_got(whole() - sums_[k]))
                ends.push_back(k);
        if (ends.size() == 1)
            add("end", ends[0], never(0, ends[0]));
    }

    // Of each m elements only the first w: one lane of each wave, one wave of each tile, every other element.
    void find_lanes() {
        for (const size_t tile : tile_sizes(options_))
            for (size_t w = 1; w < tile && tile < n_; w *= 2) {
                long double sum = 0;
                for (size_t begin = 0; begin < n_; begin += tile)
                    sum += sums_[std::min(begin + w, n_)] - sums_[begin];
                if (!is_got(sum))
                    continue;
                const std::string part = w == 1 ? "only one was " : "only the first " + std::to_string(w) + " were ";
                return add("lanes", tile * 4096 + w, "of each " + std::to_string(tile) + " elements " + part + word());
            }
    }

    // `for (s = tile / 2; s > 0; s /= 2) if (t < s) cells[t] += cells[t + s]` loses the last cell where s is odd.
    void find_tree() {
        const size_t tile = options_.block_size;
        if (tile < 3 || is_power_of_two(tile))
            return;
        std::vector<std::vector<size_t>> cells(tile);
        for (size_t t = 0; t < tile; t++)
            cells[t] = {t};
        for (size_t s = tile / 2; s > 0; s /= 2)
            for (size_t t = 0; t < s; t++)
                cells[t].insert(cells[t].end(), cells[t + s].begin(), cells[t + s].end());
        std::vector<size_t> times(tile);
        for (const size_t t : cells[0])
            times[t]++;
        long double sum = 0;
        for (size_t i = 0; i < n_; i++)
            sum += (long double)(times[i % tile]) * terms_[i];
        if (!is_got(sum))
            return;
        const auto lost = size_t(std::count(times.begin(), times.end(), size_t(0)));
        add("tree", tile,
            std::to_string(tile) + " is no power of two: a tree that halves its stride loses the sums of " +
                std::to_string(lost) + " of the " + std::to_string(tile) + " threads");
    }

    void find_one() {
        const auto only = [&](long double difference) {
            size_t place = n_, count = 0;
            for (size_t i = 0; i < n_; i++)
                if (terms_[i] != 0 && std::fabs(terms_[i] - difference) <= tolerance_) {
                    place = i;
                    count++;
                }
            return std::pair(place, count);
        };
        const auto name = [&](size_t i) {
            return (i == n_ - 1 ? "the last element, "
                    : i == 0    ? "the first element, "
                                : "element ") +
                   std::to_string(i);
        };
        const auto place = [&](size_t i) { return i == n_ - 1 ? size_t(1) : i == 0 ? size_t(2) : size_t(0); };
        if (n_ < 2 || what_ == task::count)
            return;
        const auto [missing, missing_count] = only(whole() - got_);
        if (missing_count == 1)
            add("one missing", place(missing),
                "off by one element: " + name(missing) + ", was never " +
                    (is_unread(missing, missing + 1) ? "read" : word()));
        const auto [twice, twice_count] = only(got_ - whole());
        if (twice_count == 1)
            add("one twice", place(twice), "off by one element: " + name(twice) + ", was added twice");
    }

    void find_range_twice() {
        const long double more = got_ - whole();
        if (more == 0)
            return;
        std::vector<size_t> starts, ends;
        for (size_t k = 2; k < n_; k++) {
            if (std::fabs(sums_[k] - more) <= tolerance_)
                starts.push_back(k);
            if (std::fabs(whole() - sums_[k] - more) <= tolerance_)
                ends.push_back(k);
        }
        if (starts.size() == 1)
            add("start twice", starts[0], range_of(0, starts[0]) + " were added twice");
        else if (ends.size() == 1 && n_ - ends[0] > 1)
            add("end twice", 0, range_of(ends[0], n_) + " were added twice");
    }

    // Whole waves within the array.
    void find_range_missing() {
        constexpr size_t unit = 32, most = 256; // units; pairs of them are compared
        std::vector<std::pair<size_t, size_t>> ranges;
        for (size_t a = unit; a < n_ && n_ / unit <= most; a += unit)
            for (size_t b = a + unit; b < n_ && ranges.size() < 2; b += unit)
                if (is_got(whole() - (sums_[b] - sums_[a])))
                    ranges.emplace_back(a, b);
        if (ranges.size() == 1)
            add("range", ranges[0].first, never(ranges[0].first, ranges[0].second));
    }

    void find_other_task() {
        const elements &in = of_.inputs[0];
        if (n_ < 3)
            return;
        const auto is = [&](long double other) { return std::fabs(other - got_) <= tolerance_; };
        long double magnitudes = 0, squares = 0, whole_numbers = 0;
        for (size_t i = 0; i < n_; i++) {
            magnitudes += std::fabs(in[i]);
            squares += in[i] * in[i];
            whole_numbers += std::trunc(in[i]);
        }
        const long double plain = of_.result[0];
        if (plain == in[place_of_extreme(in, true)])
            add("max", 0, "it is the maximum");
        else if (plain == in[place_of_extreme(in, false)])
            add("min", 0, "it is the minimum");
        else if ((what_ == task::mean || what_ == task::mse) && std::fabs(plain - whole()) <= tolerance_)
            add("sum", 0, "it is the sum, not divided by n");
        else if (what_ == task::mse && std::fabs(plain * plain * (long double)(n_)-whole()) <= 16 * tolerance_)
            add("root", 0, "it is the root of the mean squared error");
        else if ((what_ == task::mean || what_ == task::mse) && is(whole() / (long double)(n_ - 1) * (long double)(n_)))
            add("n - 1", 0, "it was divided by n - 1");
        else if (what_ == task::norm && std::fabs(plain - whole()) <= tolerance_)
            add("squares", 0, "it is the sum of squares: the square root is missing");
        else if ((what_ == task::norm || what_ == task::sumsq) && is(magnitudes))
            add("magnitudes", 0, "it is the sum of magnitudes");
        else if (what_ == task::sum && magnitudes != whole() && is(magnitudes))
            add("magnitudes", 0, "it is the sum of magnitudes");
        else if (what_ == task::sum && is(squares))
            add("squares", 0, "it is the sum of squares");
        else if (what_ == task::sum && whole_numbers != whole() && is(whole_numbers))
            add("fractions", 0, "the fractions are lost: the elements were added as integers");
        else if (what_ == task::sum && plain == std::trunc(whole()) && plain != whole())
            add("fraction", 0, "its fraction is lost: the result became an integer");
    }

    void find_narrow_integers() {
        for (const element_type type : {element_type::i32, element_type::u32, element_type::i16, element_type::u16,
                                        element_type::i8, element_type::u8})
            if (facts_of(type).bytes < facts_of(of_.result.type()).bytes && rounded_to(type, whole()) == got_ &&
                whole() != got_)
                return add("narrow", 0,
                           "it was added in integers of " + std::to_string(8 * facts_of(type).bytes) +
                               " bits, which overflow");
    }

    const task what_;
    const judged &of_;
    const options &options_;
    const summands terms_;
    const size_t n_;
    std::vector<long double> sums_; // of the first k terms
    long double got_ = 0, tolerance_ = 0;
    std::vector<remark> found_;
};

} // namespace

std::vector<remark> remarks_on_sum(task what, const judged &of, const check &wrong, const options &options) {
    return wrong_sum(what, of, wrong, options).all();
}

} // namespace wf::tried::verdict
