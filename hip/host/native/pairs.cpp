// Rows of two arrays are copied together in chunks of 64-bit words, whatever their type, and reduced from there: few
// loops serve all types and operators. Compiled once, for every CPU.
#include "pairs.hpp"

#include "../default_float_environment.hpp"
#include "native.hpp"
#include "pool.hpp"

#include "algebra.h"
#include "exact/norm_scale.h"
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
constexpr uint64_t least_run = 512;            // of neighbours whose products a kernel adds to a state
constexpr size_t terms_at_once = 4096;         // of an exact sum: they stay in the nearest cache
constexpr uint64_t nowhere = ~uint64_t(0);
constexpr size_t side_by_side = 8; // sums, which compilers turn into vectors

// Elements of both arrays, as their bits. Under a mask those that count, and their indices in the row.
struct chunk {
    uint64_t x[most_words], y[most_words], index[most_words];
};

// Returns how many of count elements from index first on count.
size_t keep_those_that_count(chunk *both, size_t count, uint64_t first) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        both->x[kept] = both->x[i];
        both->index[kept] = first + i;
        kept += both->y[i] != 0 ? 1 : 0;
    }
    return kept;
}

double double_of(uint64_t bits) {
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

// With its sign.
uint64_t extended(uint64_t bits, unsigned unused, bool is_signed) {
    return is_signed ? uint64_t(int64_t(bits << unused) >> unused) : bits;
}

double number_of(wf_type type, uint64_t bits) {
    if (!wf_type_is_float(type)) {
        const bool is_signed = wf_type_is_signed(type);
        const uint64_t number = extended(bits, unsigned(64 - 8 * wf_bytes_of_type(type)), is_signed);
        return is_signed ? static_cast<double>(int64_t(number)) : static_cast<double>(number);
    }
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

template <class X>
copy_function copy_with(bool has_mask) {
    return has_mask ? copy_together<X, uint8_t> : copy_together<X, X>;
}

copy_function copy_of(size_t bytes, bool has_mask) {
    switch (bytes) {
    case 1:
        return copy_with<uint8_t>(has_mask);
    case 2:
        return copy_with<uint16_t>(has_mask);
    case 4:
        return copy_with<uint32_t>(has_mask);
    default:
        return copy_with<uint64_t>(has_mask);
    }
}

// Elements first to end of a row; visit(chunk, count), where count is not 0.
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
    const char *x() const { return x_; }
    const char *y() const { return y_; }

    template <class Visit>
    void each_chunk(uint64_t first, uint64_t end, const Visit &visit) const {
        const wf_axis_list &reduced = request_.reduced;
        const bool has_mask = request_.second->use == WF_SECOND_MASK;
        const copy_function copy = copy_of(size_t(bytes_), has_mask);
        chunk both;
        const auto visit_filled = [&](size_t count, uint64_t index) {
            if (has_mask)
                count = keep_those_that_count(&both, count, index);
            if (count != 0)
                visit(both, count);
        };
        if (reduced.length == 0) {
            if (first == end)
                return;
            copy(x_, 0, y_, 0, 1, both.x, both.y);
            return visit_filled(1, 0);
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
                visit_filled(filled, i - filled);
                filled = 0;
            }
        }
    }

  private:
    int64_t second_bytes() const { return request_.second->use == WF_SECOND_MASK ? 1 : bytes_; }

    const wf_axes_request &request_;
    int64_t bytes_, result_ = 0;
    const char *x_, *y_;
};

// What a row, or a part of it, comes to.
struct pair_value {
    double sum = -0.0, rest = 0; // of floats
    bool is_lost = !has_float_environment;
    bool is_none = true;      // nothing counts
    uint64_t count = 0;       // elements that count
    double product = 1;       // of floats
    uint64_t words = 0;       // of integers: a sum, product, or bits
    uint64_t least = 0;       // of extremes: the rank that grows towards the least element,
    uint64_t most = 0;        // and the one that grows towards the largest
    uint64_t index = nowhere; // of the first extreme

    void add_term(double x) {
        double off, off_again;
        sum = wf_two_sum(sum, x, &off);
        rest = wf_two_sum(rest, off, &off_again);
        is_lost = is_lost || off_again != 0 || off_again != off_again;
    }
    void join_sum(const pair_value &other) {
        add_term(other.sum);
        double off;
        rest = wf_two_sum(rest, other.rest, &off);
        is_lost = is_lost || other.is_lost || off != 0 || off != off;
    }
};

// ---- Sums of doubles -----------------------------------------------------------------------------------------------

int exponent_of(const wf_axes_request &request) {
    const double *const extremes = request.second->extremes;
    return extremes == nullptr ? 0 : wf_norm_exponent(extremes[0], extremes[1]);
}

