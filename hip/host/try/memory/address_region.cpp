#include "address_region.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace wf::tried {

namespace {

constexpr size_t page_bytes = 4096;

uintptr_t number_of(const void *address) {
    return reinterpret_cast<uintptr_t>(address);
}

} // namespace

unsigned char *reserve_addresses(size_t &bytes) {
    for (constexpr size_t least = size_t(1) << 30; bytes >= least; bytes /= 2) {
        void *const reserved = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED)
            continue;
        madvise(reserved, bytes, MADV_NOHUGEPAGE); // a small array uses one page, not 2 MiB
        return static_cast<unsigned char *>(reserved);
    }
    bytes = 0;
    return nullptr;
}

bool address_region::take_to(unsigned char *end) {
    if (end > begin_ + bytes_)
        return false;
    taken_ += (size_t(end - taken_) + page_bytes - 1) / page_bytes * page_bytes;
    return true;
}

void address_region::drop(void *first, size_t bytes) {
    const uintptr_t from = (number_of(first) + page_bytes - 1) / page_bytes * page_bytes,
                    to = (number_of(first) + bytes) / page_bytes * page_bytes;
    if (from < to)
        madvise(reinterpret_cast<void *>(from), to - from, MADV_DONTNEED);
}

static bool protect(const void *first, size_t bytes, int protection) {
    const uintptr_t from = number_of(first) / page_bytes * page_bytes,
                    to = (number_of(first) + bytes + page_bytes - 1) / page_bytes * page_bytes;
    return from == to || mprotect(reinterpret_cast<void *>(from), to - from, protection) == 0;
}

bool address_region::open(const void *first, size_t bytes) {
    return protect(first, bytes, PROT_READ | PROT_WRITE);
}

void address_region::close(const void *first, size_t bytes) {
    protect(first, bytes, PROT_NONE);
}

bool address_region::open() const {
    return open(begin_, size_t(taken_ - begin_));
}

void address_region::close() const {
    close(begin_, size_t(taken_ - begin_));
}

} // namespace wf::tried
