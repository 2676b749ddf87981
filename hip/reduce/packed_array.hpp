// An array at any byte offset as packs of 16 bytes, and which of them a thread takes.
//
//   packed_array                          the array: size(); packs(), load(p, ahead); edges(), read(i); indices of
//                                         either, and their numbers among both
//   element_pack                          a pack: size elements, pack[k], and its words
//   reduce_elements(tidx, source, mine)   gives a thread's accumulator (thread_reduce.hpp) the elements of its share
//   reduce_short<Packs>(tidx, source, mine)  the same for a tile that has an array to itself, which is_short then
#ifndef WAVEFOLD_REDUCE_PACKED_ARRAY_HPP
#define WAVEFOLD_REDUCE_PACKED_ARRAY_HPP

#include "../tile.hpp"

#include <cstring>

namespace wf {

// A line of elements, each taken out of its word when it is folded: AMD's compilers would give each of 16 single bytes
// that wait a register of its own.
template <class Element>
struct element_pack : line<Element> {
    static constexpr unsigned size = 16 / sizeof(Element);
    using line<Element>::words;

    __device__ __forceinline__ Element operator[](unsigned k) const {
        using bits =
            std::conditional_t<sizeof(Element) == 1, uint8_t,
                               std::conditional_t<sizeof(Element) == 2, uint16_t, typename line<Element>::word>>;
        constexpr unsigned in_word = sizeof words[0] / sizeof(Element);
        const auto low = static_cast<bits>(words[k / in_word] >> 8 * sizeof(Element) * (k % in_word));
        Element element;
        memcpy(&element, &low, sizeof element);
        return element;
    }
};

// Packs and elements one behind the other, in a loop that is not unrolled: an index would put them into memory.
//
// The second pack becomes the first.
template <unsigned Packs, class Element>
__device__ __forceinline__ void move_round(element_pack<Element> (&packs)[Packs]) {
    const element_pack<Element> first = packs[0];
#pragma unroll
    for (unsigned p = 0; p + 1 < Packs; p++)
        packs[p] = packs[p + 1];
    packs[Packs - 1] = first;
}
// The first element of a pack; the others move up.
template <class Bits>
__device__ __forceinline__ Bits take_first(uint64_t (&halves)[2]) {
    constexpr unsigned step = 8 * sizeof(Bits);
    const auto first = Bits(halves[0]);
    if constexpr (step == 64)
        halves[0] = halves[1];
    else
        halves[0] = halves[0] >> step | halves[1] << (64 - step);
    halves[1] >>= step % 64;
    return first;
}

// An array cut into packs of 16 bytes. Elements that are Aligned to their type come in packs at aligned addresses;
// others in packs that lie across such, shift bytes behind each. Where the hardware loads_any_byte, all are taken for
// Aligned. The edges are what no pack holds, at both ends. The host cuts it for the kernel: a small fold takes as long
// as its instructions take to be fetched.
template <class Element, bool Aligned>
class packed_array {
  public:
    static constexpr unsigned loads = 16 / sizeof(Element);
    static constexpr bool is_across = !Aligned;
    using element = Element;
    using elements = element_pack<Element>;
    // Packs are numbered in 32 bits, with room for a thread to step over the end: up to WF_REDUCE_BYTES in one launch.

    // threads: of the launch, if these must not be fewer than edges; with 0 these are the fewest.
    explicit packed_array(const array_view<const Element> &source, unsigned threads = ~0u)
        : shift_(source.past(0, sizeof(Element))), head_(unsigned(source.template aligned_from<loads>())),
          body_(source), source_(source) {
        if (shift_ != 0 && head_ < source.size())
            head_++; // none stands at an aligned address: the first one behind it
        // In long arrays packs start where a line does, so that no wave's loads touch a line more than they fill.
        constexpr size_t line = 128, is_long = 512 * line;
        if (source.size() * sizeof(Element) >= is_long && threads >= line)
            head_ += unsigned((line + shift_ - source.past(head_, line)) % line / sizeof(Element));
        body_ = source.section(head_, source.size() - head_);
        packs_ = unsigned((source.size() - head_) / loads);
        if (shift_ != 0 && packs_ > 0)
            packs_--; // the second load of a pack (array_view::load_across) must end inside the array
        edges_ = unsigned(source.size() - size_t(packs_) * loads);
    }

    // Whether each of so many threads has so many packs, and one edge, at the most (reduce_short).
    bool is_short(unsigned threads, unsigned packs) const { return packs_ <= packs * threads && edges_ <= threads; }

    // Whether it has so many at the most, and edges, of which each counts as one.
    bool has_at_most(unsigned packs) const { return packs_ + edges_ <= packs; }

    __device__ __forceinline__ size_t size() const { return source_.size(); }
    __device__ __forceinline__ unsigned packs() const { return packs_; }
    // Pack p + ahead; ahead is the same in all threads. Words is for packs that lie across (array_view::load_across).
    template <unsigned Words = words_across<Element>>
    __device__ __forceinline__ elements load(unsigned p, unsigned ahead) const {
        if constexpr (Aligned)
            return {body_.load_line(size_t(p) * loads, ahead)};
        else
            return {body_.template load_across<Words>(size_t(p) * loads, ahead, shift_)};
    }
    // The same on its way to tile memory (line_copies.hpp).
    template <class Copies>
    __device__ __forceinline__ void start_copy(Copies &copies, unsigned k, unsigned p, unsigned ahead) const {
        static_assert(Aligned);
        copies.start(k, body_, size_t(p) * loads, ahead);
    }
    // The index of a pack's first element.
    __device__ __forceinline__ size_t index_of(unsigned p) const { return head_ + size_t(p) * loads; }
    __device__ __forceinline__ unsigned edges() const { return edges_; }
    __device__ __forceinline__ size_t index_of_edge(unsigned e) const {
        return e < head_ ? e : e + size_t(packs_) * loads;
    }
    // Packs and edges are items, numbered together in the order of their elements.
    __device__ __forceinline__ unsigned item_of_pack(unsigned p) const { return head_ + p; }
    __device__ __forceinline__ unsigned item_of_edge(unsigned e) const { return e < head_ ? e : e + packs_; }
    // Of an edge's item: packs() or more.
    __device__ __forceinline__ unsigned pack_of_item(unsigned item) const { return item - head_; }
    __device__ __forceinline__ unsigned edge_of_item(unsigned item) const {
        return item < head_ ? item : item - packs_;
    }
    __device__ __forceinline__ Element read(size_t i) const {
        if constexpr (Aligned && !loads_any_byte(64))
            return source_[i];
        else
            return source_.read(i);
    }

