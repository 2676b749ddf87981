// A thread's accumulator, for each operator. The protocol, which reduce_elements (packed_array.hpp) follows:
//
//   thread_reduce<Op> mine(op)
//   mine.add_pack(pack, p)    takes the elements of pack number p; a thread's packs come with ascending numbers
//   mine.flush()              follows every few packs, loads_in_flight at the most: what is kept in fewer bits goes to
//                             the total
//   mine.add_one(x, item)     takes an element that lies in no pack, with its item's number; no flush() is needed
//   mine.result(source, p)    the thread's value, when all is added; p is the thread's number, and that of a pack which
//                             stands for its packs if none is better than an operator's identity
//
// A value may name an item, which is a pack or a single element, where the result names an element. When all threads'
// values are folded:
//
//   resolved(op, value, source, first)   looks once into the pack that won, and counts from the whole array's start;
//                                        source starts at its element first. What comes of it folds and finishes, too
//
// An array that is_short (packed_array.hpp) has a kernel of its own, for which short_thread_reduce<Op, Packed> is both.
//
// An operator whose accumulator needs more registers than others' has a smaller largest_tile_of<Op>, or a smaller
// loads_in_flight_of<thread_reduce<Op>> (packed_array.hpp).
//
// fold_pack() folds a pack; an extreme_finder, or a running_extreme, finds the extreme of packs (fold_pack.hpp).
#ifndef WAVEFOLD_REDUCE_THREAD_REDUCE_HPP
#define WAVEFOLD_REDUCE_THREAD_REDUCE_HPP

#include "fold_pack.hpp"

#include "reduce/request.h"

namespace wf {

// Threads of a tile, at the most.
template <class Op>
constexpr unsigned largest_tile_of = largest_tile;

// Of a full size a processor must hold so many at once, by the registers that a thread takes; 0: the compiler chooses.
// With the 44 that nvcc 13 gave, an H200 held one tile of 1024 threads, and the launch table wants two.
template <class Op>
constexpr unsigned tiles_at_once_of = 0;
template <class Element>
constexpr unsigned tiles_at_once_of<extremes<Element>> = sizeof(Element) == 8 ? 2 : 0;

// How many packs a thread takes at once in the kernel for short arrays; 0: there is none.
template <class Op>
constexpr unsigned short_packs = 0;
template <class Element, class Accumulator, wf_term Term>
constexpr unsigned short_packs<adds<Element, Accumulator, Term>> = sizeof(Element) < 4 ? WF_FEW_SHORT_PACKS
                                                                                       : WF_MANY_SHORT_PACKS;
template <class Element>
constexpr unsigned short_packs<extreme<Element>> = std::is_integral_v<Element> && sizeof(Element) >= 4
                                                       ? WF_MANY_SHORT_PACKS
                                                       : WF_FEW_SHORT_PACKS;
template <class Element>
constexpr unsigned short_packs<extremes<Element>> = WF_FEW_SHORT_PACKS;
template <class Element>
constexpr unsigned short_packs<first_extreme<Element>> = WF_FEW_SHORT_PACKS;

// Whether what an operator holds is needed for the elements, or for the result alone.
template <class Op>
constexpr bool needed_for_elements = true;
template <class Element, class Accumulator, wf_term Term>
constexpr bool needed_for_elements<adds<Element, Accumulator, Term>> = false;

// Most operators: each pack is folded, and its fold into the total.
template <class Op, class = void>
class thread_reduce {
  public:
    using element = typename Op::element;
    explicit __device__ __forceinline__ thread_reduce(const Op &op) : op_(op) {}
    __device__ __forceinline__ void add_pack(const element_pack<element> &from, unsigned) {
        total_ = op_(total_, fold_pack(op_, from));
        if constexpr (is_narrow<element>)
            opaque(total_);
    }
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(element from, unsigned item) { total_ = op_(total_, op_.lift(from, item)); }
    template <class Packed>
    __device__ __forceinline__ auto result(const Packed &, unsigned) const {
        return total_;
    }

