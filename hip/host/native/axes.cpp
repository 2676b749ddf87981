// Cuts a reduction along axes into blocks of results, and long results into parts, which threads share.
#include "axes.hpp"

#include "../default_float_environment.hpp"
#include "describe_rows.hpp"
#include "native.hpp"
#include "pairs.hpp"
#include "pool.hpp"

#include "algebra.h"

#include <algorithm>
#include <vector>

namespace wf::host::native {

namespace {

constexpr uint64_t bytes_of_piece = 128 << 10; // what a thread takes at once, at the least
constexpr uint64_t most_parts = 64;            // of a long result

struct cut {
    uint64_t outer, inner, blocks_of_inner; // the last kept axis has `inner` results
    uint64_t parts;                         // of the first reduced axis

    uint64_t blocks() const { return outer * blocks_of_inner; }
};

// Depends on the request alone, so that the bits do not depend on the number of threads.
cut cut_up(const wf_axes_request &request, uint64_t element_bytes) {
    const wf_axis_list &kept = request.kept, &reduced = request.reduced;
    cut of = {1, kept.length == 0 ? 1 : kept.axis[kept.length - 1].count, 0, 1};
    for (uint32_t i = 0; i + 1 < kept.length; i++)
        of.outer *= kept.axis[i].count;
    of.blocks_of_inner = (of.inner + axes_block::most - 1) / axes_block::most;
    const uint64_t of_block = request.rows * request.length * element_bytes / of.blocks();
    if (of.blocks() < most_parts && reduced.length != 0 && of_block >= 2 * bytes_of_piece)
        of.parts = std::min({most_parts, reduced.axis[0].count, of_block / bytes_of_piece});
    return of;
}

axes_block block_at(const wf_axes_request &request, const cut &of, uint64_t block, uint64_t part) {
    const uint64_t outer = block / of.blocks_of_inner, first = block % of.blocks_of_inner * axes_block::most;
    const uint64_t length = request.reduced.length == 0 ? 1 : request.reduced.axis[0].count;
    return {outer, first, static_cast<size_t>(std::min<uint64_t>(axes_block::most, of.inner - first)),
            length / of.parts * part + std::min(part, length % of.parts),
            length / of.parts * (part + 1) + std::min(part + 1, length % of.parts)};
}

} // namespace

void reduce_axes(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads) {
    if (request.second != nullptr)
        return reduce_pairs(cpu, helpers, request, threads);
    if (request.regime == WF_AXES_DESCRIBE_ROWS)
        return describe_rows(cpu, helpers, request, threads);
    const default_float_environment modes; // of this thread, and of helpers
    const uint64_t element_bytes = wf_bytes_of_type(request.type) * wf_facts_of_op(request.op).scalars;
    const uint64_t bytes = request.rows * request.length * element_bytes + request.rows * request.result_bytes;
    const cut of = cut_up(request, element_bytes);
    const worth with = helpers_worth(bytes, threads, helpers.threads());
    if (of.parts > 1) {
        std::vector<axes_values> values(of.blocks() * of.parts);
        helpers.run(values.size(), with, [&](size_t i) {
            cpu.axes.reduce(request, block_at(request, of, i / of.parts, i % of.parts), &values[i]);
        });
        for (uint64_t block = 0; block < of.blocks(); block++)
            cpu.axes.finish(request, block_at(request, of, block, 0), &values[block * of.parts], of.parts);
        return;
    }
    const uint64_t blocks = of.blocks(), pieces = std::min(blocks, std::max<uint64_t>(1, bytes / bytes_of_piece));
    helpers.run(pieces, with, [&](size_t piece) {
        axes_values values;
        for (uint64_t block = blocks / pieces * piece + std::min<uint64_t>(piece, blocks % pieces),
                      end = blocks / pieces * (piece + 1) + std::min<uint64_t>(piece + 1, blocks % pieces);
             block < end; block++) {
            const axes_block one = block_at(request, of, block, 0);
            cpu.axes.reduce(request, one, &values);
            cpu.axes.finish(request, one, &values, 1);
        }
    });
}

} // namespace wf::host::native
