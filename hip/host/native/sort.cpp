// The CPU's stable radix sort, the lowest digit first. Digits that are the same in all keys are left out. In each pass
// a thread counts the digits of its piece of the array, and then moves the piece's keys to places that no other thread
// writes.
#include "sort.hpp"

#include "../../sort/key_order.hpp"
#include "../system_memory.hpp"
#include "native.hpp"
#include "pool.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace wf::host::native {

namespace {

constexpr unsigned digit_bits = 8, digit_values = 1u << digit_bits;
constexpr size_t few_keys = 512;           // sorted by comparisons
constexpr size_t piece_keys = 16 * 1024;   // of a piece, at the least
constexpr size_t checked_bytes = 16 << 20; // malloc may promise more than there is

using digit_counts = std::array<size_t, digit_values>;
struct no_value {};
struct value_of_16_bytes {
    uint64_t words[2];
};

// Arrays in a room, one behind the other.
class room_parts {
  public:
    explicit room_parts(std::byte *room) : room_(room) {}

    template <class T>
    T *add(size_t count) {
        T *const part = room_ != nullptr ? reinterpret_cast<T *>(room_ + bytes_) : nullptr;
        bytes_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
        return part;
    }
    size_t bytes() const { return bytes_; }

  private:
    static constexpr size_t alignment = 64;
    std::byte *room_;
    size_t bytes_ = 0;
};

// U: the keys' word. V: the values'; no_value.
template <class U, class V>
class radix_sort {
    static constexpr bool has_values = !std::is_same_v<V, no_value>;

  public:
    // The room is null: only its size is wanted.
    radix_sort(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces,
               std::byte *room)
        : helpers_(helpers), sorting_(sorting), count_(sorting.count),
          order_(key_order_of<U>(sorting.type, sorting.descending != 0)), begin_bit_(sorting.begin_bit),
          end_bit_(sorting.end_bit == 0 ? 8 * sizeof(U) : sorting.end_bit),
          worth_(helpers_worth(count_ * (sizeof(U) + (has_values ? sizeof(V) : 0)), threads, helpers.threads())),
          pieces_(std::clamp<size_t>(count_ / piece_keys, 1, most_pieces)) {
        room_parts parts(room);
        if (count_ > few_keys) {
            own_keys_ = parts.add<U>(count_);
            more_keys_ = parts.add<U>(sorting_.keys == nullptr ? count_ : 0);
            own_values_ = parts.add<V>(has_values ? count_ : 0);
            counts_ = parts.add<digit_counts>(pieces_);
            differences_ = parts.add<U>(pieces_);
        }
        room_bytes_ = parts.bytes();
    }

    size_t room_bytes() const { return room_bytes_; }

    void run() {
        if (count_ <= few_keys)
            return sort_few();
        const digit_shifts shifts = shifts_of_digits();
        const auto *keys = static_cast<const U *>(sorting_.source_keys);
        const auto *values = static_cast<const V *>(sorting_.source_values);
        if (shifts.count == 0) // all keys are equal
            return move_unsorted(keys, values);
        const bool is_in_place = sorting_.keys == keys;
        U *const result = sorting_.keys == nullptr ? more_keys_ : static_cast<U *>(sorting_.keys);
        if (is_in_place && shifts.count % 2 != 0) {
            move_unsorted(keys, values, own_keys_, own_values_);
            keys = own_keys_;
            values = own_values_;
        }
        for (size_t i = 0; i < shifts.count; i++) {
            const bool to_result = (shifts.count - 1 - i) % 2 == 0;
            U *const next = to_result ? result : own_keys_;
            V *const next_values = to_result ? static_cast<V *>(sorting_.values) : own_values_;
            move_by_digit(shifts.shift[i], keys, values, next, next_values);
            keys = next;
            values = next_values;
        }
    }

  private:
    // A copy in each loop: what the loop stores cannot change it, so it stays in registers.
    struct digit_of_key {
        key_order<U> order;
        unsigned shift, mask;