  private:
    const Op &op_;
    decltype(Op::identity()) total_ = Op::identity();
};

// Sums of narrow integers: a few packs fit 32 bits.
template <class Element, class Accumulator>
class thread_reduce<adds<Element, Accumulator>, std::enable_if_t<is_narrow<Element>>> {
  public:
    explicit __device__ __forceinline__ thread_reduce(const adds<Element, Accumulator> &) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned) {
        if constexpr (sizeof(Element) == 1) {
#pragma unroll
            for (const uint32_t word : from.words)
                few_ = add_bytes<Element>(word, few_);
        } else {
            few_ += fold_tree<8>(sum<int32_t>(), [&](unsigned k) { return int32_t(from[k]); });
        }
        opaque(few_);
    }
    __device__ __forceinline__ void flush() {
        total_ = add(total_, Accumulator(few_));
        few_ = 0;
    }
    __device__ __forceinline__ void add_one(Element from, unsigned) {
        total_ = add(total_, Accumulator(from));
    }
    template <class Packed>
    __device__ __forceinline__ Accumulator result(const Packed &, unsigned) const {
        return total_;
    }

  private:
    static_assert(loads_in_flight <= 64, "so many packs between two calls of flush() fit 32 bits");
    int32_t few_ = 0;
    Accumulator total_ = 0;
};

// The least, or the largest: of packs and of single elements apart. If no pack beat the identity, found() is the
// identity. For integers that is the extreme, too; for floats every element was a NaN that is passed over.
template <class Element>
class thread_reduce<extreme<Element>> {
  public:
    explicit __device__ __forceinline__ thread_reduce(const extreme<Element> &op) : op_(op), packs_(op) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned) { packs_.add_pack(from); }
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from, unsigned item) { one_ = op_(one_, op_.lift(from, item)); }
    template <class Packed>
    __device__ __forceinline__ auto result(const Packed &, unsigned) const {
        return op_(one_, packs_.found());
    }

  private:
    const extreme<Element> &op_;
    extreme_finder<Element> packs_;
    typename extreme<Element>::rank one_ = extreme<Element>::identity();
};

template <class Element>
class thread_reduce<extremes<Element>> {
  public:
    explicit __device__ __forceinline__ thread_reduce(const extremes<Element> &op) : low_(op.low), high_(op.high) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        low_.add_pack(from, p);
        high_.add_pack(from, p);
    }
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        low_.add_one(from, item);
        high_.add_one(from, item);
    }
    template <class Packed>
    __device__ __forceinline__ auto result(const Packed &source, unsigned first) const {
        return typename extremes<Element>::pair{low_.result(source, first), high_.result(source, first)};
    }

  private:
    thread_reduce<extreme<Element>> low_, high_;
};

// The extreme, and the first item that has it: packs come with ascending numbers, so a later one counts if it is
// better.
template <class Element>
class place_finder {
  public:
    using value = typename first_extreme<Element>::value;
    explicit __device__ __forceinline__ place_finder(const first_extreme<Element> &op) : op_(op), packs_(op.which) {}
    // Of the same operator.
    __device__ __forceinline__ void become(const place_finder &other) {
        packs_.become(other.packs_);
        best_pack_ = other.best_pack_;
        one_ = other.one_;
    }

    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        best_pack_ = packs_.improved_by(from) ? p : best_pack_;
    }
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from, unsigned item) { add_value(op_.lift(from, item)); }
    __device__ __forceinline__ void add_value(const value &lifted) { one_ = op_(one_, lifted); }
    // Among floats nothing ranks as the identity does but NaN that are passed over. Integers may: if none was better,
    // any pack is as good, and where all of the array is so, thread 0's, which is the first one, comes first.
    template <class Packed>
    __device__ __forceinline__ value result(const Packed &source, unsigned first) const {
        const auto found = packs_.found();
        const bool is_nothing = found == extreme<Element>::identity();
        const unsigned p = !is_nothing ? best_pack_ : is_float<Element> ? none : first;
        return p < source.packs() ? op_(one_, op_.value_of(found, source.item_of_pack(p))) : one_;
    }

  private:
    static constexpr unsigned none = ~0u;
    const first_extreme<Element> &op_;
    running_extreme<Element> packs_;
    unsigned best_pack_ = none;
    value one_ = first_extreme<Element>::identity();
};

