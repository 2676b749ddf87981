// Sorts of rows and segments on the CPU. Rows that are long for one thread come first, one after the other, each by all
// threads. Then each thread sorts a share of the other rows, of about as many keys as the shares of the others.
#include "row_sort.hpp"

#include "algebra.h"
#include "native.hpp"
#include "pool.hpp"
#include "sort.hpp"

#include <algorithm>

namespace wf::host::native {

namespace {

constexpr size_t least_long_row = 64 * 1024; // keys

class row_sort {
  public:
    row_sort(pool &helpers, const wf_row_sorting &sorting, const wf_thread_table &threads)
        : helpers_(helpers), all_(sorting.all), list_(sorting.list), threads_(threads),
          key_bytes_(wf_bytes_of_type(all_.type)), first_(begin(0)), count_(begin(list_.rows) - first_),
          pieces_(helpers.threads()),
          long_row_(pieces_ == 1 ? count_ : std::max<size_t>(count_ / pieces_, least_long_row)) {}

    void run() {
        size_t longest = 0, longest_of_share = 0;
        for (size_t row = 0; row < list_.rows; row++) {
            const size_t length = begin(row + 1) - begin(row);
            (is_long(length) ? longest : longest_of_share) =
                std::max(length, is_long(length) ? longest : longest_of_share);
        }
        const size_t alone = room_bytes(longest_of_share, 1), shared = room_bytes(longest, pieces_);
        const auto room = make_room(std::max(alone * pieces_, shared));
        for (size_t row = 0; row < list_.rows && longest != 0; row++)
            if (is_long(begin(row + 1) - begin(row)))
                sort_row(row, pieces_, room.get());
        const worth helpers = helpers_worth(count_ * (key_bytes_ + all_.value_bytes), threads_, helpers_.threads());
        helpers_.run(pieces_, helpers, [&](size_t piece) {
            for (size_t row = first_row(piece), end = first_row(piece + 1); row < end; row++)
                if (!is_long(begin(row + 1) - begin(row)))
                    sort_row(row, 1, room.get() + piece * alone);
        });
    }

  private:
    bool is_long(size_t length) const { return length > long_row_; }
    size_t begin(size_t row) const {
        if (list_.offsets == nullptr)
            return row * list_.length;
        return list_.offset_bytes == 8 ? static_cast<const uint64_t *>(list_.offsets)[row]
                                       : static_cast<const uint32_t *>(list_.offsets)[row];
    }
    // The first row that begins in the piece's share of the keys, or later.
    size_t first_row(size_t piece) const {
        if (piece == pieces_)
            return list_.rows;
        const size_t key = first_ + count_ / pieces_ * piece;
        size_t low = 0, high = list_.rows;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (begin(middle) < key)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    wf_sorting of_keys(size_t first, size_t count) const {
        wf_sorting row = all_;
        row.count = count;
        row.source_keys = static_cast<const char *>(all_.source_keys) + first * key_bytes_;
        if (all_.keys != nullptr)
            row.keys = static_cast<char *>(all_.keys) + first * key_bytes_;
        if (all_.source_values != nullptr)
            row.source_values = static_cast<const char *>(all_.source_values) + first * all_.value_bytes;
        if (all_.values != nullptr)
            row.values = static_cast<char *>(all_.values) + first * all_.value_bytes;
        return row;
    }
    size_t room_bytes(size_t length, size_t most_pieces) const {
        return sort_room_bytes(helpers_, of_keys(0, length), threads_, most_pieces);
    }
    void sort_row(size_t row, size_t most_pieces, std::byte *room) const {
        const wf_sorting keys = of_keys(begin(row), begin(row + 1) - begin(row));
        if (keys.count != 0)
            sort_in_room(helpers_, keys, threads_, most_pieces, room);
    }

    pool &helpers_;
    const wf_sorting &all_;
    const wf_row_list &list_;
    const wf_thread_table &threads_;
    const size_t key_bytes_, first_, count_, pieces_, long_row_;
};

} // namespace

void sort_rows(pool &helpers, const wf_row_sorting &sorting, wf_thread_table threads) {
    if (sorting.list.kept != 0)
        return top_k(helpers, sorting, threads);
    row_sort(helpers, sorting, threads).run();
}

} // namespace wf::host::native
