// The types of tile.hpp on the host device: every access is checked.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_HPP

#include "lane.hpp"
#include "watch.hpp"

#include <cstring>
#include <utility>

namespace wf {

namespace host {

// Stand-ins for a reference to T. Reading one makes the access, so a named copy would read later than on a GPU. They
// serve only the expression that makes them: "const auto n = cells[i]" compiles, but n cannot be used; write
// "const T n = cells[i]".

// An element of an array view.
template <class T>
class element {
  public:
    element(T *address, const placed_index &index) : address_(address) { keep(index); }
    element(const element &) = delete;
    operator T() && {
        if (address_ == nullptr)
            return T();
        record(watch::access::load);
        return *address_;
    }
    void operator=(T value) && {
        if (address_ == nullptr)
            return;
        *address_ = value;
        record(watch::access::store);
    }
    void operator=(element &&other) && { std::move(*this) = T(std::move(other)); }

  private:
    T *address_; // null: the index was outside, which has been reported
#if defined(WF_WATCHED)
    site at_;
    void keep(const placed_index &index) {
        at_ = index.at();
    }
    void record(watch::access kind) const {
        watch::stands(at_);
        watch::device(kind, address_, sizeof(T));
    }
#else
    void keep(size_t) {}
    void record(watch::access) const {}
#endif
};

// A cell of tile memory.
template <class T>
class cell {
  public:
    cell(T *cells, size_t count, const placed_index &index) : cells_(cells), count_(count), index_(index) {
        keep(index);
    }
    cell(const cell &) = delete;
    operator T() && {
        stands();
        if (!check_read(index_, count_, sizeof(T)))
            return T();
        watch::tile(watch::access::load, cells_, index_ * sizeof(T), sizeof(T));
        return cells_[index_];
    }
    void operator=(T value) && {
        stands();
        if (!check_write(index_, count_, sizeof(T)))
            return;
        cells_[index_] = value;
        watch::tile(watch::access::store, cells_, index_ * sizeof(T), sizeof(T));
    }
    void operator=(cell &&other) && { std::move(*this) = T(std::move(other)); }

  private:
    T *cells_;
    size_t count_, index_;
#if defined(WF_WATCHED)
    site at_;
    void keep(const placed_index &index) {
        at_ = index.at();
    }
    void stands() const {
        watch::stands(at_);
    }
#else
    void keep(size_t) {}
    void stands() const {}
#endif
};

} // namespace host

template <class T>
class array_view {
    using value = std::remove_const_t<T>;

  public:
    array_view(T *data, size_t size) : data_(data), size_(size) {}
    std::conditional_t<std::is_const_v<T>, value, host::element<value>> operator[](host::placed_index i) const {
        WF_STANDS_AT(i);
        if (i >= size_)
            host::report_bad_index(data_, i, size_);
        if constexpr (!std::is_const_v<T>)
            return host::element<value>(i < size_ ? data_ + i : nullptr, i);
        else if (i >= size_)
            return value();
        else
            return element_at(i);
    }
    size_t size() const { return size_; }
    // For atomic updates; null if the index is outside, which is reported.
    T *address(size_t i WF_SITE) const {
        WF_STANDS;
        if (i >= size_)
            host::report_bad_index(data_, i, size_);
        return i < size_ ? data_ + i : nullptr;
    }

    // The size elements from start on; none if they are not all inside, which is reported.
    array_view section(size_t start, size_t size WF_SITE) const {
        WF_STANDS;
        if (start <= size_ && size <= size_ - start)
            return {data_ + start, size};
        host::report_bad_index(data_, start + size, size_);
        return {data_, 0};
    }