// What resolved() gives: Op::found, or the value itself, which most operators' names no item.
template <class Op, class = void>
struct found_type {
    using type = decltype(Op::identity());
};
template <class Op>
struct found_type<Op, std::void_t<typename Op::found>> {
    using type = typename Op::found;
};
template <class Op>
using found_of = typename found_type<Op>::type;

template <class Op, class Value, class Packed>
__device__ __forceinline__ Value resolved(const Op &, const Value &value, const Packed &, uint64_t) {
    return value;
}

// The pack in which it is, if it is in one. It is loaded at once: its elements one by one would each wait for memory.
template <class Element, class Packed>
__device__ __forceinline__ element_pack<Element>
pack_of(const first_extreme<Element> &op, const typename first_extreme<Element>::value &value, const Packed &source) {
    element_pack<Element> pack = {};
    if (const unsigned p = source.pack_of_item(op.item_of(value)); p < source.packs())
        pack = source.load(p, 0);
    return pack;
}
template <class Element, class Packed>
__device__ __forceinline__ auto resolved_in(const first_extreme<Element> &op,
                                            const typename first_extreme<Element>::value &value,
                                            const element_pack<Element> &pack, const Packed &source, uint64_t first) {
    using found = typename first_extreme<Element>::found;
    const auto rank = op.rank_of(value);
    const unsigned item = op.item_of(value), p = source.pack_of_item(item);
    if (item == op.no_item)
        return found{uint64_t(rank), op.nowhere};
    if (p >= source.packs())
        return found{uint64_t(rank), first + source.index_of_edge(source.edge_of_item(item))};
    unsigned at = 0;
#pragma unroll
    for (unsigned k = pack.size - 1; k > 0; k--)
        at = op.which.lift(pack[k], 0) == rank ? k : at;
    at = op.which.lift(pack[0], 0) == rank ? 0 : at;
    return found{uint64_t(rank), first + source.index_of(p) + at};
}
template <class Element, class Packed>
__device__ __forceinline__ auto resolved(const first_extreme<Element> &op,
                                         const typename first_extreme<Element>::value &value, const Packed &source,
                                         uint64_t first) {
    return resolved_in(op, value, pack_of(op, value, source), source, first);
}

template <class Element>
class thread_reduce<first_extreme<Element>> : public place_finder<Element> {
  public:
    using place_finder<Element>::place_finder;
};

// The same for an array that is_short, with an end: found(total) is what the fold of all threads' values comes to.
template <class Op, class Packed, class = void>
class short_thread_reduce : public thread_reduce<Op> {
  public:
    __device__ __forceinline__ short_thread_reduce(const Op &op, const Packed &source)
        : thread_reduce<Op>(op), op_(op), source_(source) {}
    template <class Value>
    __device__ __forceinline__ auto found(const Value &total) const {
        return resolved(op_, total, source_, 0);
    }

  private:
    const Op &op_;
    const Packed &source_;
};

// Elements by their index, one by one: there are few in a pack, and none is looked up in the end, which would take as
// long as a load.
template <class Element, class Packed>
class short_thread_reduce<first_extreme<Element>, Packed, std::enable_if_t<sizeof(Element) >= 4>> {
  public:
    using value = typename first_extreme<Element>::value;
    __device__ __forceinline__ short_thread_reduce(const first_extreme<Element> &op, const Packed &source)
        : op_(op), source_(source) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        const auto first = unsigned(source_.index_of(p));
#pragma unroll
        for (unsigned k = 0; k < element_pack<Element>::size; k++)
            best_ = op_(best_, op_.lift(from[k], first + k));
    }
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        best_ = op_(best_, op_.lift(from, unsigned(source_.index_of_edge(source_.edge_of_item(item)))));
    }
    __device__ __forceinline__ value result(const Packed &, unsigned) const {
        return best_;
    }
    __device__ __forceinline__ auto found(const value &total) const {
        const unsigned index = op_.item_of(total);
        return typename first_extreme<Element>::found{uint64_t(op_.rank_of(total)),
                                                      index == op_.no_item ? op_.nowhere : index};
    }

  private:
    const first_extreme<Element> &op_;
    const Packed &source_;
    value best_ = first_extreme<Element>::identity();
};

} // namespace wf
#endif