        unsigned operator()(U key) const { return unsigned(order.encode(key) >> shift) & mask; }
    };
    digit_of_key digit_at(unsigned shift) const {
        return {order_, shift, (1u << std::min(digit_bits, end_bit_ - shift)) - 1};
    }
    size_t begin(size_t piece) const { return count_ / pieces_ * piece + std::min(piece, count_ % pieces_); }
    static V value_at(const V *values, size_t i) {
        if constexpr (std::is_same_v<V, uint32_t> || std::is_same_v<V, uint64_t>)
            return values != nullptr ? values[i] : V(i);
        else
            return values[i];
    }

    // Into counts_. If one thread sorts, it has counted all digits before: moving the keys does not change that.
    void count_digits(unsigned shift, const U *keys) {
        if (pieces_ == 1) {
            counts_[0] = all_counts_[(shift - begin_bit_) / digit_bits];
            return;
        }
        helpers_.run(pieces_, worth_, [&](size_t piece) {
            const digit_of_key digit = digit_at(shift);
            digit_counts &counts = counts_[piece];
            counts.fill(0);
            for (size_t i = begin(piece), end = begin(piece + 1); i < end; i++)
                counts[digit(keys[i])]++;
        });
    }

    void count_all_digits(const U *keys) {
        const unsigned digits = (end_bit_ - begin_bit_ + digit_bits - 1) / digit_bits;
        const U mask = U(U(~U(0)) >> (8 * sizeof(U) - (end_bit_ - begin_bit_)));
        for (unsigned d = 0; d < digits; d++)
            all_counts_[d].fill(0);
        const key_order<U> order = order_;
        for (size_t i = 0; i < count_; i++) {
            const U code = U((order.encode(keys[i]) >> begin_bit_) & mask);
            for (unsigned d = 0; d < digits; d++)
                all_counts_[d][unsigned(code >> (d * digit_bits)) % digit_values]++;
        }
    }

    struct digit_shifts {
        size_t count = 0;
        std::array<unsigned, sizeof(U)> shift;
    };

    // Those whose digits differ among the keys.
    digit_shifts shifts_of_digits() {
        const auto *const keys = static_cast<const U *>(sorting_.source_keys);
        if (pieces_ == 1)
            count_all_digits(keys);
        helpers_.run(pieces_, worth_, [&](size_t piece) {
            const key_order<U> order = order_;
            U differ = 0;
            for (size_t i = begin(piece), end = begin(piece + 1); i < end; i++)
                differ = U(differ | (order.encode(keys[i]) ^ order.encode(keys[0])));
            differences_[piece] = differ;
        });
        U differ = 0;
        for (size_t piece = 0; piece < pieces_; piece++)
            differ = U(differ | differences_[piece]);
        digit_shifts shifts;
        for (unsigned shift = begin_bit_; shift < end_bit_; shift += digit_bits) {
            const unsigned bits = std::min(digit_bits, end_bit_ - shift);
            if ((unsigned(differ >> shift) & ((1u << bits) - 1)) != 0)
                shifts.shift[shifts.count++] = shift;
        }
        return shifts;
    }

    void move_by_digit(unsigned shift, const U *keys, const V *values, U *to, V *to_values) {
        count_digits(shift, keys);
        size_t start = 0; // each count becomes the place of the piece's first key with the digit
        for (unsigned value = 0; value < digit_values; value++)
            for (size_t piece = 0; piece < pieces_; piece++)
                start += std::exchange(counts_[piece][value], start);
        helpers_.run(pieces_, worth_, [&](size_t piece) {
            const digit_of_key digit = digit_at(shift);
            digit_counts places = counts_[piece];
            for (size_t i = begin(piece), end = begin(piece + 1); i < end; i++) {
                const U key = keys[i];
                const size_t place = places[digit(key)]++;
                to[place] = key;
                if constexpr (has_values)
                    to_values[place] = value_at(values, i);
            }
        });
    }

    // Copies what stands elsewhere.
    void move_unsorted(const U *keys, const V *values, U *to, V *to_values) const {
        helpers_.run(pieces_, worth_, [&](size_t piece) {
            const size_t first = begin(piece), end = begin(piece + 1);
            if (to != nullptr && to != keys)
                std::copy(keys + first, keys + end, to + first);
            if constexpr (has_values)
                for (size_t i = first; to_values != values && i < end; i++)
                    to_values[i] = value_at(values, i);
        });
    }
    void move_unsorted(const U *keys, const V *values) const {
        move_unsorted(keys, values, static_cast<U *>(sorting_.keys), static_cast<V *>(sorting_.values));
    }

