// A large range of reserved addresses, from which arrays are taken one after the other. Pages are provided on first
// use. The range may be closed, so that any access is a fault.
#ifndef WAVEFOLD_HOST_TRY_ADDRESS_REGION_HPP
#define WAVEFOLD_HOST_TRY_ADDRESS_REGION_HPP

#include <cstddef>

namespace wf::tried {

class address_region {
  public:
    address_region(unsigned char *begin, size_t bytes) : begin_(begin), taken_(begin), bytes_(bytes) {}

    bool holds(const void *address) const {
        const auto *const at = static_cast<const unsigned char *>(address);
        return begin_ <= at && at < begin_ + bytes_;
    }
    unsigned char *begin() const { return begin_; }
    unsigned char *end() const { return begin_ + bytes_; }
    size_t bytes() const { return bytes_; }
    // The first address that was not taken yet.
    unsigned char *taken() const { return taken_; }

    // Takes addresses up to `end`, which are closed. Returns false if the region ends before.
    bool take_to(unsigned char *end);
    // Gives the pages back to the system; the addresses read as 0.
    static void drop(void *first, size_t bytes);

    // All that was taken, or the pages of a part. Returns false if the system refuses.
    bool open() const;
    void close() const;
    static bool open(const void *first, size_t bytes);
    static void close(const void *first, size_t bytes);

  private:
    unsigned char *begin_, *taken_;
    size_t bytes_;
};

// Reserves addresses: that many bytes, or fewer where the system limits them. Sets bytes; 0 if there are none.
unsigned char *reserve_addresses(size_t &bytes);

} // namespace wf::tried
#endif
