// Cuts arrays into pieces and joins what they come to.
#include "native.hpp"

#include "pool.hpp"

#include <algorithm>
#include <cstring>

namespace wf::host::native {

namespace {

constexpr size_t most_pieces = 256;
constexpr uint64_t worth_taking = 16; // chunks: taking a piece makes a CPU wait for all that it has asked of memory

// Measured on two cores of a Xeon (Sapphire Rapids): handing a share to a helper that watches takes about a microsecond,
// in which one thread reads some 64 KiB from its cache; waking one takes tens of microseconds, and half a MiB.
constexpr uint64_t bytes_for_awake = 96 * 1024;
constexpr uint64_t bytes_for_asleep = 1024 * 1024;

worth helpers_worth(uint64_t bytes, unsigned threads) {
    const auto helpers = [&](uint64_t for_each) {
        return static_cast<unsigned>(std::min<uint64_t>(bytes / for_each, threads - 1));
    };
    return {helpers(bytes_for_awake), helpers(bytes_for_asleep)};
}

struct cut {
    uint64_t head;   // elements of the first piece, if that is not as long as the others
    uint64_t length; // of every other but the last
    size_t pieces;

    uint64_t begin(size_t piece) const {
        return head == 0 ? piece * length : piece == 0 ? 0 : head + (piece - 1) * length;
    }
};

// Pieces are whole chunks, so that chunks too lie where they lie however many pieces there are. In longer arrays they
// start at a line of the cache if elements do, since loads that touch two take twice as long; what is before is a piece.
cut cut_up(const job &what, uint64_t element_bytes) {
    constexpr uint64_t line = 64;
    const uint64_t chunk = chunk_bytes / element_bytes;
    const uint64_t before = (line - reinterpret_cast<uintptr_t>(what.in) % line) % line;
    const uint64_t head = what.count >= chunk && before % element_bytes == 0 ? before / element_bytes : 0;
    const uint64_t left = what.count - head;
    const uint64_t chunks = left / chunk + (left % chunk != 0);
    const uint64_t of_piece =
        std::max((chunks + most_pieces - 1) / most_pieces, std::clamp<uint64_t>(chunks / 32, 1, worth_taking));
    return {head, of_piece * chunk, static_cast<size_t>((chunks + of_piece - 1) / of_piece) + (head != 0)};
}

template <class Piece>
void run_pieces(const job &what, uint64_t element_bytes, pool &threads, const cut &of, const Piece &piece) {
    const uint64_t bytes = what.count * element_bytes;
    threads.run(of.pieces, helpers_worth(bytes, threads.threads()),
                [&](size_t i) { piece(of.begin(i), std::min<uint64_t>(what.count, of.begin(i + 1)), i); });
}

uint64_t size_of(wf_type type) {
    static const uint8_t sizes[] = {
#define SIZE(ENUM, name, ctype) sizeof(ctype),
        WF_TYPE_MAP(SIZE)
#undef SIZE
    };
    return sizes[type];
}

} // namespace

void reduce(const kernels &cpu, pool &threads, const wf_launch &what) {
    const bool describes = what.kernel == WF_KERNEL_describe;
    const job of(what);
    const uint64_t element_bytes = size_of(of.type) * (describes ? 1 : wf_facts_of_op(of.op).scalars);
    const cut pieces = cut_up(of, element_bytes);
    partial partials[most_pieces + 1];
    run_pieces(of, element_bytes, threads, pieces, [&](uint64_t begin, uint64_t end, size_t i) {
        (describes ? cpu.describe : cpu.fold)(of, begin, end, &partials[i]);
    });
    if (describes)
        cpu.finish_description(of, partials, pieces.pieces, static_cast<wf_description *>(what.result));
    else
        cpu.finish(of, partials, pieces.pieces, what.result);
}

} // namespace wf::host::native