    template <unsigned Count>
    size_t aligned_from() const {
        constexpr size_t alignment = alignof(pack<T, Count>);
        const size_t head = (alignment - reinterpret_cast<uintptr_t>(data_) % alignment) % alignment / sizeof(T);
        return head < size_ ? head : size_;
    }
    template <unsigned Count>
    pack<std::remove_const_t<T>, Count> load(size_t i WF_SITE) const {
        WF_STANDS;
        if (reinterpret_cast<uintptr_t>(data_ + i) % alignof(pack<T, Count>) != 0)
            host::report_misaligned(i, Count);
        pack<std::remove_const_t<T>, Count> loaded{};
        if (is_inside(i, Count)) {
            std::memcpy(&loaded, data_ + i, sizeof loaded);
            host::watch::device(host::watch::access::load, data_ + i, sizeof loaded);
        }
        return loaded;
    }
    value read(size_t i WF_SITE) const {
        WF_STANDS;
        value copied{};
        const unsigned char *const from = reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T);
        if (is_inside(i, 1)) {
            std::memcpy(&copied, from, sizeof copied);
            host::watch::device(host::watch::access::load, from, sizeof copied);
        }
        return copied;
    }
    line<value> load_line(size_t i, size_t ahead WF_SITE) const {
        WF_STANDS;
        const size_t from = i + ahead * (sizeof(line<value>) / sizeof(T));
        const bool anywhere = loads_any_byte(host::where_am_i().wave_width);
        return load_bytes(from, anywhere ? past(from, sizeof(line<value>)) : 0, sizeof(line<value>));
    }
    // A GPU reads a whole line and the words behind it, which must end inside the view. The line may start up to shift
    // bytes before the view, which is part of an array.
    template <unsigned Words>
    line<value> load_across(size_t i, size_t ahead, unsigned shift WF_SITE) const {
        WF_STANDS;
        return load_bytes(i + ahead * (sizeof(line<value>) / sizeof(T)), shift,
                          sizeof(line<value>) + Words * sizeof(uint32_t) - shift);
    }
    unsigned past(size_t i, size_t alignment) const {
        return unsigned((reinterpret_cast<uintptr_t>(data_) + i * sizeof(T)) % alignment);
    }
    template <unsigned Count>
    void store(size_t i, const pack<T, Count> &values WF_SITE) const {
        WF_STANDS;
        if (reinterpret_cast<uintptr_t>(data_ + i) % alignof(pack<T, Count>) != 0)
            host::report_misaligned(i, Count);
        if (is_inside(i, Count)) {
            std::memcpy(data_ + i, &values, sizeof values);
            host::watch::device(host::watch::access::store, data_ + i, sizeof values);
        }
    }
    template <unsigned Count>
    size_t past_aligned() const {
        const size_t bytes = reinterpret_cast<uintptr_t>(data_) % alignof(pack<T, Count>);
        return bytes % sizeof(T) == 0 ? bytes / sizeof(T) : Count;
    }

  private:
    value element_at(size_t i) const {
        host::watch::device(host::watch::access::load, data_ + i, sizeof(T));
        return data_[i];
    }
    // Whether elements i to i + count - 1 are inside; if not, the last one is reported.
    bool is_inside(size_t i, size_t count) const {
        if (i <= size_ && count <= size_ - i)
            return true;
        host::report_bad_index(data_, i + count - 1, size_);
        return false;
    }
    // 16 bytes from element i on, which lies shift bytes behind an aligned address. read: the bytes that a GPU reads
    // from there.
    line<value> load_bytes(size_t i, unsigned shift, size_t read) const {
        const auto *const from = reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T);
        line<value> loaded{};
        if ((reinterpret_cast<uintptr_t>(from) - shift) % sizeof loaded != 0)
            host::report_misaligned(i, sizeof loaded / sizeof(T));
        const size_t end = i * sizeof(T) + read;
        if (end > size_ * sizeof(T)) {
            host::report_bad_index(data_, (end - 1) / sizeof(T), size_);
            return loaded;
        }
        std::memcpy(&loaded, from, sizeof loaded);
        host::watch::device(host::watch::access::load, from, sizeof loaded);
        return loaded;
    }

    T *data_;
    size_t size_;
};

struct tile_barrier {
    void wait_for_start() const {}
    void wait(const char *file = __builtin_FILE(), int line = __builtin_LINE()) const {
        host::wait_for_tile(file, line);
    }
};

struct tiled_index {
    unsigned local, tile, tile_size, tiles;
    size_t global;
    tile_barrier barrier;

    tiled_index() : tiled_index(host::where_am_i()) {}
    explicit tiled_index(const launch_shape &shape) : tiled_index(host::where_am_i(), shape) {}
    explicit tiled_index(over_cluster) : tiled_index() {}

  private:
    explicit tiled_index(const host::place &place) : tiled_index(place, {place.tile_size, place.tiles}) {}
    tiled_index(const host::place &place, const launch_shape &shape)
        : local(place.lane), tile(place.tile), tile_size(shape.tile_size), tiles(shape.tiles),
          global(size_t(place.tile) * shape.tile_size + place.lane) {}
};

template <class T>
class tile_static {
  public:
    explicit tile_static(const tiled_index &) {
        size_t bytes = 0;
        cells_ = reinterpret_cast<T *>(host::tile_memory(sizeof(T), &bytes));
        count_ = bytes / sizeof(T);
    }
    host::cell<T> operator[](host::placed_index i) const { return {cells_, count_, i}; }
    // Returns the value before the update. Updates of different lanes need no order.
    template <class Operation>
    T update(size_t i, bool reads, const Operation &operation WF_SITE) const {
        WF_STANDS;
        if (!host::check_update(i, count_, sizeof(T), reads))
            return T();
        const T before = std::exchange(cells_[i], operation(cells_[i]));
        host::watch::tile(host::watch::access::update, cells_, i * sizeof(T), sizeof(T));
        return before;
    }

  private:
    T *cells_;
    size_t count_;
};

} // namespace wf
#endif