    void sort_few() const {
        struct entry {
            U code;
            uint32_t position;
        } entries[few_keys];
        const auto *const keys = static_cast<const U *>(sorting_.source_keys);
        const auto *const values = static_cast<const V *>(sorting_.source_values);
        const U mask = U(U(~U(0)) >> (8 * sizeof(U) - (end_bit_ - begin_bit_)));
        for (uint32_t i = 0; i < count_; i++)
            entries[i] = {U((order_.encode(keys[i]) >> begin_bit_) & mask), i};
        std::sort(entries, entries + count_, [](const entry &a, const entry &b) {
            return a.code != b.code ? a.code < b.code : a.position < b.position;
        });
        U moved[few_keys];
        for (size_t i = 0; i < count_; i++)
            moved[i] = keys[entries[i].position];
        if (sorting_.keys != nullptr)
            std::memcpy(sorting_.keys, moved, count_ * sizeof(U));
        if constexpr (has_values) {
            V moved_values[few_keys];
            for (size_t i = 0; i < count_; i++)
                moved_values[i] = value_at(values, entries[i].position);
            std::memcpy(sorting_.values, moved_values, count_ * sizeof(V));
        }
    }

    pool &helpers_;
    const wf_sorting &sorting_;
    const size_t count_;
    const key_order<U> order_;
    const unsigned begin_bit_, end_bit_;
    const worth worth_;
    const size_t pieces_;
    size_t room_bytes_;
    U *own_keys_ = nullptr, *more_keys_ = nullptr;
    V *own_values_ = nullptr;
    digit_counts *counts_ = nullptr;                 // of each piece
    U *differences_ = nullptr;                       // of each piece
    std::array<digit_counts, sizeof(U)> all_counts_; // of each digit
};

// Calls visit(radix_sort) for the keys' and values' words.
template <class U, class Visit>
void visit_values(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces,
                  std::byte *room, const Visit &visit) {
    switch (sorting.value_bytes) {
    case 0:
        return visit(radix_sort<U, no_value>(helpers, sorting, threads, most_pieces, room));
    case 1:
        return visit(radix_sort<U, uint8_t>(helpers, sorting, threads, most_pieces, room));
    case 2:
        return visit(radix_sort<U, uint16_t>(helpers, sorting, threads, most_pieces, room));
    case 4:
        return visit(radix_sort<U, uint32_t>(helpers, sorting, threads, most_pieces, room));
    case 8:
        return visit(radix_sort<U, uint64_t>(helpers, sorting, threads, most_pieces, room));
    case 16:
        return visit(radix_sort<U, value_of_16_bytes>(helpers, sorting, threads, most_pieces, room));
    }
}

template <class Visit>
void visit_sort(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces,
                std::byte *room, const Visit &visit) {
    switch (wf_bytes_of_type(sorting.type)) {
    case 1:
        return visit_values<uint8_t>(helpers, sorting, threads, most_pieces, room, visit);
    case 2:
        return visit_values<uint16_t>(helpers, sorting, threads, most_pieces, room, visit);
    case 4:
        return visit_values<uint32_t>(helpers, sorting, threads, most_pieces, room, visit);
    case 8:
        return visit_values<uint64_t>(helpers, sorting, threads, most_pieces, room, visit);
    }
}

} // namespace

size_t sort_room_bytes(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces) {
    size_t bytes = 0;
    visit_sort(helpers, sorting, threads, most_pieces, nullptr, [&](const auto &sort) { bytes = sort.room_bytes(); });
    return bytes;
}

void sort_in_room(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces,
                  std::byte *room) {
    visit_sort(helpers, sorting, threads, most_pieces, room, [](auto &&sort) { sort.run(); });
}

std::unique_ptr<std::byte[]> make_room(size_t bytes) {
    if (bytes > checked_bytes && bytes > memory_free())
        throw std::bad_alloc();
    return std::unique_ptr<std::byte[]>(new std::byte[bytes]);
}

void sort(pool &helpers, const wf_sorting &sorting, wf_thread_table threads) {
    const size_t pieces = helpers.threads();
    const auto room = make_room(sort_room_bytes(helpers, sorting, threads, pieces));
    sort_in_room(helpers, sorting, threads, pieces, room.get());
}

} // namespace wf::host::native
