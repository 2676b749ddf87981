// What lanes keep while they look for the first extreme: its rank, and which pack, or which rows, had it. Which element
// that is they find out in the end, when they look there again.
//
//   pack_totals<Op>      of a run of packs: add(pack, p), then end(total, load, index)
//   column_totals<Op, C> of C columns: add(rows, group), then next(look) for each column; look(group, total) adds the
//                        elements of the column in the rows of a group
#ifndef WAVEFOLD_AXES_FIRST_EXTREMES_HPP
#define WAVEFOLD_AXES_FIRST_EXTREMES_HPP

#include "axes_arguments.hpp"

namespace wf {

// Operators without an index add each pack to the total.
template <class Op>
class pack_totals {
  public:
    using pack = element_pack<typename Op::element>;
    __device__ __forceinline__ pack_totals(const Op &op, typename Op::value &total, uint64_t)
        : op_(op), total_(total) {}
    __device__ __forceinline__ void add(const pack &from, unsigned) { op_.add_pack(total_, from, 0); }
    template <class Load>
    __device__ __forceinline__ void end(const Load &) {}

  private:
    const Op &op_;
    typename Op::value &total_;
};

template <class Element>
class pack_totals<axis_first_extreme<Element>> {
  public:
    using op = axis_first_extreme<Element>;
    using pack = element_pack<Element>;
    // index: of the first element of pack 0.
    __device__ __forceinline__ pack_totals(const op &of, typename op::value &total, uint64_t index)
        : op_(of), total_(total), index_(index) {}
    // Packs come with ascending numbers.
    __device__ __forceinline__ void add(const pack &from, unsigned p) {
        const auto largest = op_.largest_of(from);
        const bool better = largest > best_ || found_ == none;
        best_ = better ? largest : best_;
        found_ = better ? p : found_;
    }
    template <class Load>
    __device__ __forceinline__ void end(const Load &load) {
        if (found_ != none)
            op_.add_pack(total_, load(found_, 0), index_ + uint64_t(found_) * pack::size);
    }

  private:
    static constexpr unsigned none = ~0u;
    const op &op_;
    typename op::value &total_;
    uint64_t index_;
    typename op::rank best_ = 0;
    unsigned found_ = none;
};

template <class Op, unsigned Columns>
class column_totals {
  public:
    explicit __device__ __forceinline__ column_totals(const Op &op) : op_(op) {
#pragma unroll
        for (unsigned c = 0; c < Columns; c++)
            total_[c] = Op::identity();
    }
    template <class Pack, unsigned Rows>
    __device__ __forceinline__ void add(const Pack (&rows)[Rows], unsigned) {
        op_.add_rows(total_, rows, 0, 0);
    }
    // The first column's; the others move up: an index would put them into memory.
    template <class Look>
    __device__ __forceinline__ typename Op::value next(const Look &) {
        const typename Op::value first = total_[0];
#pragma unroll
        for (unsigned c = 0; c + 1 < Columns; c++)
            total_[c] = total_[c + 1];
        return first;
    }

  private:
    const Op &op_;
    typename Op::value total_[Columns];
};

template <class Element, unsigned Columns>
class column_totals<axis_first_extreme<Element>, Columns> {
  public:
    using op = axis_first_extreme<Element>;
    explicit __device__ __forceinline__ column_totals(const op &of) : op_(of) {
#pragma unroll
        for (unsigned c = 0; c < Columns; c++) {
            best_[c] = 0;
            group_[c] = none;
        }
    }
    // Groups of rows come with ascending numbers.
    template <class Pack, unsigned Rows>
    __device__ __forceinline__ void add(const Pack (&rows)[Rows], unsigned group) {
        typename op::rank largest[Columns];
        op_.largest_of_columns(rows, largest);
#pragma unroll
        for (unsigned c = 0; c < Columns; c++) {
            const bool better = largest[c] > best_[c] || group_[c] == none;
            best_[c] = better ? largest[c] : best_[c];
            group_[c] = better ? group : group_[c];
        }
    }
    template <class Look>
    __device__ __forceinline__ typename op::value next(const Look &look) {
        auto total = op::identity();
        if (group_[0] != none)
            look(group_[0], total);
#pragma unroll
        for (unsigned c = 0; c + 1 < Columns; c++)
            group_[c] = group_[c + 1];
        return total;
    }

  private:
    static constexpr unsigned none = ~0u;
    const op &op_;
    typename op::rank best_[Columns];
    unsigned group_[Columns];
};

} // namespace wf
#endif
