// The element types of device arrays, as the arguments of launches name them.
#ifndef WAVEFOLD_HOST_TRY_LAUNCHED_TYPES_HPP
#define WAVEFOLD_HOST_TRY_LAUNCHED_TYPES_HPP

#include "element_types.hpp"

namespace wf::tried {

void note_type(const void *array, element_kind kind);
element_kind type_of_array(const void *array); // other: no launch had it

} // namespace wf::tried
#endif
