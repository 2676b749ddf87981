// Selections on the CPU. A thread reads a row and keeps candidates: the elements that come before the k-th of those
// read so far. At 2 k candidates it drops the later half. Threads share a long row if there are few rows, and their
// candidates are joined.
#include "row_sort.hpp"

#include "../../sort/key_order.hpp"
#include "native.hpp"
#include "pool.hpp"
#include "sort.hpp"

#include <algorithm>

namespace wf::host::native {

namespace {

constexpr size_t least_room = 1024;       // candidates above k
constexpr size_t least_piece = 64 * 1024; // elements of a long row's share

template <class U>
struct candidate {
    U code;
    uint64_t position;

    bool operator<(const candidate &other) const {
        return code != other.code ? code < other.code : position < other.position;
    }
};

template <class U>
class selection {
  public:
    selection(pool &helpers, const wf_row_sorting &sorting, const wf_thread_table &threads)
        : helpers_(helpers), all_(sorting.all), list_(sorting.list), k_(list_.kept), pieces_(helpers.threads()),
          order_(key_order_of<U>(all_.type, all_.descending != 0)),
          worth_(helpers_worth(all_.count * sizeof(U), threads, helpers.threads())) {}

    void run() {
        const bool shares_rows = list_.rows < pieces_ && list_.length / pieces_ >= std::max(least_piece, 4 * k_);
        const size_t room_of_piece = std::min<size_t>(list_.length, k_ + std::max(k_, least_room));
        const auto room = make_room(pieces_ * room_of_piece * sizeof(candidate<U>));
        auto *const candidates = reinterpret_cast<candidate<U> *>(room.get());
        if (shares_rows)
            return select_shared(candidates, room_of_piece);
        helpers_.run(pieces_, worth_, [&](size_t piece) {
            candidate<U> *const own = candidates + piece * room_of_piece;
            for (size_t row = share(list_.rows, piece), end = share(list_.rows, piece + 1); row < end; row++) {
                const size_t count = select(row, 0, list_.length, own, room_of_piece);
                store(row, own, count);
            }
        });
    }

  private:
    size_t share(size_t count, size_t piece) const {
        return count / pieces_ * piece + std::min(piece, count % pieces_);
    }

    // The candidates of part of a row; returns their number, which is k if the part is that long.
    size_t select(size_t row, size_t begin, size_t end, candidate<U> *candidates, size_t room) const {
        const U *const keys = static_cast<const U *>(all_.source_keys) + row * list_.length;
        const key_order<U> order = order_;
        size_t count = 0;
        bool is_full = false; // there are k: what comes must be less than the last of them
        U last = 0;
        for (size_t i = begin; i < end; i++) {
            const U code = order.encode(keys[i]);
            if (is_full && code >= last)
                continue;
            if (count == room) {
                last = keep(candidates, count);
                count = k_;
                is_full = true;
                if (code >= last)
                    continue;
            }
            candidates[count++] = {code, i};
        }
        if (count > k_) {
            keep(candidates, count);
            count = k_;
        }
        return count;
    }

    // Moves the first k to the front; returns the code of the last of them.
    U keep(candidate<U> *candidates, size_t count) const {
        std::nth_element(candidates, candidates + k_ - 1, candidates + count);
        return candidates[k_ - 1].code;
    }

    void select_shared(candidate<U> *candidates, size_t room) const {
        for (size_t row = 0; row < list_.rows; row++) {
            helpers_.run(pieces_, worth_, [&](size_t piece) {
                select(row, share(list_.length, piece), share(list_.length, piece + 1), candidates + piece * room,
                       room);
            });
            for (size_t piece = 1; piece < pieces_; piece++)
                std::copy_n(candidates + piece * room, k_, candidates + piece * k_);
            keep(candidates, pieces_ * k_);
            store(row, candidates, k_);
        }
    }

    void store(size_t row, candidate<U> *candidates, size_t count) const {
        std::sort(candidates, candidates + count);
        for (size_t i = 0; i < count; i++) {
            const size_t place = row * k_ + i;
            static_cast<U *>(all_.keys)[place] = order_.decode(candidates[i].code);
            if (all_.value_bytes == 4)
                static_cast<uint32_t *>(all_.values)[place] = uint32_t(candidates[i].position);
            else if (all_.value_bytes == 8)
                static_cast<uint64_t *>(all_.values)[place] = candidates[i].position;
        }
    }

    pool &helpers_;
    const wf_sorting &all_;
    const wf_row_list &list_;
    const size_t k_, pieces_;
    const key_order<U> order_;
    const worth worth_;
};

} // namespace

void top_k(pool &helpers, const wf_row_sorting &sorting, wf_thread_table threads) {
    switch (wf_bytes_of_type(sorting.all.type)) {
    case 1:
        return selection<uint8_t>(helpers, sorting, threads).run();
    case 2:
        return selection<uint16_t>(helpers, sorting, threads).run();
    case 4:
        return selection<uint32_t>(helpers, sorting, threads).run();
    case 8:
        return selection<uint64_t>(helpers, sorting, threads).run();
    }
}

} // namespace wf::host::native
