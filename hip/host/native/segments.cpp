// Reductions of segments on the CPU: threads share them by their elements; the longest ones are shared one by one.
#include "axes.hpp"

#include "../default_float_environment.hpp"
#include "native.hpp"
#include "pairs.hpp"
#include "pool.hpp"

#include "algebra.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace wf::host::native {

namespace {

constexpr uint64_t bytes_of_long = 1 << 20; // a segment that all threads share
constexpr uint64_t segments_of_piece = 64;  // that a thread takes at once, at the least

class segment_list {
  public:
    explicit segment_list(const wf_axes_request &request)
        : request_(request), element_bytes_(wf_bytes_of_type(request.type) * wf_facts_of_op(request.op).scalars) {}
    uint64_t element_bytes() const { return element_bytes_; }

    // Segment i as a row of its own. second: room for that of its second array.
    wf_axes_request row(uint64_t i, wf_axes_second *second) const {
        const uint64_t begin = offset(request_.begins, i);
        const uint64_t end = request_.ends != nullptr ? offset(request_.ends, i) : offset(request_.begins, i + 1);
        wf_axes_request one = request_;
        one.begins = one.ends = nullptr;
        one.source = static_cast<const char *>(request_.source) + begin * element_bytes_;
        one.result = static_cast<char *>(request_.result) + i * request_.result_bytes;
        one.rows = 1;
        one.length = end - begin;
        one.kept.length = 0;
        one.reduced.length = 1;
        one.reduced.axis[0] = {one.length, 1, 0};
        if (request_.second != nullptr) {
            *second = *request_.second;
            const int64_t bytes = second->use == WF_SECOND_MASK ? 1 : int64_t(element_bytes_);
            if (one.length != 0)
                second->source =
                    static_cast<const char *>(second->source) + int64_t(begin) * second->reduced[0] * bytes;
            one.second = second;
        }
        return one;
    }

  private:
    uint64_t offset(const void *of, uint64_t i) const {
        return request_.offset_bytes == 8 ? static_cast<const uint64_t *>(of)[i] : static_cast<const uint32_t *>(of)[i];
    }

    const wf_axes_request &request_;
    uint64_t element_bytes_;
};

} // namespace

void reduce_segments(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers
    const segment_list segments(request);
    const uint64_t bytes = request.length * segments.element_bytes() + request.rows * request.result_bytes;
    const uint64_t most = 64 * uint64_t(helpers.threads());
    const uint64_t pieces = std::max<uint64_t>(1, std::min(most, request.rows / segments_of_piece));
    std::mutex mutex;
    std::vector<uint64_t> long_ones;
    helpers.run(pieces, helpers_worth(bytes, threads, helpers.threads()), [&](size_t piece) {
        axes_values values;
        const auto first_of = [&](uint64_t p) {
            return request.rows / pieces * p + std::min(p, request.rows % pieces);
        };
        for (uint64_t i = first_of(piece), end = first_of(piece + 1); i < end; i++) {
            wf_axes_second second;
            const wf_axes_request one = segments.row(i, &second);
            if (one.length * segments.element_bytes() >= bytes_of_long) {
                const std::lock_guard<std::mutex> lock(mutex);
                long_ones.push_back(i);
                continue;
            }
            if (one.second != nullptr) {
                reduce_pair_row(cpu, one);
                continue;
            }
            const axes_block block = {0, 0, 1, 0, one.length};
            cpu.axes.reduce(one, block, &values);
            cpu.axes.finish(one, block, &values, 1);
        }
    });
    for (const uint64_t i : long_ones) {
        wf_axes_second second;
        reduce_axes(cpu, helpers, segments.row(i, &second), threads);
    }
}

} // namespace wf::host::native
