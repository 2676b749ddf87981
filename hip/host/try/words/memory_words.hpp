// Copies of memory, and loads and stores with a hint of which cache may keep them. The hints are macros, so that the
// access is the kernel's own.
#ifndef WAVEFOLD_HOST_TRY_WORDS_MEMORY_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_MEMORY_WORDS_HPP

#include "place.hpp"

#include <cstring>

namespace wf::tried {

void *set_bytes(void *to, int byte, size_t bytes, const place &at);
void *copy_bytes(void *to, const void *from, size_t bytes, const place &at); // they may overlap

} // namespace wf::tried

#define __ldg(...) (*(__VA_ARGS__))
#define __ldca(...) (*(__VA_ARGS__))
#define __ldcg(...) (*(__VA_ARGS__))
#define __ldcs(...) (*(__VA_ARGS__))
#define __ldlu(...) (*(__VA_ARGS__))
#define __ldcv(...) (*(__VA_ARGS__))
#define __stwb(address, ...) static_cast<void>(*(address) = (__VA_ARGS__))
#define __stcg(address, ...) static_cast<void>(*(address) = (__VA_ARGS__))
#define __stcs(address, ...) static_cast<void>(*(address) = (__VA_ARGS__))
#define __stwt(address, ...) static_cast<void>(*(address) = (__VA_ARGS__))
#if !defined(__clang__)
#define __builtin_nontemporal_load(...) (*(__VA_ARGS__))
#define __builtin_nontemporal_store(value, address) static_cast<void>(*(address) = (value))
#endif

// In place of the C library's, of which gcc reports nothing.
template <class T>
void *memset(T *to, int byte, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::set_bytes(to, byte, bytes, at);
}
template <class T, class From>
void *memcpy(T *to, const From *from, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::copy_bytes(to, from, bytes, at);
}
template <class T, class From>
void *memmove(T *to, const From *from, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::copy_bytes(to, from, bytes, at);
}

#endif