// A separate function: a product that is contracted with an addition would not be rounded.
__attribute__((noinline)) void make_terms(const wf_axes_request &request, const chunk &from, size_t count,
                                          double *terms) {
    double factors[most_words];
    for (size_t i = 0; i < count; i++)
        terms[i] = number_of(request.type, from.x[i]);
    if (request.second->use == WF_SECOND_MASK) {
        const wf_term term = wf_facts_of_op(request.op).term;
        for (size_t i = 0; i < count; i++)
            terms[i] = term == WF_TERM_MAGNITUDE ? std::fabs(terms[i])
                       : term == WF_TERM_SQUARE  ? terms[i] * terms[i]
                                                 : terms[i];
        return;
    }
    if (request.second->use == WF_SECOND_NORM) {
        const double scale = wf_power_of_two(-exponent_of(request));
        for (size_t i = 0; i < count; i++)
            terms[i] = terms[i] * scale * (terms[i] * scale);
        return;
    }
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
            to->join_sum(one);
        }
    for (size_t i = whole; i < count; i++)
        to->add_term(terms[i]);
}

// Exactly, by the kernel for long arrays of doubles.
uint64_t sum_again(const kernels &cpu, const wf_axes_request &request, const pair_row &row, uint64_t number,
                   wf_type to) {
    double terms[terms_at_once];
    size_t filled = 0;
    wf_sum_state state;
    wf_start_state(&state);
    const auto add_filled = [&] {
        wf_reduce_request of_terms = {};
        of_terms.type = of_terms.accumulator = WF_F64;
        of_terms.op = WF_SUM;
        of_terms.source = terms;
        of_terms.source_count = filled;
        wf_sum_state part;
        cpu.sum(job(of_terms, wf_thread_table()), 0, filled, &part);
        wf_add_state(&state, &part);
        filled = 0;
    };
    row.each_chunk(0, request.length, [&](const chunk &both, size_t count) {
        make_terms(request, both, count, terms + filled);
        filled += count;
        if (filled > terms_at_once - most_words)
            add_filled();
    });
    add_filled();
    state.count = int64_t(number);
    wf_normalise_state(&state);
    return wf_round_state(&state, request.op == WF_MEAN, to);
}

uint64_t rounded_sum(const kernels &cpu, const wf_axes_request &request, const pair_row &row, const pair_value &value,
                     wf_type to) {
    const double whole = value.sum + value.rest; // NaN, or infinite, if a term is
    if (value.is_lost || whole - whole != 0)
        return sum_again(cpu, request, row, value.count, to);
    const wf_sum_pair pair = {value.sum, value.rest};
    return wf_round_pair(&pair, value.count, request.op == WF_MEAN, wf_format_of(to));
}

// The root of the sum, which is rounded to f64 first.
uint64_t norm_of(const kernels &cpu, const wf_axes_request &request, const pair_row &row, const pair_value &value) {
    const double sum = double_of(rounded_sum(cpu, request, row, value, WF_F64));
    const double root = std::sqrt(sum) * wf_power_of_two(exponent_of(request));
    if (root != root)
        return wf_nan_bits(request.accumulator);
    if (root - root != 0)
        return wf_infinity_bits(request.accumulator);
    const wf_sum_pair pair = {root, 0};
    return wf_round_pair(&pair, 1, false, wf_format_of(request.accumulator));
}

// ---- Integers -------------------------------------------------------------------------------------------------------

uint64_t combined(wf_op op, uint64_t a, uint64_t b) {
    switch (op) {
    case WF_PRODUCT:
        return a * b;
    case WF_AND:
        return a & b;
    case WF_OR:
        return a | b;
    case WF_XOR:
        return a ^ b;
    default:
        return a + b;
    }
}

uint64_t neutral(wf_op op) {
    return op == WF_PRODUCT ? 1 : op == WF_AND ? ~uint64_t(0) : 0;
}

void add_integers(const wf_axes_request &request, const chunk &both, size_t count, pair_value *to) {
    const bool is_signed = wf_type_is_signed(request.type), has_mask = request.second->use == WF_SECOND_MASK;
    const auto unused = unsigned(64 - 8 * wf_bytes_of_type(request.type));
    const wf_term term = wf_facts_of_op(request.op).term;
    uint64_t words = neutral(request.op);
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = extended(both.x[i], unused, is_signed);
        const uint64_t factor = !has_mask                ? extended(both.y[i], unused, is_signed)
                                : term == WF_TERM_SQUARE ? x
                                : term == WF_TERM_MAGNITUDE && is_signed && x >> 63 != 0 ? ~uint64_t(0)
                                                                                         : 1;
        words = combined(request.op, words, x * factor);
    }
    to->words = to->is_none ? words : combined(request.op, to->words, words);
}

