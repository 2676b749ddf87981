// A scan that goes along a row, one lane row after the other; also the CPU's.
#ifndef WAVEFOLD_SCAN_SCAN_SO_FAR_HPP
#define WAVEFOLD_SCAN_SCAN_SO_FAR_HPP

#include "scan_operators.hpp"

namespace wf {

// What comes before a lane row: of the larger parts, and of its team.
template <class Op>
struct scan_before {
    typename Op::value teams, lane_rows;

    __device__ __forceinline__ typename Op::value with(const Op &op, const typename Op::value &lanes_before) const {
        return op(teams, op(lane_rows, lanes_before));
    }
};

// How the parts of a row add up.
template <class Op>
class scan_so_far {
    using value = typename Op::value;

  public:
    __device__ __forceinline__ scan_so_far(const value &initial)
        : spans_(initial), groups_(Op::identity()), sections_(Op::identity()), teams_(Op::identity()),
          lane_rows_(Op::identity()) {}

    // The next lane row.
    __device__ __forceinline__ scan_before<Op> before_lane_row(const Op &op) const {
        return {op(op(op(spans_, groups_), sections_), teams_), lane_rows_};
    }
    __device__ __forceinline__ void add_lane_row(const Op &op, const value &total) {
        lane_rows_ = op(lane_rows_, total);
        count_++;
        if (count_ % of_team != 0)
            return;
        carry(op, teams_, lane_rows_);
        if (count_ % of_section == 0) {
            carry(op, sections_, teams_);
            end_section(op);
        }
    }
    // All lane rows of the next section, which come to total.
    __device__ __forceinline__ void add_section(const Op &op, const value &total) {
        sections_ = op(sections_, total);
        count_ += of_section;
        end_section(op);
    }

  private:
    static constexpr unsigned of_team = scan_cut<Op>::lane_rows, of_section = of_team * scan_teams;

    __device__ __forceinline__ void end_section(const Op &op) {
        const auto sections = count_ / of_section;
        if (sections % scan_group != 0)
            return;
        carry(op, groups_, sections_);
        if (sections % (scan_group * scan_group) == 0)
            carry(op, spans_, groups_);
    }
    static __device__ __forceinline__ void carry(const Op &op, value &to, value &from) {
        to = op(to, from);
        from = Op::identity();
    }

    value spans_, groups_, sections_, teams_, lane_rows_;
    uint64_t count_ = 0; // of lane rows
};

} // namespace wf
#endif
