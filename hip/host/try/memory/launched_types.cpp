#include "launched_types.hpp"

#include <unordered_map>

namespace wf::tried {

static std::unordered_map<const void *, element_kind> &types() {
    static auto &all = *new std::unordered_map<const void *, element_kind>;
    return all;
}

void note_type(const void *array, element_kind kind) {
    if (kind != element_kind::other)
        types()[array] = kind;
}

element_kind type_of_array(const void *array) {
    const auto found = types().find(array);
    return found != types().end() ? found->second : element_kind::other;
}

} // namespace wf::tried