// ---- Extremes -------------------------------------------------------------------------------------------------------

// Ranks of elements by their bits, which grow towards the wanted extreme. NaN has the largest one, or, if it is
// skipped, the least.
class rank_of_bits {
  public:
    rank_of_bits(const wf_axes_request &request, bool largest)
        : type_(request.type), is_float_(wf_type_is_float(type_)),
          all_(~uint64_t(0) >> (64 - 8 * wf_bytes_of_type(type_))), sign_(all_ ^ all_ >> 1), flip_(largest ? 0 : all_),
          of_nan_(request.nan == WF_NAN_IGNORE ? 0 : all_) {}
    uint64_t of(uint64_t bits) const {
        if (!is_float_)
            return bits ^ (wf_type_is_signed(type_) ? sign_ : 0) ^ flip_;
        if ((bits & ~sign_) > wf_infinity_bits(type_))
            return of_nan_;
        return ((bits & sign_) != 0 ? bits ^ all_ : bits ^ sign_) ^ flip_;
    }
    uint64_t back(uint64_t rank) const {
        const uint64_t plain = rank ^ flip_;
        if (!is_float_)
            return plain ^ (wf_type_is_signed(type_) ? sign_ : 0);
        if (rank == all_ || rank == 0)
            return wf_nan_bits(type_);
        return (plain & sign_) != 0 ? plain ^ sign_ : plain ^ all_;
    }
    // Only a NaN that is skipped has this rank.
    bool is_skipped(uint64_t rank) const { return is_float_ && rank == 0; }

  private:
    wf_type type_;
    bool is_float_;
    uint64_t all_, sign_, flip_, of_nan_;
};

void add_extremes(const wf_axes_request &request, const chunk &both, size_t count, pair_value *to) {
    const rank_of_bits low(request, false), high(request, true);
    const bool is_argmin = request.op == WF_ARGMIN;
    for (size_t i = 0; i < count; i++) {
        const uint64_t of_low = low.of(both.x[i]), of_high = high.of(both.x[i]);
        const uint64_t rank = is_argmin ? of_low : of_high;
        const bool is_better = to->index == nowhere || rank > (is_argmin ? to->least : to->most);
        if (is_better && !high.is_skipped(rank))
            to->index = both.index[i];
        to->least = std::max(to->least, of_low);
        to->most = std::max(to->most, of_high);
    }
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

void reduce_part(const wf_axes_request &request, const pair_row &row, uint64_t first, uint64_t end, pair_value *to) {
    const wf_op_class op_class = wf_facts_of_op(request.op).op_class;
    row.each_chunk(first, end, [&](const chunk &both, size_t count) {
        to->count += count;
        if (op_class == WF_CLASS_EXTREME) {
            add_extremes(request, both, count, to);
        } else if (!wf_type_is_float(request.type) && request.op != WF_MEAN) {
            add_integers(request, both, count, to);
        } else {
            double terms[most_words];
            make_terms(request, both, count, terms);
            if (op_class == WF_CLASS_PRODUCT)
                for (size_t i = 0; i < count; i++)
                    to->product *= terms[i];
            else
                add_terms(terms, count, to);
        }
        to->is_none = false;
    });
}

// The elements of `part` follow those of `to`.
void join(const wf_axes_request &request, const pair_value &part, pair_value *to) {
    if (part.is_none)
        return;
    if (to->is_none) {
        *to = part;
        return;
    }
    const bool is_argmin = request.op == WF_ARGMIN;
    if (to->index == nowhere || (is_argmin ? part.least > to->least : part.most > to->most))
        to->index = part.index;
    to->least = std::max(to->least, part.least);
    to->most = std::max(to->most, part.most);
    to->words = combined(request.op, to->words, part.words);
    to->count += part.count;
    to->product *= part.product;
    to->join_sum(part);
}

void finish(const kernels &cpu, const wf_axes_request &request, const pair_row &row, const pair_value &value) {
    char *to = static_cast<char *>(request.result) + row.result() * int64_t(request.result_bytes);
    const wf_op_facts op = wf_facts_of_op(request.op);
    const bool is_float = wf_type_is_float(request.type), averages = request.op == WF_MEAN;
    const unsigned parts = op.has_index || op.values == 2 ? 2 : 1;
    uint64_t numbers[2] = {value.words, 0};
    if (value.is_none) {
        std::copy_n(request.of_none, 2, numbers);
    } else if (op.op_class == WF_CLASS_EXTREME) {
        const uint64_t least = rank_of_bits(request, false).back(value.least);
        const uint64_t most = rank_of_bits(request, true).back(value.most);
        numbers[0] = request.op == WF_MAX || request.op == WF_ARGMAX ? most : least;
        numbers[1] = op.has_index ? value.index : most;
    } else if (is_float && op.op_class == WF_CLASS_PRODUCT) {
        const auto narrow = static_cast<float>(value.product);
        if (request.accumulator == WF_F32)
            __builtin_memcpy(numbers, &narrow, sizeof narrow);
        else
            __builtin_memcpy(numbers, &value.product, sizeof value.product);
    } else if (request.second->use == WF_SECOND_NORM) {
        numbers[0] = norm_of(cpu, request, row, value);
    } else if (is_float || averages) {
        numbers[0] = rounded_sum(cpu, request, row, value, is_float ? request.accumulator : WF_F64);
    }
    for (unsigned part = 0; part < parts; part++, to += request.result_bytes / parts)
        __builtin_memcpy(to, &numbers[part], request.result_bytes / parts); // the low bytes
}

} // namespace

