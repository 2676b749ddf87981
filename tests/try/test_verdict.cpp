// The verdicts on results made by hand, right and wrong.
#include "host/try/verdict/exact_total.hpp"
#include "host/try/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf::tried::verdict;

namespace {

__extension__ typedef __int128 wide_integer;

const std::vector<size_t> sizes = {1, 31, 33, 255, 257, 512, 1021, 4099};

// As the trial's elements: distinct halves of both signs, whose sums f32 holds.
template <class T = float>
std::vector<T> exact_data(size_t n) {
    std::vector<T> made(n);
    for (size_t i = 0; i < n; i++) {
        const T magnitude = T(double(i * 7919 % 4099 + 1) * (std::numeric_limits<T>::is_integer ? 1 : 0.5));
        made[i] = ((i + 1) * 0x9e3779b97f4a7c15u >> 61) % 3 == 0 ? T(-magnitude) : magnitude;
    }
    return made;
}

std::vector<float> random_data(size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> any(-1, 1);
    std::vector<float> made(n);
    std::generate(made.begin(), made.end(), [&] { return any(random); });
    return made;
}

template <class T>
constexpr element_type type_of = std::is_same_v<T, float>      ? element_type::f32
                                 : std::is_same_v<T, double>   ? element_type::f64
                                 : std::is_same_v<T, int>      ? element_type::i32
                                 : std::is_same_v<T, unsigned> ? element_type::u32
                                 : std::is_same_v<T, int64_t>  ? element_type::i64
                                 : std::is_same_v<T, uint64_t> ? element_type::u64
                                 : std::is_same_v<T, int8_t>   ? element_type::i8
                                                               : element_type::u8;

template <class T>
numbers of(const std::vector<T> &from, const char *name) {
    return {type_of<T>, from.data(), from.size(), name};
}

template <class In, class Out>
experiment run(const std::vector<In> &in, const std::vector<Out> &out) {
    return {.inputs = {of(in, "in")}, .result = of(out, "out")};
}

// What the judge says of a function of one array, which returns the result.
template <class In = float, class Function>
conclusion verdict_on(const Function &function, options what = {}, std::optional<task> forced = {}) {
    judge one(what);
    for (const size_t n : sizes) {
        const std::vector<In> in = exact_data<In>(n);
        one.add(run(in, function(in)));
    }
    return one.conclude(forced);
}

void expect(const conclusion &got, outcome is, task what, const char *text = "") {
    if (got.is != is || got.what != what || std::strstr(got.sentence.c_str(), text) == nullptr)
        print_message("%s, %s\n", name_of(got.what), got.sentence.c_str());
    assert_int_equal(int(got.is), int(is));
    assert_string_equal(name_of(got.what), name_of(what));
    assert_non_null(std::strstr(got.sentence.c_str(), text));
}

template <class T>
T total(const std::vector<T> &in) {
    return std::accumulate(in.begin(), in.end(), T(0));
}

using floats = std::vector<float>;

// ---- Exact totals ---------------------------------------------------------------------------------------------------

void test_totals_are_exact(void **) {
    exact_total cancelled;
    for (const double x : {1e308, 1.0, -1e308, 0x1p-1074, 1e308, -1e308})
        cancelled.add((long double)(x));
    assert_true(cancelled.value() == 1); // 1 + 2^-1074 in 64 bits
    cancelled.add(-1);
    assert_true(cancelled.value() == 0x1p-1074L);

    exact_total products;
    products.add_product(0x1p-1074L, 0x1p-1074L);
    assert_true(products.value() == std::ldexp(1.0L, -2148));
    products.add_product((long double)(0x1.fffffffffffffp1023), (long double)(-0x1.fffffffffffffp1023));
    products.add_product((long double)(0x1.fffffffffffffp1023), (long double)(0x1.fffffffffffffp1023));
    assert_true(products.value() == std::ldexp(1.0L, -2148));

    std::mt19937_64 random(5);
    for (int round = 0; round < 200; round++) {
        exact_total made;
        wide_integer expected = 0;
        for (int i = 0; i < 50; i++) {
            const auto x = int64_t(random()) >> (random() % 63), y = int64_t(random()) >> (1 + random() % 62);
            made.add_product((long double)(x), (long double)(y));
            expected += wide_integer(x) * y;
        }
        assert_true(made.value() == static_cast<long double>(expected));
        assert_true(made.modulo(32, true) == int32_t(expected));
        assert_true(made.modulo(64, false) == uint64_t(expected));
        assert_true(made.modulo(8, false) == uint8_t(expected));
    }

    exact_total infinite;
    infinite.add(HUGE_VALL);
    assert_true(infinite.value() == HUGE_VALL);
    infinite.add(-HUGE_VALL);
    assert_true(std::isnan(infinite.value()));
}

// ---- Right results --------------------------------------------------------------------------------------------------

template <class T>
void expect_right_of_type() {
    using wide = std::vector<T>;
    expect(verdict_on<T>([](const wide &in) { return wide{total(in)}; }), outcome::right, task::sum);
    expect(verdict_on<T>([](const wide &in) { return wide{*std::max_element(in.begin(), in.end())}; }), outcome::right,
           task::max);
    expect(verdict_on<T>([](const wide &in) { return wide{*std::min_element(in.begin(), in.end())}; }), outcome::right,
           task::min);
    expect(verdict_on<T>([](const wide &in) {
               wide out(in.size());
               std::partial_sum(in.begin(), in.end(), out.begin());
               return out;
           }),
           outcome::right, task::inclusive_sum);
    expect(verdict_on<T>([](const wide &in) {
               wide out(in.size());
               std::exclusive_scan(in.begin(), in.end(), out.begin(), T(0));
               return out;
           }),
           outcome::right, task::exclusive_sum);
    expect(verdict_on<T>([](wide in) {
               std::sort(in.begin(), in.end());
               return in;
           }),
           outcome::right, task::sort_ascending);
    expect(verdict_on<T>([](wide in) {
               std::sort(in.begin(), in.end(), std::greater<T>());
               return in;
           }),
           outcome::right, task::sort_descending);
}

void test_right_results(void **) {
    expect_right_of_type<float>();
    expect_right_of_type<double>();
    expect_right_of_type<int>();
    expect_right_of_type<unsigned>();
    expect_right_of_type<int64_t>();
    expect_right_of_type<uint64_t>();
    expect(verdict_on([](const floats &in) { return floats{total(in) / float(in.size())}; }), outcome::right,
           task::mean);
    expect(verdict_on([](const floats &in) { return floats{total(in) * (1 / float(in.size()))}; }), outcome::right,
           task::mean);
    expect(verdict_on([](const floats &in) {
               float sum = 0;
               for (const float x : in)
                   sum += x / float(in.size());
               return floats{sum};
           }),
           outcome::right, task::mean);
    const auto squares = [](const floats &in) { return std::inner_product(in.begin(), in.end(), in.begin(), 0.0f); };
    expect(verdict_on([&](const floats &in) { return floats{squares(in)}; }), outcome::right, task::sumsq);
    expect(verdict_on([&](const floats &in) { return floats{std::sqrt(squares(in))}; }), outcome::right, task::norm);
    const auto place = [](const floats &in, bool is_max) {
        return std::vector<int>{int(
            (is_max ? std::max_element(in.begin(), in.end()) : std::min_element(in.begin(), in.end())) - in.begin())};
    };
    expect(verdict_on([&](const floats &in) { return place(in, true); }), outcome::right, task::argmax);
    expect(verdict_on([&](const floats &in) { return place(in, false); }), outcome::right, task::argmin);
    // Integers whose sum wraps, floats from integers, bytes.
    expect(verdict_on<int>([](const std::vector<int> &in) { return floats{float(total(in))}; }), outcome::right,
           task::sum);
    expect(verdict_on<int8_t>([](const std::vector<int8_t> &in) {
               int sum = 0;
               for (const int x : in)
                   sum += x;
               return std::vector<int>{sum};
           }),
           outcome::right, task::sum);
    // A result of several partial sums, and one that was made in place.
    expect(verdict_on([](const floats &in) {
               floats parts((in.size() + 255) / 256);
               for (size_t i = 0; i < in.size(); i++)
                   parts[i / 256] += in[i];
               return parts;
           }),
           outcome::right, task::sum);
    judge in_place, beside;
    for (const size_t n : sizes) {
        const floats in = exact_data(n);
        floats out = in;
        out[0] = total(in);
        in_place.add({.inputs = {of(in, "data")}, .result = of(out, "data"), .is_in_place = true});
        beside.add({.inputs = {of(in, "data")}, .result = of(out, "out")});
    }
    expect(in_place.conclude({}), outcome::right, task::sum);
    assert_true(beside.conclude({}).is != outcome::right);
}

void test_two_arrays_and_scalars(void **) {
    judge dots, squares, counts, histograms, letters;
    for (const size_t n : sizes) {
        const std::vector<int> a = exact_data<int>(n);
        std::vector<int> b(n), values(n), bins(10), dot{0}, count{0}, six(7);
        std::vector<uint8_t> text(n);
        for (size_t i = 0; i < n; i++) {
            b[i] = int(i * i % 101) - 50;
            values[i] = int(i * i % 11 % 10);
            dot[0] += a[i] * b[i];
            count[0] += values[i] == 4;
            bins[size_t(values[i])]++;
            text[i] = uint8_t("hello, reductions"[i % 17]);
            if (text[i] >= 'a' && text[i] <= 'z')
                six[(text[i] - 'a') / 4]++;
        }
        dots.add({.inputs = {of(a, "a"), of(b, "b")}, .result = of(dot, "out")});
        experiment counting = run(values, count);
        counting.scalars = {4};
        counts.add(counting);
        histograms.add(run(values, bins));
        letters.add(run(text, six));
    }
    expect(dots.conclude({}), outcome::right, task::dot);
    expect(counts.conclude({}), outcome::right, task::count);
    expect(histograms.conclude({}), outcome::right, task::histogram);
    expect(letters.conclude({}), outcome::right, task::histogram);
    expect(histograms.conclude(task::dot), outcome::unknown, task::dot);
}

void test_special_values(void **) {
    const float infinity = HUGE_VALF, nan = std::nanf("");
    const auto is = [](floats in, float result, std::optional<task> what = {}) {
        judge one;
        one.add(run(in, floats{result}));
        return one.conclude(what).is;
    };
    assert_true(is({1, infinity, 2}, infinity, task::sum) == outcome::right);
    assert_true(is({1, -infinity, 2}, infinity, task::sum) == outcome::wrong);
    assert_true(is({infinity, -infinity}, nan, task::sum) == outcome::right);
    assert_true(is({1, nan, 2}, nan, task::sum) == outcome::right);
    assert_true(is({1, nan, 2}, 3, task::sum) == outcome::wrong);
    assert_true(is({1, nan, 2}, 2, task::max) == outcome::right);
    assert_true(is({1, nan, 2}, nan, task::max) == outcome::right);
    assert_true(is({1, nan, 2}, 1, task::max) == outcome::wrong);
    assert_true(is({-0.0f, 0.0f}, -0.0f, task::sum) == outcome::right);
    assert_true(is({0x1p-149f, 0x1p-149f, -0x1p-140f}, 0x1p-148f - 0x1p-140f, task::sum) == outcome::right);
    assert_true(is({0x1p-149f, 0x1p-149f, -0x1p-140f}, -0x1p-140f, task::sum) == outcome::wrong);
    assert_true(is({3e38f, 3e38f}, infinity, task::sum) == outcome::right);
    assert_true(is({3, 4}, 5, task::norm) == outcome::right);
    assert_true(is({3, 4}, 5.5f, task::norm) == outcome::wrong);
}

// ---- Wrong results --------------------------------------------------------------------------------------------------

float sum_of(const floats &in, const std::function<double(size_t)> &times) {
    double sum = 0;
    for (size_t i = 0; i < in.size(); i++)
        sum += times(i) * double(in[i]);
    return float(sum);
}

conclusion wrong_sum(const std::function<double(size_t, size_t)> &times, unsigned block_size = 0) {
    return verdict_on(
        [&](const floats &in) { return floats{sum_of(in, [&](size_t i) { return times(i, in.size()); })}; },
        {.block_size = block_size});
}

void test_wrong_sums(void **) {
    const auto expect_sum = [](const conclusion &got, const char *text) {
        expect(got, outcome::wrong, task::sum, text);
    };
    expect_sum(wrong_sum([](size_t i, size_t n) { return i + 1 < n; }), "off by one element: the last element");
    expect_sum(wrong_sum([](size_t i, size_t) { return i > 0; }),
               "off by one element: the first element, 0, was never");
    expect_sum(wrong_sum([](size_t i, size_t n) { return i + 1 < n ? 1 : 2; }), "was added twice");
    expect_sum(wrong_sum([](size_t, size_t) { return 2; }), "everything was added twice");
    expect_sum(wrong_sum([](size_t, size_t) { return 8; }), "everything was added 8 times");
    expect_sum(wrong_sum([](size_t i, size_t) { return i < 2048; }), "elements 2048 and on were never added");
    expect_sum(wrong_sum([](size_t i, size_t) { return i < 256; }), "the first 256 elements: elements 256 and on");
    expect_sum(wrong_sum([](size_t i, size_t n) { return i < n / 256 * 256; }, 256),
               "the last tile is not full and was left out");
    expect_sum(wrong_sum([](size_t i, size_t n) { return n < 256 || i < n / 256 * 256; }),
               "the last tile is not full and was left out");
    expect_sum(wrong_sum([](size_t i, size_t) { return i % 256 < 32; }, 256),
               "of each 256 elements only the first 32 were added");
    expect_sum(wrong_sum([](size_t i, size_t) { return i % 64 < 32; }), "of each 64 elements only the first 32");
    expect_sum(wrong_sum([](size_t i, size_t) { return i % 2 == 0; }), "of each 2 elements only one was added");
    expect_sum(wrong_sum([](size_t i, size_t) { return i < 32 || i >= 96; }), "elements 32 to 95 were never added");
    expect_sum(wrong_sum([](size_t i, size_t) { return i < 100 ? 2 : 1; }), "elements 0 to 99 were added twice");
    expect_sum(verdict_on([](const floats &) { return floats{std::nanf("")}; }, {.names = {"reduce_sum"}}),
               "no number");
    expect_sum(
        verdict_on([](const floats &in) { return floats{*std::max_element(in.begin(), in.end())}; }, {}, task::sum),
        "it is the maximum");
    expect_sum(verdict_on<int64_t>(
                   [](std::vector<int64_t> in) {
                       for (int64_t &x : in)
                           x <<= 24;
                       int64_t sum = total(in);
                       return std::vector<int64_t>{sum};
                   },
                   {}, task::sum),
               "wrong: at n = ");

    // A tree over 192 threads: 192, 96, 48, 24, 12, 6, 3, then 1.
    const auto tree = [](floats cells, size_t threads) {
        for (size_t s = threads / 2; s > 0; s /= 2)
            for (size_t t = 0; t < s; t++)
                cells[t] += cells[t + s];
        return cells[0];
    };
    const auto reduced = [&](const floats &in, size_t threads) {
        double sum = 0;
        for (size_t begin = 0; begin < in.size(); begin += threads) {
            floats cells(threads);
            for (size_t t = 0; t < threads && begin + t < in.size(); t++)
                cells[t] = in[begin + t];
            sum += double(tree(cells, threads));
        }
        return floats{float(sum)};
    };
    expect_sum(verdict_on([&](const floats &in) { return reduced(in, 192); }, {.block_size = 192}),
               "192 is no power of two: a tree that halves its stride loses the sums of 64 of the 192 threads");
    expect(verdict_on([&](const floats &in) { return reduced(in, 256); }, {.block_size = 256}), outcome::right,
           task::sum);

    // Never read is more than never added.
    judge unread;
    for (const size_t n : {size_t(31), size_t(1021), size_t(4099)}) {
        const floats in = exact_data(n), out{sum_of(in, [](size_t i) { return i < 512; })};
        experiment one = run(in, out);
        one.read = {{0, std::min(n, size_t(512))}};
        unread.add(one);
    }
    expect_sum(unread.conclude({}), "elements 512 and on were never read");
}

void test_wrong_extremes(void **) {
    const auto negative = [](floats in) {
        for (float &x : in)
            x = -std::fabs(x);
        return in;
    };
    judge from_zero, from_least, max_left_out;
    for (const size_t n : sizes) {
        const floats mixed = exact_data(n), in = negative(mixed);
        const auto max_of = [](const floats &of, float start, size_t end) {
            return floats{std::accumulate(of.begin(), of.begin() + ptrdiff_t(end), start,
                                          [](float a, float b) { return std::max(a, b); })};
        };
        from_zero.add(run(mixed, max_of(mixed, 0, n)));
        from_zero.add(run(in, max_of(in, 0, n)));
        from_least.add(run(mixed, max_of(mixed, 0x1p-126f, n)));
        from_least.add(run(in, max_of(in, 0x1p-126f, n)));
        floats last = mixed;
        last[n - 1] = 9999;
        max_left_out.add(run(mixed, max_of(mixed, -HUGE_VALF, n)));
        max_left_out.add(run(last, max_of(last, -HUGE_VALF, std::max(n, size_t(2)) - 1)));
    }
    expect(from_zero.conclude({}), outcome::wrong, task::max, "begins at 0");
    expect(from_least.conclude({}), outcome::wrong, task::max, "FLT_MIN");
    expect(max_left_out.conclude({}), outcome::wrong, task::max, "the last element");

    expect(verdict_on([](const floats &in) { return floats{total(in)}; }, {.block_size = 256}, task::max),
           outcome::wrong, task::max, "it is the sum");
    expect(verdict_on(
               [](const floats &in) {
                   const size_t end = std::max(in.size() / 256 * 256, size_t(1));
                   return floats{*std::max_element(in.begin(), in.begin() + ptrdiff_t(end))};
               },
               {.block_size = 256}, task::max),
           outcome::wrong, task::max);
    const auto place = [](const floats &in) { return int(std::max_element(in.begin(), in.end()) - in.begin()); };
    expect(verdict_on([&](const floats &in) { return std::vector<int>{place(in) % 256}; }, {.block_size = 256}),
           outcome::wrong, task::argmax, "within a tile of 256");
    expect(verdict_on([&](const floats &in) { return floats{in[size_t(place(in))]}; }, {}, task::argmax),
           outcome::wrong, task::argmax, "the maximum itself");
}

void test_wrong_arrays(void **) {
    const auto scanned = [](const floats &in, size_t tile) {
        floats out(in.size());
        for (size_t i = 0; i < in.size(); i++)
            out[i] = in[i] + (i % tile != 0 ? out[i - 1] : 0);
        return out;
    };
    expect(verdict_on([&](const floats &in) { return scanned(in, 256); }), outcome::wrong, task::inclusive_sum,
           "each 256 elements are scanned by themselves");
    expect(verdict_on([&](const floats &in) { return scanned(in, 1 << 20); }, {}, task::exclusive_sum), outcome::wrong,
           task::exclusive_sum, "it is the inclusive prefix sum");
    expect(verdict_on([&](const floats &in) {
               floats out = scanned(in, 1 << 20);
               out.back() += out.size() > 1;
               return out;
           }),
           outcome::wrong, task::inclusive_sum, "right up to element");
    expect(verdict_on(
               [&](const floats &in) {
                   floats out = scanned(in, 1 << 20);
                   out.pop_back();
                   return out;
               },
               {}, task::inclusive_sum),
           outcome::wrong, task::inclusive_sum);
    const auto sorted = [](floats in, size_t tile) {
        for (size_t begin = 0; begin < in.size(); begin += tile)
            std::sort(in.begin() + ptrdiff_t(begin), in.begin() + ptrdiff_t(std::min(begin + tile, in.size())));
        return in;
    };
    expect(verdict_on([&](const floats &in) { return sorted(in, 512); }), outcome::wrong, task::sort_ascending,
           "each 512 elements are sorted, but not merged");
    expect(verdict_on([&](const floats &in) {
               floats out = sorted(in, 1 << 20);
               if (out.size() > 4)
                   out[2] = out[1];
               return out;
           }),
           outcome::wrong, task::sort_ascending, "is lost");
    expect(verdict_on([&](const floats &in) { return sorted(in, 1 << 20); }, {}, task::sort_descending), outcome::wrong,
           task::sort_descending, "ascending order");
    const auto counted = [](size_t lost_from) {
        judge one;
        for (const size_t n : sizes) {
            std::vector<int> values(n), bins(10);
            for (size_t i = 0; i < n; i++) {
                values[i] = int(i * i % 11 % 10);
                bins[size_t(values[i])] += i < lost_from;
            }
            one.add(run(values, bins));
        }
        return one.conclude({});
    };
    expect(counted(512), outcome::wrong, task::histogram, "it counts the first 512 elements");
}

void test_unknown_results(void **) {
    const conclusion got = verdict_on([](const floats &in) { return floats{in[0] * 3 + 17.25f * float(in.size())}; });
    assert_true(got.is == outcome::unknown);
    assert_non_null(std::strstr(got.sentence.c_str(), "--task"));
    expect(verdict_on([](const floats &in) { return floats{in[0] * 3 + 17.25f}; }, {.names = {"reduceMax"}}),
           outcome::wrong, task::max);
    judge one;
    one.add(run(floats{5}, floats{5}));
    assert_true(one.conclude({}).is == outcome::right);
    assert_true(one.conclude({}).also.size() > 3); // of one element everything is the same
}

// ---- Rounding -------------------------------------------------------------------------------------------------------

float looped(const floats &in) {
    float sum = 0;
    for (const float x : in)
        sum += x;
    return sum;
}

float halved(const float *in, size_t n) {
    return n == 1 ? in[0] : halved(in, n / 2) + halved(in + n / 2, n - n / 2);
}

void test_rounding(void **) {
    judge trees, loops, off, narrow;
    for (const size_t n : {size_t(1000), size_t(65536)}) {
        const floats in = random_data(n, unsigned(n));
        const floats by_tree{halved(in.data(), n)};
        experiment tree = run(in, by_tree);
        tree.depth = 17;
        trees.add(tree);
        loops.add(run(in, floats{looped(in)}));
        off.add(run(in, floats{looped(in) + 0.02f * float(n)}));
        const std::vector<double> wide(in.begin(), in.end()), sum{double(looped(in))};
        narrow.add(run(in, sum));
    }
    const conclusion tree = trees.conclude({}), loop = loops.conclude({});
    expect(tree, outcome::right, task::sum, "off by at most");
    expect(loop, outcome::right, task::sum);
    assert_true(tree.is_rounded && tree.ulps <= tree.depth_ulps && tree.depth_ulps < tree.bound_ulps);
    assert_true(tree.ulps < loop.ulps);
    assert_true(off.conclude(task::sum).is == outcome::wrong);
    const conclusion of_floats = narrow.conclude({});
    expect(of_floats, outcome::right, task::sum);
    assert_non_null(std::strstr(of_floats.notes.at(0).c_str(), "added in f32"));
}

void test_tolerances(void **) {
    floats in = random_data(65536, 3);
    for (float &x : in)
        x = std::fabs(x);
    const auto notes = [&](float result, std::vector<double> tolerances) {
        judge one({.tolerances = tolerances});
        one.add(run(in, floats{result}));
        const conclusion got = one.conclude({});
        expect(got, outcome::right, task::sum);
        return got.notes.empty() ? std::string() : got.notes[0];
    };
    const float tree = halved(in.data(), in.size());
    assert_non_null(std::strstr(notes(tree, {1e-6}).c_str(), "compares with a loop in f32"));
    assert_non_null(
        std::strstr(notes(looped(in), {1e-6}).c_str(), "tolerance of 1e-06 is too tight: this right result"));
    assert_non_null(std::strstr(notes(tree, {1e-3}).c_str(), "if it is absolute"));
    assert_string_equal(notes(tree, {1e-2}).c_str(), "");
    assert_string_equal(notes(tree, {}).c_str(), "");

    const std::vector<double> found = tolerances_in("#define EPS 1e-5\n"
                                                    "// fabs(a - b) < 1e-9\n"
                                                    "for (int i = 0; i < n; i++) in[i] = i * 0.001f;\n"
                                                    "if (fabs(a - b) > 0.0001f) /* 1e-8 */ return 1;\n"
                                                    "assert(x <= 1e-3);\n");
    assert_true((found == std::vector<double>{1e-5, 0.0001, 1e-3}));
}

void test_half_floats(void **) {
    // 1, 2, 3 and 0.5 as f16 and as bf16.
    const uint16_t f16[] = {0x3c00, 0x4000, 0x4200, 0x3800}, bf16[] = {0x3f80, 0x4000, 0x4040, 0x3f00};
    const uint16_t f16_sum = 0x4680, bf16_sum = 0x40d0, f16_max = 0x4200; // 6.5
    const auto is = [](element_type type, const uint16_t *in, const uint16_t *out, task what) {
        judge one;
        one.add({.inputs = {{type, in, 4, "in"}}, .result = {type, out, 1, "out"}});
        return one.conclude(what).is;
    };
    assert_true(is(element_type::f16, f16, &f16_sum, task::sum) == outcome::right);
    assert_true(is(element_type::bf16, bf16, &bf16_sum, task::sum) == outcome::right);
    assert_true(is(element_type::f16, f16, &f16_max, task::sum) == outcome::wrong);
    assert_true(is(element_type::f16, f16, &f16_max, task::max) == outcome::right);
}

// ---- softmax and mean squared errors --------------------------------------------------------------------------------

// Of elements [begin, end) by f32; from: what is subtracted from each.
void add_shares(floats &out, const floats &in, size_t begin, size_t end, float from) {
    float sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += std::exp(in[i] - from);
    for (size_t i = begin; i < end; i++)
        out.push_back(std::exp(in[i] - from) / sum);
}

conclusion softmax_by(const std::function<floats(const floats &in, float most)> &function) {
    judge one({.names = {"softmax_kernel"}});
    for (const size_t n : sizes)
        for (const floats &in : {exact_data(n), random_data(n, 7)})
            one.add(run(in, function(in, *std::max_element(in.begin(), in.end()))));
    return one.conclude({});
}

void test_softmax(void **) {
    expect(softmax_by([](const floats &in, float most) {
               floats out;
               add_shares(out, in, 0, in.size(), most);
               return out;
           }),
           outcome::right, task::softmax);
    expect(softmax_by([](const floats &in, float most) { // without its zeros at the end
               floats out;
               add_shares(out, in, 0, in.size(), most);
               while (out.size() > 1 && out.back() == 0)
                   out.pop_back();
               return out;
           }),
           outcome::right, task::softmax);
    expect(softmax_by([](const floats &in, float) {
               floats out;
               add_shares(out, in, 0, in.size(), 0);
               return out;
           }),
           outcome::wrong, task::softmax, "not nan: e^x overflows: subtract the maximum from each element first");
    expect(softmax_by([](const floats &in, float most) {
               floats out;
               for (size_t begin = 0; begin < in.size(); begin += 256)
                   add_shares(out, in, begin, std::min(begin + 256, in.size()), most);
               return out;
           }),
           outcome::wrong, task::softmax);
    expect(softmax_by([](const floats &in, float most) {
               floats out;
               for (const float x : in)
                   out.push_back(std::exp(x - most));
               return out;
           }),
           outcome::wrong, task::softmax, "not divided by the sum of these");
    expect(softmax_by([](const floats &in, float most) { // the last element does not count
               floats out;
               add_shares(out, in, 0, in.size() - (in.size() > 1), most);
               if (in.size() > 1)
                   out.push_back(std::exp(in.back() - most) * out[0] / std::exp(in[0] - most));
               return out;
           }),
           outcome::wrong, task::softmax);
    judge rows({.names = {"softmax"}});
    for (const size_t n : {size_t(8), size_t(256)}) {
        const floats in = random_data(n, 9);
        floats out;
        for (size_t begin = 0; begin < n; begin += 4)
            add_shares(out, in, begin, begin + 4, 1);
        experiment of_rows = run(in, out);
        of_rows.row = 4;
        rows.add(of_rows);
    }
    assert_true(rows.conclude({}).is == outcome::unknown);
}

conclusion error_by(const std::function<float(double sum, size_t n)> &finish) {
    judge one({.names = {"mse_kernel"}});
    for (const size_t n : sizes)
        for (const bool is_random : {false, true}) {
            const floats a = is_random ? random_data(n, 3) : exact_data(n);
            floats b(n, 0.5f);
            double sum = 0;
            for (size_t i = 0; i < n; i++) {
                b[i] *= float(i % 7);
                sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
            }
            const floats result = {finish(sum, n)};
            one.add({.inputs = {of(a, "predictions"), of(b, "targets")}, .result = of(result, "mse")});
        }
    return one.conclude({});
}

void test_mean_squared_errors(void **) {
    expect(error_by([](double sum, size_t n) { return float(sum) / float(n); }), outcome::right, task::mse);
    expect(error_by([](double sum, size_t) { return float(sum); }), outcome::wrong, task::mse, "not divided by n");
    expect(error_by([](double sum, size_t n) { return float(std::sqrt(sum / double(n))); }), outcome::wrong, task::mse,
           "the root of the mean squared error");
    expect(error_by([](double sum, size_t n) { return float(sum / double(n) * 1.0001); }), outcome::wrong, task::mse);
}

void test_names(void **) {
    assert_true(task_of("dot") == task::dot && task_of("inclusive-sum") == task::inclusive_sum);
    assert_true(!task_of("dots"));
    assert_non_null(std::strstr(names_of_tasks().c_str(), "sum, max, min"));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_totals_are_exact),
                                cmocka_unit_test(test_right_results),
                                cmocka_unit_test(test_two_arrays_and_scalars),
                                cmocka_unit_test(test_special_values),
                                cmocka_unit_test(test_wrong_sums),
                                cmocka_unit_test(test_wrong_extremes),
                                cmocka_unit_test(test_wrong_arrays),
                                cmocka_unit_test(test_unknown_results),
                                cmocka_unit_test(test_rounding),
                                cmocka_unit_test(test_tolerances),
                                cmocka_unit_test(test_half_floats),
                                cmocka_unit_test(test_softmax),
                                cmocka_unit_test(test_mean_squared_errors),
                                cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
