// tile.hpp's words on the host device: the same names, and every access is checked.
#ifndef WAVEFOLD_HOST_TILE_HPP
#define WAVEFOLD_HOST_TILE_HPP

#include "machine.hpp"

#include <type_traits>

namespace wf {

namespace host {

// An element of an array view, as an assignable value.
template <class T>
class element {
  public:
    explicit element(T *address) : address_(address) {}
    element(const element &) = default;
    operator T() const { return address_ != nullptr ? *address_ : T(); }
    const element &operator=(T value) const {
        if (address_ != nullptr)
            *address_ = value;
        return *this;
    }
    const element &operator=(const element &other) const { return *this = T(other); }

  private:
    T *address_; // null: the index was outside, which has been reported
};

// A cell of tile memory, as an assignable value.
template <class T>
class cell {
  public:
    cell(T *cells, size_t count, size_t index) : cells_(cells), count_(count), index_(index) {}
    cell(const cell &) = default;
    operator T() const { return check_read(index_, count_) ? cells_[index_] : T(); }
    const cell &operator=(T value) const {
        if (check_write(index_, count_))
            cells_[index_] = value;
        return *this;
    }
    const cell &operator=(const cell &other) const { return *this = T(other); }

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

  private:
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
        cells_ = reinterpret_cast<T *>(host::tile_memory(&bytes));
        count_ = bytes / sizeof(T);
    }
    host::cell<T> operator[](size_t i) const { return {cells_, count_, i}; }

  private:
    T *cells_;
    size_t count_;
};

} // namespace wf
#endif
