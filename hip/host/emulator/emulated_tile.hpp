// tile.hpp's words on the host device: the same names, and every access is checked.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_HPP

#include "machine.hpp"

#include <cstring>
#include <utility>

namespace wf {

namespace host {

// Stand-ins for a reference to T. Reading one makes the access, so a copy kept under a name would read later than a
// GPU's does: they serve only the expression that they are made in ("const auto n = cells[i]" can be written, n cannot
// be used; "const T n = cells[i]" is what was meant).

// An element of an array view.
template <class T>
class element {
  public:
    explicit element(T *address) : address_(address) {}
    element(const element &) = delete;
    operator T() && { return address_ != nullptr ? *address_ : T(); }
    void operator=(T value) && {
        if (address_ != nullptr)
            *address_ = value;
    }
    void operator=(element &&other) && { std::move(*this) = T(std::move(other)); }

  private:
    T *address_; // null: the index was outside, which has been reported
};

// A cell of tile memory.
template <class T>
class cell {
  public:
    cell(T *cells, size_t count, size_t index) : cells_(cells), count_(count), index_(index) {}
    cell(const cell &) = delete;
    operator T() && { return check_read(index_, count_, sizeof(T)) ? cells_[index_] : T(); }
    void operator=(T value) && {
        if (check_write(index_, count_, sizeof(T)))
            cells_[index_] = value;
    }
    void operator=(cell &&other) && { std::move(*this) = T(std::move(other)); }

  private:
    T *cells_;
    size_t count_, index_;
};

} // namespace host

template <class T>
class array_view {
    using value = std::remove_const_t<T>;

  public:
    array_view(T *data, size_t size) : data_(data), size_(size) {}
    std::conditional_t<std::is_const_v<T>, value, host::element<value>> operator[](size_t i) const {
        if (i >= size_)
            host::report_bad_index(i, size_);
        if constexpr (std::is_const_v<T>)
            return i < size_ ? data_[i] : value();
        else
            return host::element<value>(i < size_ ? data_ + i : nullptr);
    }
    size_t size() const { return size_; }
    // For atomic updates; null if the index is outside, which is reported.
    T *address(size_t i) const {
        if (i >= size_)
            host::report_bad_index(i, size_);
        return i < size_ ? data_ + i : nullptr;
    }

    // The size elements from start on; none if they are not all inside, which is reported.
    array_view section(size_t start, size_t size) const {
        if (start <= size_ && size <= size_ - start)
            return {data_ + start, size};
        host::report_bad_index(start + size, size_);
        return {data_, 0};
    }

    template <unsigned Count>
    size_t aligned_from() const {
        constexpr size_t alignment = alignof(pack<T, Count>);
        const size_t head = (alignment - reinterpret_cast<uintptr_t>(data_) % alignment) % alignment / sizeof(T);
        return head < size_ ? head : size_;
    }
    template <unsigned Count>
    pack<std::remove_const_t<T>, Count> load(size_t i) const {
        if (reinterpret_cast<uintptr_t>(data_ + i) % alignof(pack<T, Count>) != 0)
            host::report_misaligned(i, Count);
        pack<std::remove_const_t<T>, Count> loaded;
        for (unsigned k = 0; k < Count; k++)
            loaded.element[k] = (*this)[i + k];
        return loaded;
    }
    value read(size_t i) const {
        value copied{};
        if (i >= size_)
            host::report_bad_index(i, size_);
        else
            std::memcpy(&copied, reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T), sizeof copied);
        return copied;
    }
    line<value> load_line(size_t i, size_t ahead) const {
        return load_bytes(i + ahead * (sizeof(line<value>) / sizeof(T)), 0, sizeof(line<value>));
    }
    // A GPU reads two whole lines. The second must end inside the view. The first may start up to shift bytes before
    // it: the view is part of an array.
    line<value> load_across(size_t i, size_t ahead, unsigned shift) const {
        return load_bytes(i + ahead * (sizeof(line<value>) / sizeof(T)), shift, 2 * sizeof(line<value>) - shift);
    }
    unsigned past(size_t i, size_t alignment) const {
        return unsigned((reinterpret_cast<uintptr_t>(data_) + i * sizeof(T)) % alignment);
    }
    template <unsigned Count>
    void store(size_t i, const pack<T, Count> &values) const {
        if (reinterpret_cast<uintptr_t>(data_ + i) % alignof(pack<T, Count>) != 0)
            host::report_misaligned(i, Count);
        for (unsigned k = 0; k < Count; k++)
            (*this)[i + k] = values.element[k];
    }
    template <unsigned Count>
    size_t past_aligned() const {
        const size_t bytes = reinterpret_cast<uintptr_t>(data_) % alignof(pack<T, Count>);
        return bytes % sizeof(T) == 0 ? bytes / sizeof(T) : Count;
    }

  private:
    // 16 bytes from element i on, which lies shift bytes behind an aligned address; so many bytes from there are read.
    line<value> load_bytes(size_t i, unsigned shift, size_t read) const {
        const auto *const from = reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T);
        line<value> loaded{};
        if ((reinterpret_cast<uintptr_t>(from) - shift) % sizeof loaded != 0)
            host::report_misaligned(i, sizeof loaded / sizeof(T));
        const size_t end = i * sizeof(T) + read;
        if (end > size_ * sizeof(T))
            host::report_bad_index((end - 1) / sizeof(T), size_);
        else
            std::memcpy(&loaded, from, sizeof loaded);
        return loaded;
    }

    T *data_;
    size_t size_;
};

struct tile_barrier {
    void wait(const char *file = __builtin_FILE(), int line = __builtin_LINE()) const {
        host::wait_for_tile(file, line);
    }
};

struct tiled_index {
    unsigned local, tile, tile_size, tiles;
    size_t global;
    tile_barrier barrier;

    tiled_index() : tiled_index(host::where_am_i()) {}

  private:
    explicit tiled_index(const host::place &place)
        : local(place.lane), tile(place.tile), tile_size(place.tile_size), tiles(place.tiles),
          global(size_t(place.tile) * place.tile_size + place.lane) {}
};

template <class T>
class tile_static {
  public:
    explicit tile_static(const tiled_index &) {
        size_t bytes = 0;
        cells_ = reinterpret_cast<T *>(host::tile_memory(sizeof(T), &bytes));
        count_ = bytes / sizeof(T);
    }
    host::cell<T> operator[](size_t i) const { return {cells_, count_, i}; }
    // Says what was there before. Lanes may do so with nothing that orders them.
    T exchange(size_t i, T value) const {
        return host::check_update(i, count_, sizeof(T)) ? std::exchange(cells_[i], value) : T();
    }

  private:
    T *cells_;
    size_t count_;
};

} // namespace wf
#endif
