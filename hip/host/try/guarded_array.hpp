// An array of a learner's launch, with room on both sides: what is touched there by mistake does no harm, and is found.
#ifndef WAVEFOLD_HOST_TRY_GUARDED_ARRAY_HPP
#define WAVEFOLD_HOST_TRY_GUARDED_ARRAY_HPP

#include "../watched/watched.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace wf::tried {

class guarded_array {
  public:
    // On each side there is room for so many elements, and some more.
    guarded_array(host::watched &device, const char *name, size_t count, size_t room)
        : device_(device), name_(name), count_(count), room_(least_room + lines(room)),
          block_(new line[room_ + lines(count) + room_]) {
        std::memset(block_.get(), 0xff, // NaN: what nobody wrote shows in the sum
                    size_t(room_end() - block_.get()) * sizeof(line));
        device_.memory().allocated(data(), count * sizeof(float));
    }
    ~guarded_array() {
        if (block_ != nullptr)
            device_.memory().released(data());
    }
    guarded_array(guarded_array &&) = default;
    guarded_array &operator=(guarded_array &&other) {
        std::swap(block_, other.block_);
        std::swap(count_, other.count_);
        std::swap(room_, other.room_);
        return *this;
    }

    const char *name() const { return name_; }
    void rename(const char *name) { name_ = name; }
    float *data() const { return reinterpret_cast<float *>(block_.get() + room_); }
    size_t count() const { return count_; }
    // The host has written it.
    void is_written() const { is_written(data(), count_ * sizeof(float)); }
    void is_written(const void *part, size_t bytes) const { device_.memory().written(part, bytes); }

    // Whether the address is that of an element, or in the room beside them.
    bool is_near(const void *address) const { return block_.get() <= address && address < room_end(); }
    // In bytes from the first element.
    ptrdiff_t offset(const void *address) const {
        return static_cast<const char *>(address) - reinterpret_cast<const char *>(data());
    }

  private:
    struct alignas(256) line { // as the backend aligns memory
        unsigned char bytes[256];
    };
    static constexpr size_t least_room = 256; // lines

    static size_t lines(size_t count) { return (count * sizeof(float) + sizeof(line) - 1) / sizeof(line); }
    line *room_end() const { return block_.get() + room_ + lines(count_) + room_; }

    host::watched &device_;
    const char *name_;
    size_t count_, room_; // room_: lines
    std::unique_ptr<line[]> block_;
};

} // namespace wf::tried
#endif
