// Each row is described as an array, but for the variance of floats: its bits are those of GPUs. Rows with gaps are
// copied first, neighbours together, since their elements may share lines of the cache.
#include "describe_rows.hpp"

#include "../default_float_environment.hpp"
#include "native.hpp"
#include "pool.hpp"

#include "algebra.h"
#include "exact/deviations.h"
#include "exact/sum_state.h"
#include "half.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

namespace wf::host::native {

namespace {

constexpr uint64_t bytes_of_piece = 128 << 10;   // what a thread takes at once, at the least
constexpr uint64_t most_together = 16;           // rows that are copied together,
constexpr uint64_t bytes_of_together = 64 << 10; // of fewer bytes, unless one row has more

template <class T>
double number_at(const char *row, uint64_t i) {
    T number;
    std::memcpy(&number, row + i * sizeof number, sizeof number);
    return number;
}
double f16_at(const char *row, uint64_t i) {
    uint16_t bits;
    std::memcpy(&bits, row + i * sizeof bits, sizeof bits);
    return static_cast<double>(wf_f16_value(bits));
}
double bf16_at(const char *row, uint64_t i) {
    uint16_t bits;
    std::memcpy(&bits, row + i * sizeof bits, sizeof bits);
    return static_cast<double>(wf_bf16_value(bits));
}

// NaN are left out: if they are not ignored, the mean is NaN, and no deviation is needed.
template <double (*At)(const char *, uint64_t)>
double variance_with(const char *row, uint64_t length, const wf_description &of) {
    const wf_deviation_scale scale = wf_deviation_scale_of(of.min.f64, of.max.f64, of.mean);
    if (scale.is_needed == 0)
        return scale.variance;
    const double power = wf_power_of_two(-scale.exponent);
    wf_deviations all = {};
    for (uint64_t i = 0; i < length; i++) {
        const double x = At(row, i);
        if (x == x)
            wf_add_deviation(&all, x, scale.pivot, power);
    }
    return wf_variance_of_deviations(&all, scale.exponent, of.count);
}

double variance_of(wf_type type, const char *row, uint64_t length, const wf_description &of) {
    switch (type) {
    case WF_F16:
        return variance_with<f16_at>(row, length, of);
    case WF_BF16:
        return variance_with<bf16_at>(row, length, of);
    case WF_F32:
        return variance_with<number_at<float>>(row, length, of);
    default:
        return variance_with<number_at<double>>(row, length, of);
    }
}

class row_list {
  public:
    explicit row_list(const wf_axes_request &request)
        : request_(request), bytes_(int64_t(wf_bytes_of_type(request.type))) {
        const wf_axis_list &reduced = request.reduced;
        has_gaps_ = request.length > 1 && (reduced.length != 1 || reduced.axis[0].stride != 1);
    }
    bool has_gaps() const { return has_gaps_; }

    const char *row(uint64_t i) const {
        const auto *const source = static_cast<const char *>(request_.source);
        return request_.length == 0 ? source : source + offset(request_.kept, i, &wf_axis::stride) * bytes_;
    }
    char *result(uint64_t i) const {
        return static_cast<char *>(request_.result) +
               offset(request_.kept, i, &wf_axis::result_stride) * int64_t(sizeof(wf_description));
    }
    // Rows first to first + count - 1, one behind the other.
    void copy(uint64_t first, uint64_t count, char *to) const {
        const char *rows[most_together];
        for (uint64_t r = 0; r < count; r++)
            rows[r] = row(first + r);
        const wf_axis &last = request_.reduced.axis[request_.reduced.length - 1];
        const int64_t step = last.stride * bytes_, row_bytes = int64_t(request_.length) * bytes_;
        for (uint64_t i = 0; i < request_.length; i += last.count) {
            const int64_t at = offset(request_.reduced, i, &wf_axis::stride) * bytes_;
            for (uint64_t k = 0; k < last.count; k++, to += bytes_)
                for (uint64_t r = 0; r < count; r++)
                    std::memcpy(to + int64_t(r) * row_bytes, rows[r] + at + int64_t(k) * step, size_t(bytes_));
        }
    }

  private:
    static int64_t offset(const wf_axis_list &list, uint64_t index, int64_t wf_axis::*stride) {
        int64_t sum = 0;
        for (uint32_t d = list.length; d-- > 0; index /= list.axis[d].count)
            sum += int64_t(index % list.axis[d].count) * (list.axis[d].*stride);
        return sum;
    }

    const wf_axes_request &request_;
    int64_t bytes_;
    bool has_gaps_ = false;
};

void describe_row(const kernels &cpu, const wf_axes_request &request, const char *row, char *result) {
    job of(request);
    of.in = row;
    of.count = request.length;
    wf_description made;
    partial piece;
    wf_sum_state sum;
    cpu.describe(of, 0, request.length, &piece, &sum);
    cpu.finish_description(of, &piece, 1, sum, &made);
    if (wf_type_is_float(request.type) && made.count != 0)
        made.variance = variance_of(request.type, row, request.length, made);
    std::memcpy(result, &made, sizeof made);
}

void put_description_of_none(const wf_axes_request &request, char *result) {
    wf_description none = {};
    none.min.u64 = request.of_none[0];
    none.max.u64 = request.of_none[1];
    none.argmin = none.argmax = UINT64_MAX;
    none.mean = none.variance = __builtin_nan("");
    std::memcpy(result, &none, sizeof none);
}

} // namespace

void describe_rows(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers
    const row_list list(request);
    const uint64_t row_bytes = request.length * wf_bytes_of_type(request.type);
    const uint64_t bytes = request.rows * (row_bytes + sizeof(wf_description));
    const uint64_t pieces = std::min(request.rows, std::max<uint64_t>(1, bytes / bytes_of_piece));
    const uint64_t together =
        list.has_gaps() ? std::clamp<uint64_t>(bytes_of_together / row_bytes, 1, most_together) : 1;
    std::atomic<bool> has_room = true; // an exception must not leave a helper
    helpers.run(pieces, helpers_worth(bytes, threads, helpers.threads()), [&](size_t piece) {
        const std::unique_ptr<char[]> copies(list.has_gaps() ? new (std::nothrow) char[together * row_bytes] : nullptr);
        if (list.has_gaps() && copies == nullptr) {
            has_room = false;
            return;
        }
        const auto first_of = [&](uint64_t p) {
            return request.rows / pieces * p + std::min(p, request.rows % pieces);
        };
        for (uint64_t i = first_of(piece), end = first_of(piece + 1); i < end;) {
            const uint64_t count = std::min(together, end - i);
            if (list.has_gaps())
                list.copy(i, count, copies.get());
            for (uint64_t r = 0; r < count; r++, i++)
                if (request.length == 0)
                    put_description_of_none(request, list.result(i));
                else
                    describe_row(cpu, request, list.has_gaps() ? copies.get() + r * row_bytes : list.row(i),
                                 list.result(i));
        }
    });
    if (!has_room)
        throw std::bad_alloc();
}

} // namespace wf::host::native
