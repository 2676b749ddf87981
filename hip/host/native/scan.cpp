// Scans in the order that kernels have (scan/request.h): a thread goes along a row, one lane row after the other. Of a
// long row threads first find what each section comes to, and then scan sections; columns go side by side, so that a
// line of the cache is read once.
#include "scan.hpp"

#include "../../scan/scan_flagged.hpp"
#include "../../scan/scan_so_far.hpp"
#include "../../scan/visit_scan.hpp"
#include "../default_float_environment.hpp"
#include "native.hpp"
#include "pool.hpp"

#include <algorithm>
#include <vector>

namespace wf::host::native {

namespace {

constexpr unsigned columns_at_once = 16;
constexpr uint64_t bytes_of_piece = 128 << 10; // what a thread takes at once, at the least
constexpr uint64_t sections_at_once = 128;     // of a long row: they stay in a cache between the two steps

// Operators whose results do not depend on the order: those take the elements one by one.
template <class Op>
constexpr bool combines_in_any_order = false;
template <class Element, class Value, bool Multiplies>
constexpr bool combines_in_any_order<scan_integers<Element, Value, Multiplies>> = true;
template <class Element>
constexpr bool combines_in_any_order<scan_extremes<Element>> = true;

struct flag_bytes {
    const uint8_t *flags;
    bool operator()(uint64_t i) const { return flags[i] != 0; }
};

template <class Op>
struct scanning {
    using element = typename Op::element;
    using value = typename Op::value;
    using cut = scan_cut<Op>;
    const wf_scan_request &request;
    const Op op;
    const value initial;

    scanning(const wf_scan_request &what, const Op &by)
        : request(what), op(by), initial(initial_value(by, initial_of(what))) {}

    // A lane row: of each pack, the elements so far; and in lanes what all packs so far come to.
    struct lane_row {
        value held[cut::pack][scan_lanes], lanes[scan_lanes];
    };

    void load(lane_row &row, const element *from, uint64_t first) const {
        const uint64_t left = request.length - first;
        const int64_t stride = request.stride;
        if (left >= cut::lane_row && stride == 1) {
            for (unsigned l = 0; l < scan_lanes; l++)
                for (unsigned k = 0; k < cut::pack; k++)
                    row.held[k][l] = op.load(from[first + l * cut::pack + k], first + l * cut::pack + k);
            return;
        }
        for (unsigned i = 0; i < cut::lane_row; i++)
            row.held[i % cut::pack][i / cut::pack] =
                i < left ? op.load(from[static_cast<int64_t>(first + i) * stride], first + i) : Op::identity();
    }

    void combine(lane_row &row) const {
        for (unsigned k = 1; k < cut::pack; k++)
            for (unsigned l = 0; l < scan_lanes; l++)
                row.held[k][l] = op(row.held[k - 1][l], row.held[k][l]);
        for (unsigned l = 0; l < scan_lanes; l++)
            row.lanes[l] = row.held[cut::pack - 1][l];
        for (unsigned reach = 1; reach < scan_lanes; reach *= 2)
            for (unsigned block = reach; block < scan_lanes; block += 2 * reach)
                for (unsigned l = 0; l < reach; l++)
                    row.lanes[block + l] = op(row.lanes[block - 1], row.lanes[block + l]);
    }

    template <class Result, class Finish>
    void store_as(Result *to, const lane_row &row, const value (&before)[scan_lanes], uint64_t first,
                  const Finish &finish) const {
        const auto count = static_cast<unsigned>(std::min<uint64_t>(request.length - first, cut::lane_row));
        const int64_t stride = request.result_stride;
        const auto put = [&](unsigned i, const value &x) { to[static_cast<int64_t>(first + i) * stride] = finish(x); };
        if (request.exclusive != 0) {
            for (unsigned i = 0; i < count; i++) {
                const unsigned l = i / cut::pack, k = i % cut::pack;
                put(i, value_before(op, k == 0 ? before[l] : op(before[l], row.held[k - 1][l]), first + i));
            }
        } else if (count == cut::lane_row && stride == 1) {
            for (unsigned l = 0; l < scan_lanes; l++)
                for (unsigned k = 0; k < cut::pack; k++)
                    to[first + l * cut::pack + k] = finish(op(before[l], row.held[k][l]));
        } else {
            for (unsigned i = 0; i < count; i++)
                put(i, op(before[i / cut::pack], row.held[i % cut::pack][i / cut::pack]));
        }
    }

