// Stacks for the fibers of a worker's lanes.
#ifndef WAVEFOLD_HOST_EMULATOR_STACK_ARENA_HPP
#define WAVEFOLD_HOST_EMULATOR_STACK_ARENA_HPP

#include "fiber.hpp"

#include <boost/context/stack_context.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace wf::host {

// A kernel's frame is small, and Linux provides pages on first use. Not a multiple of a page: else the frames of all
// lanes would compete for the same sets of the cache.
constexpr size_t stack_bytes = stack_growth * 64 * 1024 + 5 * 64;

// The stacks of a worker's lanes, in one mapping. A mapping and a guard page for each stack would exceed Linux's limit
// for a process (vm.max_map_count) from 32 workers on. Instead, each stack ends with a canary, which an overflow
// destroys. An overflow runs into the stack below, which no lane uses from then on.
class stack_arena {
  public:
    explicit stack_arena(unsigned count) : bytes_((size_t(count) + 1) * stack_bytes) {
        void *const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (mapped == MAP_FAILED)
            throw std::bad_alloc();
        memory_ = static_cast<unsigned char *>(mapped);
        madvise(memory_, bytes_, MADV_NOHUGEPAGE); // a lane uses one page of its stack, not 2 MiB
        mprotect(memory_, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE); // stops a recursion without end
    }
    ~stack_arena() { munmap(memory_, bytes_); }
    stack_arena(const stack_arena &) = delete;

    // The stack in Boost's terms.
    boost::context::stack_context make(unsigned number) const {
        std::fill_n(canary(number), canary_words, canary_word);
        boost::context::stack_context stack;
        stack.size = stack_bytes;
        stack.sp = begin(number) + stack_bytes;
        return stack;
    }
    // Prefetches the cache line of the canary.
    void fetch_canary(unsigned number) const { __builtin_prefetch(canary(number)); }
    bool is_whole(unsigned number) const {
        uint64_t differs = 0;
        for (size_t i = 0; i < canary_words; i++)
            differs |= canary(number)[i] ^ canary_word;
        return differs == 0;
    }

  private:
    static constexpr size_t canary_words = 8;
    static constexpr uint64_t canary_word = 0xc0a1c0a1c0a1c0a1u;

    unsigned char *begin(unsigned number) const { return memory_ + (number + 1) * stack_bytes; }
    uint64_t *canary(unsigned number) const { return reinterpret_cast<uint64_t *>(begin(number)); }

    size_t bytes_; // of all stacks, and of one below stack 0, for its overflow
    unsigned char *memory_;
};

// Gives a fiber a stack of the arena, which keeps owning it.
struct arena_allocator {
    const stack_arena &arena;
    unsigned number;
    boost::context::stack_context allocate() const { return arena.make(number); }
    void deallocate(boost::context::stack_context &) const {}
};

} // namespace wf::host
#endif