  private:
    unsigned shift_, head_, packs_, edges_; // first: in a kernel's arguments, with what it needs for its first load
    array_view<const Element> body_;        // from the first pack on
    array_view<const Element> source_;
};

// Loads in flight per thread: 64 bytes, unless the accumulator needs the registers.
constexpr unsigned loads_in_flight = 4;
template <class Accumulator>
constexpr unsigned loads_in_flight_of = loads_in_flight;

// Packs that lie across aligned addresses take two loads each, and more registers.
template <class Packed, class Accumulator>
constexpr unsigned packs_at_once =
    loads_in_flight_of<Accumulator> <= 3 || !Packed::is_across ? loads_in_flight_of<Accumulator> : 3;

// Where so many threads have a run of packs to themselves, of Packs for each: the first pack of the run's thread p. Its
// others follow in steps of run_step.
constexpr unsigned run_step = 32;
template <unsigned Packs>
__device__ __forceinline__ unsigned first_in_run(unsigned p) {
    return p / run_step * run_step * Packs + p % run_step;
}

// So many packs, p and those that follow it in the given steps.
template <unsigned Packs, class Packed, class Accumulator>
__device__ __forceinline__ void reduce_some(unsigned p, unsigned step, const Packed &source, Accumulator &mine) {
    typename Packed::elements loaded[Packs];
#pragma unroll
    for (unsigned k = 0; k < Packs; k++)
        loaded[k] = source.load(p, k * step);
#pragma unroll
    for (unsigned k = 0; k < Packs; k++)
        mine.add_pack(loaded[k], p + k * step);
    mine.flush();
}

// The part of thread p of so many.
template <class Packed, class Accumulator>
__device__ __forceinline__ void reduce_packs(unsigned p, unsigned threads, const Packed &source, Accumulator &mine) {
    constexpr unsigned at_once = packs_at_once<Packed, Accumulator>;
    const unsigned packs = source.packs();
    if constexpr (Packed::is_across) {
        // Each load of a wave touches a sector more than it fills, and so does a run of them: a third as many.
        const unsigned first = first_in_run<at_once>(p);
        unsigned taken = 0;
        for (; taken + at_once * threads <= packs; taken += at_once * threads)
            reduce_some<at_once>(taken + first, run_step, source, mine);
        p += taken;
    }
    for (; p + (at_once - 1) * threads < packs; p += at_once * threads)
        reduce_some<at_once>(p, threads, source, mine);
    // The last few are in flight together too: for small arrays that is all there is.
    constexpr unsigned last = at_once - 1;
    if constexpr (last > 0) {
        if (p >= packs)
            return;
        typename Packed::elements loaded[last] = {};
#pragma unroll
        for (unsigned k = 0; k < last; k++)
            if (p + k * threads < packs)
                loaded[k] = source.load(p, k * threads);
#pragma unroll
        for (unsigned k = 0; k < last; k++)
            if (p + k * threads < packs)
                mine.add_pack(loaded[k], p + k * threads);
        mine.flush();
    }
}

// A thread's number in the grid; that of its first pack, too, but in runs.
__device__ __forceinline__ unsigned thread_of(const tiled_index &tidx) {
    return tidx.tile * tidx.tile_size + tidx.local;
}

// The grid strides over the array; a thread's packs ascend. (With edges loaded beside the last packs, small arrays of
// many tiles took up to 20 % longer on an H200 where there are no edges.)
template <class Packed, class Accumulator>
__device__ __forceinline__ void reduce_elements(const tiled_index &tidx, const Packed &source, Accumulator &mine) {
    const unsigned threads = tidx.tiles * tidx.tile_size, thread = thread_of(tidx);
    reduce_packs(thread, threads, source, mine);
    for (unsigned e = thread; e < source.edges(); e += threads)
        mine.add_one(source.read(source.index_of_edge(e)), source.item_of_edge(e));
}

// An array that is_short, in few instructions, one behind the other: they are fetched while the loads are on the way,
// which are all in flight at once.
template <unsigned Packs, class Packed, class Accumulator>
__device__ __forceinline__ void reduce_short(const tiled_index &tidx, const Packed &source, Accumulator &mine) {
    const unsigned p = tidx.local, threads = tidx.tile_size, packs = source.packs();
    const bool has_edge = p < source.edges();
    typename Packed::elements loaded[Packs] = {};
    typename Packed::element edge{};
#pragma unroll
    for (unsigned k = 0; k < Packs; k++)
        if (p + k * threads < packs)
            loaded[k] = source.load(p, k * threads);
    if (has_edge)
        edge = source.read(source.index_of_edge(p));
#pragma unroll
    for (unsigned k = 0; k < Packs; k++)
        if (p + k * threads < packs)
            mine.add_pack(loaded[k], p + k * threads);
    mine.flush();
    if (has_edge)
        mine.add_one(edge, source.item_of_edge(p));
}

} // namespace wf
#endif
