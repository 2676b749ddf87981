// Cuts arrays into pieces and joins what they come to.
#include "native.hpp"
#include "algebra.h"
#include "wavefold_sum.h"

#include "../default_float_environment.hpp"
#include "pool.hpp"

#include "exact/sum_state.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace wf::host::native {

namespace {

constexpr size_t most_pieces = 256;
// Chunks. Taking a piece makes a CPU wait for all that it has asked of memory: in long arrays it takes more.
constexpr uint64_t worth_taking = 16, worth_taking_of_long = 64;
constexpr uint64_t worth_a_state = 4; // chunks: to begin and to round off an exact sum takes as long as to add some

struct cut {
    uint64_t head;   // elements of the first piece, if that is not as long as the others
    uint64_t length; // of every other but the last
    size_t pieces;

    uint64_t begin(size_t piece) const {
        return head == 0 ? piece * length : piece == 0 ? 0 : head + (piece - 1) * length;
    }
};

// Pieces are whole chunks, so that chunks too lie where they lie however many pieces there are. In longer arrays they
// start at a line of the cache if elements do, since loads that touch two take twice as long; what is before is a
// piece.
cut cut_up(const job &what, uint64_t element_bytes, uint64_t least_chunks) {
    constexpr uint64_t line = 64;
    const uint64_t chunk = chunk_bytes / element_bytes;
    if (what.count < chunk)
        return {0, what.count, what.count != 0};
    const uint64_t before = (line - reinterpret_cast<uintptr_t>(what.in) % line) % line;
    const uint64_t head = before % element_bytes == 0 ? before / element_bytes : 0;
    const uint64_t left = what.count - head;
    const uint64_t chunks = left / chunk + (left % chunk != 0);
    const uint64_t of_piece =
        std::max({(chunks + most_pieces - 1) / most_pieces, std::min(chunks / 64, worth_taking_of_long),
                  std::clamp<uint64_t>(chunks / 16, least_chunks, worth_taking)});
    return {head, of_piece * chunk, static_cast<size_t>((chunks + of_piece - 1) / of_piece) + (head != 0)};
}

// element_work: as many bytes as are folded in the time that an element takes.
template <class Piece>
void run_pieces(const job &what, uint64_t element_work, pool &threads, const cut &of, const Piece &piece) {
    threads.run(of.pieces, helpers_worth(what.count * element_work, what.threads, threads.threads()),
                [&](size_t i) { piece(of.begin(i), std::min<uint64_t>(what.count, of.begin(i + 1)), i); });
}

// Exact sums of pieces, normalised, and what they add up to in any order. One, as of a short array, asks for no memory.
class piece_sums {
    wf_sum_state only_;
    std::vector<wf_sum_state> several_;

  public:
    explicit piece_sums(size_t pieces) : several_(pieces > 1 ? pieces : 0) {
        if (pieces == 0)
            wf_start_state(&only_);
    }

    wf_sum_state *of_piece(size_t i) { return several_.empty() ? &only_ : &several_[i]; }

    // Of one piece's state, and of the first of several.
    wf_sum_state &total() {
        if (several_.empty())
            return only_;
        for (size_t i = 1; i < several_.size(); i++)
            wf_add_state(&several_[0], &several_[i]);
        wf_normalise_state(&several_[0]);
        return several_[0];
    }
};

void reduce_exactly(const kernels &cpu, pool &threads, const job &of, const wf_reduce_request &what) {
    const uint64_t element_bytes = wf_bytes_of_type(of.type);
    const cut pieces = cut_up(of, element_bytes, worth_a_state);
    piece_sums sums(pieces.pieces);
    run_pieces(of, 2 * element_bytes, threads, pieces,
               [&](uint64_t begin, uint64_t end, size_t i) { cpu.sum(of, begin, end, sums.of_piece(i)); });
    wf_sum_state &sum = sums.total();
    const bool rounds = what.exact_result == WF_EXACT_ROUNDED;
    if (rounds) {
        const uint64_t bits = wf_round_state(&sum, of.op == WF_MEAN, of.accumulator);
        std::memcpy(what.result, &bits, wf_bytes_of_type(of.accumulator)); // the low bytes
        return;
    }
    auto &state = *static_cast<wf_sum_state *>(what.result);
    if (what.exact_result == WF_EXACT_ADDED) {
        if (wf_flaw_of_state(&state) >= 0 || wf_state_overflows(&state) || state.count > INT64_MAX - sum.count)
            return; // no state, or one that would not be
        wf_sum_state before = state;
        wf_normalise_state(&before);
        wf_add_state(&sum, &before);
        if (wf_state_overflows(&sum))
            return;
        wf_normalise_state(&sum);
    }
    state = sum;
}

void describe(const kernels &cpu, pool &threads, const job &of, const wf_reduce_request &what) {
    const uint64_t element_bytes = wf_bytes_of_type(of.type);
    const cut pieces = cut_up(of, element_bytes, 1);
    partial partials[most_pieces + 1];
    const bool is_float = wf_type_is_float(of.type);
    piece_sums sums(is_float ? pieces.pieces : 0);
    run_pieces(of, element_bytes, threads, pieces, [&](uint64_t begin, uint64_t end, size_t i) {
        cpu.describe(of, begin, end, &partials[i], is_float ? sums.of_piece(i) : nullptr);
    });
    cpu.finish_description(of, partials, pieces.pieces, sums.total(), static_cast<wf_description *>(what.result));
}

} // namespace

worth helpers_worth(uint64_t bytes, const wf_thread_table &shares, unsigned threads) {
    const uint64_t most = threads - 1, awake = bytes / shares.awake_bytes;
    return {static_cast<unsigned>(std::min(awake - std::min<uint64_t>(awake, 1), most)),
            static_cast<unsigned>(std::min(bytes / shares.asleep_bytes, most))};
}

void reduce(const kernels &cpu, pool &helpers, const wf_reduce_request &what, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers, which it starts with those that it has
    const job of(what, threads);
    if (what.kind == WF_REDUCE_EXACT)
        return reduce_exactly(cpu, helpers, of, what);
    if (what.kind == WF_REDUCE_DESCRIBE)
        return describe(cpu, helpers, of, what);
    const uint64_t element_bytes = wf_bytes_of_type(of.type) * wf_facts_of_op(of.op).scalars;
    const cut pieces = cut_up(of, element_bytes, 1);
    partial partials[most_pieces + 1];
    run_pieces(of, element_bytes, helpers, pieces,
               [&](uint64_t begin, uint64_t end, size_t i) { cpu.fold(of, begin, end, &partials[i]); });
    cpu.finish(of, partials, pieces.pieces, what.result);
}

} // namespace wf::host::native
