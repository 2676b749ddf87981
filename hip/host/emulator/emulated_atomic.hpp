// atomic.hpp on the host device: tiles run on the cores of the CPU, and use its atomic operations.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_ATOMIC_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_ATOMIC_HPP

#include "lane.hpp"
#include "watch.hpp"

#include <cstdint>
#include <pthread.h> // <mutex> takes as long to read as all else that a kernel includes
#include <sched.h>

namespace wf {

template <class T, class Op>
void atomic_fold(const array_view<T> &cells, size_t i, T value, const Op &fold WF_SITE) {
    T *const cell = cells.address(i WF_AT);
    host::atomic_update(cell, [&](T old) { return fold(old, value); });
    if (cell != nullptr)
        host::watch::device(host::watch::access::update, cell, sizeof(T));
}

inline unsigned count_up(const ticket_view &ticket WF_SITE) {
    unsigned *const count = ticket.address(0 WF_AT);
    const unsigned before = __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
    host::watch::device(host::watch::access::update, count, sizeof *count);
    return before;
}

inline unsigned count_tile(const ticket_view &ticket WF_SITE) {
    return count_up(ticket WF_AT);
}

inline uint64_t read_word(const word_view &words, size_t i WF_SITE) {
    const uint64_t *const word = words.address(i WF_AT);
    if (word == nullptr)
        return 0;
    host::watch::word_read(word);
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

inline void write_word(const word_view &words, size_t i, uint64_t value WF_SITE) {
    uint64_t *const word = words.address(i WF_AT);
    if (word == nullptr)
        return;
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
    host::watch::word_written(word);
}

// C++ has no portable access of 128 bits: tiles take turns. (Locking a plain mutex that the thread does not hold cannot
// fail, and neither can unlocking it.)
constexpr bool has_word_pairs = true;
inline pthread_mutex_t word_pairs = PTHREAD_MUTEX_INITIALIZER;
inline uint64_t *pair_at(const word_view &words, size_t i WF_SITE) {
    uint64_t *const first = words.address(i WF_AT);
    if (first == nullptr || words.address(i + 1 WF_AT) == nullptr)
        return nullptr;
    if (reinterpret_cast<uintptr_t>(first) % sizeof(word_pair) != 0)
        host::report_misaligned(i, 2);
    return first;
}
inline word_pair read_pair(const word_view &words, size_t i WF_SITE) {
    const uint64_t *const first = pair_at(words, i WF_AT);
    if (first == nullptr)
        return {0, 0};
    host::watch::word_read(first);
    host::watch::word_read(first + 1);
    pthread_mutex_lock(&word_pairs);
    const word_pair pair = {first[0], first[1]};
    pthread_mutex_unlock(&word_pairs);
    return pair;
}
inline void write_pair(const word_view &words, size_t i, word_pair pair WF_SITE) {
    uint64_t *const first = pair_at(words, i WF_AT);
    if (first == nullptr)
        return;
    pthread_mutex_lock(&word_pairs);
    first[0] = pair.first;
    first[1] = pair.second;
    pthread_mutex_unlock(&word_pairs);
    host::watch::word_written(first);
    host::watch::word_written(first + 1);
}

template <class T>
T read_replaceable(const array_view<const T> &view, size_t i WF_SITE) {
    const T *const element = view.address(i WF_AT);
    if (element == nullptr)
        return T();
    host::watch::replaceable_read(element, sizeof(T));
    return *element;
}

// The lanes of a tile take turns on one thread, so plain accesses are atomic. A lane that waits for another polls by
// these calls.
inline uint32_t tile_add(const tile_static<uint32_t> &cells, unsigned i, uint32_t word WF_SITE) {
    return cells.update(i, true, [word](uint32_t old) { return old + word; } WF_AT);
}
inline uint32_t tile_exchange(const tile_static<uint32_t> &cells, unsigned i, uint32_t word WF_SITE) {
    return cells.update(i, true, [word](uint32_t) { return word; } WF_AT);
}
inline void tile_store(const tile_static<uint32_t> &cells, unsigned i, uint32_t word WF_SITE) {
    cells.update(i, false, [word](uint32_t) { return word; } WF_AT);
}
inline void let_waves_run() {
    if (host::breaks_off())
        host::give_up();
}
inline void tile_fence() {}

inline void write_word_for_host(uint64_t *word, uint64_t value WF_SITE) {
    WF_STANDS;
    host::watch::word_for_host();
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

namespace host {
inline void fence() {
#if defined(WF_THREAD_SANITIZER) // it ignores fences, so this is an update of a word that all lanes share
    static unsigned fences;
    __atomic_fetch_add(&fences, 1u, __ATOMIC_ACQ_REL);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
} // namespace host

inline void device_fence() {
    host::fence();
    host::watch::fence();
}

inline void system_fence() {
    host::fence();
    host::watch::system_fence();
}

inline void wait_for_earlier_kernels() {
    host::watch::waits_for_earlier();
}
inline void let_next_kernel_start() {}

inline void let_others_run() {
    sched_yield();
    if (!host::watch::waits() || host::breaks_off())
        host::give_up();
}

} // namespace wf

#endif
