// The read ceiling of the CPU: every core reads its share once, as wide as the compiler vectorises.
#ifndef WAVEFOLD_HOST_CPU_READ_CEILING_HPP
#define WAVEFOLD_HOST_CPU_READ_CEILING_HPP

#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace wf::host {

inline void read_all(const void *from, size_t bytes, unsigned most_threads) {
    // Starting a thread takes as long as reading some hundred KiB.
    constexpr size_t bytes_worth_a_thread = 512 * 1024;
    const auto threads = static_cast<unsigned>(std::clamp<size_t>(bytes / bytes_worth_a_thread, 1, most_threads));
    const auto *words = static_cast<const uint64_t *>(from);
    const size_t count = bytes / sizeof(uint64_t);
    std::atomic<uint64_t> seen{0}; // uses what was read, so that reading cannot be left out
    std::atomic<unsigned> next{0};
    const auto read_shares = [&](unsigned) {
        uint64_t mixed = 0;
        for (unsigned share; (share = next.fetch_add(1)) < threads;) {
            const size_t begin = count / threads * share;
            const size_t end = share + 1 == threads ? count : count / threads * (share + 1);
            for (size_t i = begin; i < end; i++)
                mixed ^= words[i];
        }
        seen ^= mixed;
    };
    on_threads(threads, read_shares);
}

} // namespace wf::host
#endif
