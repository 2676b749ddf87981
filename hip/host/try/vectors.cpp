#include "vectors.hpp"

#include "touches.hpp"

#include <cstring>

namespace wf::tried {

namespace {

// Of two numbers' or four's own, aligned to as many bytes; returns_to: behind the call in the kernel's code.
void move(void *to, const void *from, size_t bytes, const void *returns_to) {
    touch_vector(host::watch::access::load, from, bytes, returns_to);
    touch_vector(host::watch::access::store, to, bytes, returns_to);
    std::memmove(to, from, bytes);
}

} // namespace

template <class T>
vector2<T>::vector2(const vector2 &from) {
    move(this, &from, sizeof *this, __builtin_return_address(0));
}

template <class T>
vector2<T> &vector2<T>::operator=(const vector2 &from) {
    move(this, &from, sizeof *this, __builtin_return_address(0));
    return *this;
}

template <class T>
vector4<T>::vector4(const vector4 &from) {
    move(this, &from, sizeof *this, __builtin_return_address(0));
}

template <class T>
vector4<T> &vector4<T>::operator=(const vector4 &from) {
    move(this, &from, sizeof *this, __builtin_return_address(0));
    return *this;
}

template struct vector2<float>;
template struct vector4<float>;
template struct vector2<int>;
template struct vector4<int>;
template struct vector2<unsigned>;
template struct vector4<unsigned>;
template struct vector2<double>;

} // namespace wf::tried
