// The elements that a user's solve() gets.
#ifndef WAVEFOLD_HOST_TRY_MADE_DATA_HPP
#define WAVEFOLD_HOST_TRY_MADE_DATA_HPP

#include "../memory/element_types.hpp"

#include <cstddef>

namespace wf::tried {

enum class made_data {
    exact,    // small numbers of both signs; sums in their own type round nothing
    negative, // of these, negative ones alone, where the type has them
    random,   // floats of both signs, whose sums round
};

// Of n elements number i; `array` numbers the inputs, which differ. below: whole numbers from 0 to below - 1; 0: no
// limit.
void make_element(void *to, element_kind type, made_data data, size_t i, size_t n, unsigned array, unsigned below);
// Whether sums of n such elements round nothing.
bool is_exact(element_kind type, made_data data, size_t n);

} // namespace wf::tried
#endif
