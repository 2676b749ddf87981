// What compilers call in place of atomic operations (std::atomic, cuda::atomic, __atomic_add_fetch ...) in a function
// compiled with -fsanitize=thread. A kernel's are recorded as updates; an order of release is a fence before the
// operation, one of acquire a fence behind it.
#include "../source_lines.hpp"
#include "../stop.hpp"
#include "touches.hpp"

#include <cstdint>

namespace {

using wf::host::watch::access;

bool releases(int order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}
bool acquires(int order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

void fence() {
    if (wf::tried::is_launching())
        wf::host::watch::fence();
}

void compares(const void *address, size_t bytes) {
    wf::tried::drop_load_of(address);
    if (wf::tried::is_launching())
        wf::host::watch::compares(address, bytes);
}

// One operation, for as long as it runs.
class operation {
  public:
    operation(const volatile void *address, size_t bytes, int order, bool reads, const void *returns_to)
        : order_(order) {
        const void *const at = const_cast<const void *>(address);
        if (wf::tried::is_launching()) {
            wf::tried::check_late_load();
            wf::host::watch::stands(wf::tried::line_before(returns_to));
            wf::tried::stop_if_time_is_over();
        }
        if (releases(order_))
            fence();
        if (reads)
            wf::tried::touch(access::update, at, bytes);
        else
            wf::tried::touch_unread(at, bytes);
    }
    ~operation() {
        if (acquires(order_))
            fence();
    }

  private:
    int order_;
};

} // namespace

#define WF_CALLED extern "C" __attribute__((visibility("default")))
#define WF_OPERATION(word, reads) const operation now(address, sizeof(word), order, reads, __builtin_return_address(0))
#define WF_FETCH(bits, word, name)                                                                                     \
    WF_CALLED word __tsan_atomic##bits##_fetch_##name(volatile word *address, word operand, int order) {               \
        WF_OPERATION(word, true);                                                                                      \
        return __atomic_fetch_##name(address, operand, __ATOMIC_SEQ_CST);                                              \
    }
#define WF_COMPARE(bits, word, strength)                                                                               \
    WF_CALLED int __tsan_atomic##bits##_compare_exchange_##strength(volatile word *address, word *expected,            \
                                                                    word wanted, int order, int) {                     \
        compares(const_cast<const word *>(address), sizeof(word));                                                     \
        WF_OPERATION(word, true);                                                                                      \
        return __atomic_compare_exchange_n(address, expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    }
#define WF_ATOMICS(bits, word)                                                                                         \
    WF_CALLED word __tsan_atomic##bits##_load(const volatile word *address, int order) {                               \
        WF_OPERATION(word, true);                                                                                      \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                             \
    }                                                                                                                  \
    WF_CALLED void __tsan_atomic##bits##_store(volatile word *address, word operand, int order) {                      \
        WF_OPERATION(word, false);                                                                                     \
        __atomic_store_n(address, operand, __ATOMIC_SEQ_CST);                                                          \
    }                                                                                                                  \
    WF_CALLED word __tsan_atomic##bits##_exchange(volatile word *address, word operand, int order) {                   \
        WF_OPERATION(word, false);                                                                                     \
        return __atomic_exchange_n(address, operand, __ATOMIC_SEQ_CST);                                                \
    }                                                                                                                  \
    WF_FETCH(bits, word, add)                                                                                          \
    WF_FETCH(bits, word, sub)                                                                                          \
    WF_FETCH(bits, word, and)                                                                                          \
    WF_FETCH(bits, word, or)                                                                                           \
    WF_FETCH(bits, word, xor)                                                                                          \
    WF_FETCH(bits, word, nand)                                                                                         \
    WF_COMPARE(bits, word, strong)                                                                                     \
    WF_COMPARE(bits, word, weak)                                                                                       \
    WF_CALLED word __tsan_atomic##bits##_compare_exchange_val(volatile word *address, word expected, word wanted,      \
                                                              int order, int) {                                        \
        compares(const_cast<const word *>(address), sizeof(word));                                                     \
        WF_OPERATION(word, true);                                                                                      \
        __atomic_compare_exchange_n(address, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
        return expected;                                                                                               \
    }
WF_ATOMICS(8, uint8_t)
WF_ATOMICS(16, uint16_t)
WF_ATOMICS(32, uint32_t)
WF_ATOMICS(64, uint64_t)

WF_CALLED void __tsan_atomic_thread_fence(int) {
    fence();
}
WF_CALLED void __tsan_atomic_signal_fence(int) {}
