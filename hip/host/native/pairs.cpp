// Rows of two arrays are copied together in chunks of 64-bit words, whatever their type, and reduced from there: few
// loops serve all types and operators. Compiled once, for every CPU.
#include "pairs.hpp"

#include "../default_float_environment.hpp"
#include "native.hpp"
#include "pool.hpp"

#include "algebra.h"
#include "exact/sum_pair.h"
#include "exact/sum_state.h"
#include "half.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wf::host::native {

namespace {

constexpr uint64_t bytes_of_piece = 128 << 10; // what a thread takes at once, at the least
constexpr uint64_t most_parts = 64;            // of a row
constexpr size_t most_words = 256;             // of a chunk
constexpr size_t side_by_side = 8;             // sums, which compilers turn into vectors

// Elements of both arrays, as their bits.
struct chunk {
    uint64_t x[most_words], y[most_words];
};

double double_of(uint64_t bits) {
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

double number_of(wf_type type, uint64_t bits) {
    switch (type) {
    case WF_F16:
        return static_cast<double>(wf_f16_value(static_cast<uint16_t>(bits)));
    case WF_BF16:
        return static_cast<double>(wf_bf16_value(static_cast<uint16_t>(bits)));
    case WF_F32:
        return static_cast<double>(wf_float_of_bits(static_cast<uint32_t>(bits)));
    default:
        return double_of(bits);
    }
}

template <class X, class Y>
void copy_together(const char *x, int64_t x_step, const char *y, int64_t y_step, size_t count, uint64_t *to_x,
                   uint64_t *to_y) {
    for (size_t i = 0; i < count; i++, x += x_step, y += y_step) {
        X from_x;
        Y from_y;
        __builtin_memcpy(&from_x, x, sizeof from_x);
        __builtin_memcpy(&from_y, y, sizeof from_y);
        to_x[i] = from_x;
        to_y[i] = from_y;
    }
}

using copy_function = void (*)(const char *, int64_t, const char *, int64_t, size_t, uint64_t *, uint64_t *);

copy_function copy_of(size_t bytes) {
    switch (bytes) {
    case 1:
        return copy_together<uint8_t, uint8_t>;
    case 2:
        return copy_together<uint16_t, uint16_t>;
    case 4:
        return copy_together<uint32_t, uint32_t>;
    default:
        return copy_together<uint64_t, uint64_t>;
    }
}

// Elements first to end of a row; visit(chunk, count, index of the first).
class pair_row {
  public:
    pair_row(const wf_axes_request &request, uint64_t row)
        : request_(request), bytes_(int64_t(wf_bytes_of_type(request.type))),
          x_(static_cast<const char *>(request.source)), y_(static_cast<const char *>(request.second->source)) {
        const wf_axis_list &kept = request.kept;
        int64_t x = 0, y = 0;
        for (uint32_t d = kept.length; d-- > 0; row /= kept.axis[d].count) {
            const auto index = static_cast<int64_t>(row % kept.axis[d].count);
            x += index * kept.axis[d].stride;
            y += index * request.second->kept[d];
            result_ += index * kept.axis[d].result_stride;
        }
        if (request.length == 0) // there is no first element
            return;
        x_ += x * bytes_;
        y_ += y * second_bytes();
    }
    int64_t result() const { return result_; }

    template <class Visit>
    void each_chunk(uint64_t first, uint64_t end, const Visit &visit) const {
        const wf_axis_list &reduced = request_.reduced;
        const copy_function copy = copy_of(size_t(bytes_));
        chunk both;
        if (reduced.length == 0) {
            if (first < end) {
                copy(x_, 0, y_, 0, 1, both.x, both.y);
                visit(both, size_t(1), uint64_t(0));
            }
            return;
        }
        const uint32_t last = reduced.length - 1;
        const uint64_t run = reduced.axis[last].count;
        const int64_t x_step = reduced.axis[last].stride * bytes_;
        const int64_t y_step = request_.second->reduced[last] * second_bytes();
        size_t filled = 0;
        for (uint64_t i = first; i < end;) {
            const uint64_t along = i % run;
            const auto count = size_t(std::min({run - along, end - i, uint64_t(most_words - filled)}));
            const char *x = x_ + int64_t(along) * x_step, *y = y_ + int64_t(along) * y_step;
            uint64_t outer = i / run;
            for (uint32_t d = last; d-- > 0; outer /= reduced.axis[d].count) {
                const auto index = static_cast<int64_t>(outer % reduced.axis[d].count);
                x += index * reduced.axis[d].stride * bytes_;
                y += index * request_.second->reduced[d] * second_bytes();
            }
            copy(x, x_step, y, y_step, count, both.x + filled, both.y + filled);
            filled += count;
            i += count;
            if (filled == most_words || i == end) {
                visit(both, filled, i - filled);
                filled = 0;
            }
        }
    }

  private:
    int64_t second_bytes() const { return bytes_; }

    const wf_axes_request &request_;
    int64_t bytes_, result_ = 0;
    const char *x_, *y_;
};

// What a row, or a part of it, comes to.
struct pair_value {
    double sum = -0.0, rest = 0; // of floats
    bool is_lost = !has_float_environment;
    uint64_t words = 0; // of integers

    void add_term(double x) {
        double off, off_again;
        sum = wf_two_sum(sum, x, &off);
        rest = wf_two_sum(rest, off, &off_again);
        is_lost = is_lost || off_again != 0 || off_again != off_again;
    }
    void join(const pair_value &other) {
        add_term(other.sum);
        double off;
        rest = wf_two_sum(rest, other.rest, &off);
        is_lost = is_lost || other.is_lost || off != 0 || off != off;
        words += other.words;
    }
};

// ---- Floats ---------------------------------------------------------------------------------------------------------

// A separate function: a product that is contracted with an addition would not be rounded.
__attribute__((noinline)) void make_terms(const wf_axes_request &request, const chunk &from, size_t count,
                                          double *terms) {
    double factors[most_words];
    for (size_t i = 0; i < count; i++)
        terms[i] = number_of(request.type, from.x[i]);
    for (size_t i = 0; i < count; i++)
        factors[i] = number_of(request.type, from.y[i]);
    for (size_t i = 0; i < count; i++)
        terms[i] *= factors[i];
}

void add_terms(const double *terms, size_t count, pair_value *to) {
    double sum[side_by_side], rest[side_by_side];
    uint64_t lost[side_by_side] = {};
    std::fill_n(sum, side_by_side, -0.0);
    std::fill_n(rest, side_by_side, 0.0);
    const size_t whole = count / side_by_side * side_by_side;
    for (size_t i = 0; i < whole; i += side_by_side)
        for (size_t k = 0; k < side_by_side; k++) {
            double off, off_again;
            sum[k] = wf_two_sum(sum[k], terms[i + k], &off);
            rest[k] = wf_two_sum(rest[k], off, &off_again);
            lost[k] |= off_again == 0 ? uint64_t(0) : uint64_t(1);
        }
    if (whole != 0)
        for (size_t k = 0; k < side_by_side; k++) {
            pair_value one;
            one.sum = sum[k];
            one.rest = rest[k];
            one.is_lost = lost[k] != 0;
            to->join(one);
        }
    for (size_t i = whole; i < count; i++)
        to->add_term(terms[i]);
}

// By long integers.
uint64_t sum_again(const wf_axes_request &request, const pair_row &row, wf_type to) {
    wf_sum_state state;
    wf_start_state(&state);
    state.count = int64_t(request.length);
    uint64_t added = 0;
    row.each_chunk(0, request.length, [&](const chunk &both, size_t count, uint64_t) {
        double terms[most_words];
        make_terms(request, both, count, terms);
        for (size_t i = 0; i < count; i++) {
            const uint64_t of = wf_bits_of_double(terms[i]);
            const uint64_t hidden = uint64_t(1) << 52, fraction = of & (hidden - 1);
            const int exponent = int(of >> 52 & 2047);
            state.others |= of != uint64_t(1) << 63;
            if (exponent == 2047) {
                (fraction != 0 ? state.nans : of >> 63 != 0 ? state.negative_infinities : state.positive_infinities)++;
                continue;
            }
            wf_add_significand(state.limb, exponent == 0 ? fraction : fraction | hidden,
                               exponent == 0 ? 0 : exponent - 1, of >> 63 != 0);
            if (++added % (uint64_t(1) << 30) == 0)
                wf_carry_words(state.limb);
        }
    });
    wf_normalise_state(&state);
    return wf_round_state(&state, false, to);
}

uint64_t rounded_sum(const wf_axes_request &request, const pair_row &row, const pair_value &value, wf_type to) {
    const double whole = value.sum + value.rest; // NaN, or infinite, if a term is
    if (value.is_lost || whole - whole != 0)
        return sum_again(request, row, to);
    const wf_sum_pair pair = {value.sum, value.rest};
    return wf_round_pair(&pair, 1, false, wf_format_of(to));
}

// ---- Integers -------------------------------------------------------------------------------------------------------

// With its sign.
uint64_t extended(uint64_t bits, unsigned unused, bool is_signed) {
    return is_signed ? uint64_t(int64_t(bits << unused) >> unused) : bits;
}

void add_integers(const wf_axes_request &request, const chunk &both, size_t count, pair_value *to) {
    const bool is_signed = wf_type_is_signed(request.type);
    const auto unused = unsigned(64 - 8 * wf_bytes_of_type(request.type));
    for (size_t i = 0; i < count; i++)
        to->words += extended(both.x[i], unused, is_signed) * extended(both.y[i], unused, is_signed);
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

void reduce_part(const wf_axes_request &request, const pair_row &row, uint64_t first, uint64_t end, pair_value *to) {
    row.each_chunk(first, end, [&](const chunk &both, size_t count, uint64_t) {
        if (!wf_type_is_float(request.type))
            return add_integers(request, both, count, to);
        double terms[most_words];
        make_terms(request, both, count, terms);
        add_terms(terms, count, to);
    });
}

void finish(const wf_axes_request &request, const pair_row &row, const pair_value &value) {
    char *const to = static_cast<char *>(request.result) + row.result() * int64_t(request.result_bytes);
    uint64_t numbers[2] = {value.words, 0};
    if (request.length == 0)
        std::copy_n(request.of_none, 2, numbers);
    else if (wf_type_is_float(request.type))
        numbers[0] = rounded_sum(request, row, value, request.accumulator);
    __builtin_memcpy(to, numbers, request.result_bytes); // the low bytes
}

} // namespace

// The parts depend on the request alone, and so do bits.
void reduce_pairs(pool &helpers, const wf_axes_request &request, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers
    const uint64_t row_bytes = request.length * 2 * wf_bytes_of_type(request.type) + request.result_bytes;
    const uint64_t bytes = request.rows * row_bytes, length = request.length;
    const worth with = helpers_worth(bytes, threads, helpers.threads());
    const uint64_t parts = std::min(most_parts, row_bytes / bytes_of_piece);
    if (request.rows < most_parts && parts > 1) {
        std::vector<pair_value> values(request.rows * parts);
        helpers.run(values.size(), with, [&](size_t i) {
            const uint64_t part = i % parts;
            reduce_part(request, pair_row(request, i / parts), length / parts * part + std::min(part, length % parts),
                        length / parts * (part + 1) + std::min(part + 1, length % parts), &values[i]);
        });
        for (uint64_t row = 0; row < request.rows; row++) {
            for (uint64_t part = 1; part < parts; part++)
                values[row * parts].join(values[row * parts + part]);
            finish(request, pair_row(request, row), values[row * parts]);
        }
        return;
    }
    const uint64_t pieces = std::min(request.rows, std::max<uint64_t>(1, bytes / bytes_of_piece));
    helpers.run(pieces, with, [&](size_t piece) {
        const uint64_t each = request.rows / pieces, more = request.rows % pieces;
        for (uint64_t i = each * piece + std::min<uint64_t>(piece, more),
                      end = each * (piece + 1) + std::min<uint64_t>(piece + 1, more);
             i < end; i++) {
            const pair_row row(request, i);
            pair_value value;
            reduce_part(request, row, 0, length, &value);
            finish(request, row, value);
        }
    });
}

} // namespace wf::host::native
