// atomic.hpp on the host device: tiles run on the cores of the CPU, whose atomic operations they use.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_ATOMIC_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_ATOMIC_HPP

#include "machine.hpp"

#include <cstdint>
#include <thread>

namespace wf {

template <class T, class Op>
void atomic_fold(const array_view<T> &cells, size_t i, T value, const Op &fold) {
    host::atomic_update(cells.address(i), [&](T old) { return fold(old, value); });
}

inline unsigned count_up(const ticket_view &ticket) {
    return __atomic_fetch_add(ticket.address(0), 1u, __ATOMIC_RELAXED);
}

inline uint64_t read_word(const word_view &words, size_t i) {
    const uint64_t *const word = words.address(i);
    return word != nullptr ? __atomic_load_n(word, __ATOMIC_RELAXED) : 0;
}

inline void write_word(const word_view &words, size_t i, uint64_t value) {
    uint64_t *const word = words.address(i);
    if (word != nullptr)
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

inline void write_word_for_host(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

inline void device_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void system_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void let_others_run() {
    std::this_thread::yield();
}

} // namespace wf

#endif