    // at: the row's first result.
    void store(int64_t at, const lane_row &row, const scan_so_far<Op> &so_far, uint64_t first) const {
        value before[scan_lanes];
        const scan_before<Op> outer = so_far.before_lane_row(op);
        for (unsigned l = 0; l < scan_lanes; l++)
            before[l] = outer.with(op, l == 0 ? Op::identity() : row.lanes[l - 1]);
        if (std::is_same_v<typename Op::narrow, typename Op::wide> || request.narrow == 0)
            store_as(static_cast<typename Op::wide *>(request.result) + at, row, before, first,
                     [&](const value &x) { return op.as_wide(x); });
        else
            store_as(static_cast<typename Op::narrow *>(request.result) + at, row, before, first,
                     [&](const value &x) { return op.as_narrow(x); });
    }

    struct place {
        const element *source;
        int64_t result;
    };
    place place_of(uint64_t number) const {
        place at = {static_cast<const element *>(request.source), 0};
        for (uint32_t d = request.kept.length; d-- > 0; number /= request.kept.axis[d].count) {
            const auto along = static_cast<int64_t>(number % request.kept.axis[d].count);
            at.source += along * request.kept.axis[d].stride;
            at.result += along * request.kept.axis[d].result_stride;
        }
        return at;
    }

    template <class Result, class Finish>
    value scan_one_by_one_as(Result *to, const element *from, value so_far, uint64_t first, uint64_t end,
                             const Finish &finish) const {
        const int64_t stride = request.stride, result_stride = request.result_stride;
        for (uint64_t i = first; i < end; i++) {
            const value all = op(so_far, op.load(from[static_cast<int64_t>(i) * stride], i));
            to[static_cast<int64_t>(i) * result_stride] =
                finish(request.exclusive != 0 ? value_before(op, so_far, i) : all);
            so_far = all;
        }
        return so_far;
    }
    value scan_one_by_one(const place &row, const value &so_far, uint64_t first, uint64_t end) const {
        if (std::is_same_v<typename Op::narrow, typename Op::wide> || request.narrow == 0)
            return scan_one_by_one_as(static_cast<typename Op::wide *>(request.result) + row.result, row.source, so_far,
                                      first, end, [&](const value &x) { return op.as_wide(x); });
        return scan_one_by_one_as(static_cast<typename Op::narrow *>(request.result) + row.result, row.source, so_far,
                                  first, end, [&](const value &x) { return op.as_narrow(x); });
    }

    // Elements first to end - 1 of some rows, side by side.
    void scan_rows(const place *rows, scan_so_far<Op> *so_far, size_t count, uint64_t first, uint64_t end) const {
        if constexpr (combines_in_any_order<Op>) {
            value before[columns_at_once];
            for (size_t r = 0; r < count; r++)
                before[r] = so_far[r].before_lane_row(op).with(op, Op::identity());
            for (; first < end; first += cut::lane_row)
                for (size_t r = 0; r < count; r++)
                    before[r] = scan_one_by_one(rows[r], before[r], first, std::min(first + cut::lane_row, end));
            return;
        }
        lane_row row;
        for (; first < end; first += cut::lane_row)
            for (size_t r = 0; r < count; r++) {
                load(row, rows[r].source, first);
                combine(row);
                store(rows[r].result, row, so_far[r], first);
                so_far[r].add_lane_row(op, row.lanes[scan_lanes - 1]);
            }
    }