void reduce_pair_row(const kernels &cpu, const wf_axes_request &request) {
    const pair_row row(request, 0);
    pair_value value;
    reduce_part(request, row, 0, request.length, &value);
    finish(cpu, request, row, value);
}

// Part `part` of `parts` of a row.
uint64_t begin_of(uint64_t length, uint64_t part, uint64_t parts) {
    return length / parts * part + std::min(part, length % parts);
}

uint64_t parts_of(const wf_axes_request &request, uint64_t row_bytes) {
    return request.rows < most_parts ? std::max<uint64_t>(1, std::min(most_parts, row_bytes / bytes_of_piece)) : 1;
}

// Rows that are long runs of both arrays: their products are added exactly, by the kernel for that.
bool are_runs(const wf_axes_request &request) {
    return has_float_environment && request.second->use == WF_SECOND_FACTORS && wf_type_is_float(request.type) &&
           request.reduced.length == 1 && request.reduced.axis[0].stride == 1 && request.second->reduced[0] == 1 &&
           request.length >= least_run;
}

void reduce_runs(const kernels &cpu, pool &helpers, const wf_axes_request &request, uint64_t parts, worth with) {
    const uint64_t bytes = wf_bytes_of_type(request.type);
    const auto sum_part = [&](uint64_t row, uint64_t part, wf_sum_state *to) {
        const pair_row of(request, row);
        const uint64_t first = begin_of(request.length, part, parts), end = begin_of(request.length, part + 1, parts);
        cpu.sum_products(request.type, of.x() + first * bytes, of.y() + first * bytes, end - first, to);
    };
    const auto round = [&](uint64_t row, wf_sum_state &sum) {
        const uint64_t bits = wf_round_state(&sum, false, request.accumulator);
        char *to =
            static_cast<char *>(request.result) + pair_row(request, row).result() * int64_t(request.result_bytes);
        __builtin_memcpy(to, &bits, request.result_bytes); // the low bytes
    };
    if (parts == 1) {
        helpers.run(request.rows, with, [&](size_t row) {
            wf_sum_state sum;
            sum_part(row, 0, &sum);
            round(row, sum);
        });
        return;
    }
    std::vector<wf_sum_state> sums(request.rows * parts);
    helpers.run(sums.size(), with, [&](size_t i) { sum_part(i / parts, i % parts, &sums[i]); });
    for (uint64_t row = 0; row < request.rows; row++) {
        for (uint64_t part = 1; part < parts; part++)
            wf_add_state(&sums[row * parts], &sums[row * parts + part]);
        wf_normalise_state(&sums[row * parts]);
        round(row, sums[row * parts]);
    }
}

// The parts depend on the request alone, and so do bits.
void reduce_pairs(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers
    const uint64_t row_bytes = request.length * 2 * wf_bytes_of_type(request.type) + request.result_bytes;
    const uint64_t bytes = request.rows * row_bytes, length = request.length;
    const worth with = helpers_worth(bytes, threads, helpers.threads());
    const uint64_t parts = parts_of(request, row_bytes);
    if (are_runs(request))
        return reduce_runs(cpu, helpers, request, parts, with);
    if (parts > 1) {
        std::vector<pair_value> values(request.rows * parts);
        helpers.run(values.size(), with, [&](size_t i) {
            const uint64_t part = i % parts;
            reduce_part(request, pair_row(request, i / parts), begin_of(length, part, parts),
                        begin_of(length, part + 1, parts), &values[i]);
        });
        for (uint64_t row = 0; row < request.rows; row++) {
            for (uint64_t part = 1; part < parts; part++)
                join(request, values[row * parts + part], &values[row * parts]);
            finish(cpu, request, pair_row(request, row), values[row * parts]);
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
            finish(cpu, request, row, value);
        }
    });
}

} // namespace wf::host::native
