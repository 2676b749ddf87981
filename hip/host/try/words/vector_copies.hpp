// The copies of vectors, for the files of the library that instantiate them.
#ifndef WAVEFOLD_HOST_TRY_WORDS_VECTOR_COPIES_HPP
#define WAVEFOLD_HOST_TRY_WORDS_VECTOR_COPIES_HPP

#include "vectors.hpp"

namespace wf::tried {

// returns_to: behind the call in the kernel's code.
void move_vector(void *to, const void *from, size_t bytes, const void *returns_to);

template <class T>
vector2<T>::vector2(const vector2 &from) {
    move_vector(this, &from, sizeof *this, __builtin_return_address(0));
}

template <class T>
vector2<T> &vector2<T>::operator=(const vector2 &from) {
    move_vector(this, &from, sizeof *this, __builtin_return_address(0));
    return *this;
}

template <class T>
vector4<T>::vector4(const vector4 &from) {
    move_vector(this, &from, sizeof *this, __builtin_return_address(0));
}

template <class T>
vector4<T> &vector4<T>::operator=(const vector4 &from) {
    move_vector(this, &from, sizeof *this, __builtin_return_address(0));
    return *this;
}

} // namespace wf::tried
#endif