    // What a section comes to.
    value total_of(const place &at, uint64_t section) const {
        value total = Op::identity(), of_team = Op::identity();
        if constexpr (combines_in_any_order<Op>) {
            const uint64_t end = std::min<uint64_t>((section + 1) * cut::section, request.length);
            for (uint64_t i = section * cut::section; i < end; i++)
                total = op(total, op.load(at.source[static_cast<int64_t>(i) * request.stride], i));
            return total;
        }
        lane_row row;
        for (unsigned r = 0; r < scan_teams * cut::lane_rows; r++) {
            const uint64_t first = section * cut::section + r * cut::lane_row;
            if (first < request.length) {
                load(row, at.source, first);
                combine(row);
                of_team = op(of_team, row.lanes[scan_lanes - 1]);
            }
            if ((r + 1) % cut::lane_rows == 0) {
                total = op(total, of_team);
                of_team = Op::identity();
            }
        }
        return total;
    }

    void scan_long_row(pool &helpers, const worth &with, uint64_t number) const {
        const place at = place_of(number);
        const uint64_t sections = (request.length + cut::section - 1) / cut::section;
        scan_so_far<Op> so_far(initial);
        std::vector<value> totals(sections_at_once);
        std::vector<scan_so_far<Op>> before(sections_at_once, so_far);
        for (uint64_t section = 0; section < sections; section += sections_at_once) {
            const uint64_t some = std::min(sections_at_once, sections - section);
            helpers.run(some, with, [&](size_t i) { totals[i] = total_of(at, section + i); });
            for (uint64_t i = 0; i < some; i++) {
                before[i] = so_far;
                so_far.add_section(op, totals[i]);
            }
            helpers.run(some, with, [&](size_t i) {
                const uint64_t first = (section + i) * cut::section;
                scan_rows(&at, &before[i], 1, first, std::min<uint64_t>(first + cut::section, request.length));
            });
        }
    }

    void run(pool &helpers, const wf_thread_table &threads) const {
        const uint64_t bytes = request.rows * request.length * (sizeof(element) + request.result_bytes);
        const worth with = helpers_worth(bytes, threads, helpers.threads());
        const bool is_long = request.length > 4 * cut::section;
        if (is_long && with.awake > 0 && request.rows < 4 * uint64_t(helpers.threads())) {
            for (uint64_t row = 0; row < request.rows; row++)
                scan_long_row(helpers, with, row);
            return;
        }
        const uint64_t side_by_side = request.stride != 1 ? columns_at_once : 1;
        const uint64_t of_blocks = (request.rows + side_by_side - 1) / side_by_side;
        const uint64_t pieces = std::min(of_blocks, std::max<uint64_t>(1, bytes / bytes_of_piece));
        helpers.run(pieces, with, [&](size_t piece) {
            for (uint64_t block = of_blocks * piece / pieces, end = of_blocks * (piece + 1) / pieces; block < end;
                 block++) {
                place rows[columns_at_once];
                scan_so_far<Op> so_far[columns_at_once] = {initial, initial, initial, initial, initial, initial,
                                                           initial, initial, initial, initial, initial, initial,
                                                           initial, initial, initial, initial};
                const uint64_t first = block * side_by_side, some = std::min(side_by_side, request.rows - first);
                for (uint64_t r = 0; r < some; r++)
                    rows[r] = place_of(first + r);
                scan_rows(rows, so_far, some, 0, request.length);
            }
        });
    }
};

} // namespace

void scan(pool &helpers, const wf_scan_request &request, wf_thread_table threads) {
    const default_float_environment modes; // of this thread, and of helpers
    visit_scan<bool>(request, [&](auto tag) {
        using plain = typename decltype(tag)::type;
        using flagged = scan_flagged<plain, flag_bytes>;
        const plain op = scan_op_of(request, tag);
        if (request.flags == nullptr)
            scanning<plain>(request, op).run(helpers, threads);
        else
            scanning<flagged>(request, flagged_of(request, op, flag_bytes{static_cast<const uint8_t *>(request.flags)}))
                .run(helpers, threads);
        return true;
    });
}

} // namespace wf::host::native
