// What a finding says of the access that it is about, where accesses are watched (watch.hpp).
#ifndef WAVEFOLD_HOST_EMULATOR_FINDINGS_HPP
#define WAVEFOLD_HOST_EMULATOR_FINDINGS_HPP

#include <string>

namespace wf::host::watch {

#if defined(WF_WATCHED)

// " at FILE:LINE" of the access, and "'NAME', " of the array that has this address; or nothing.
std::string place();
std::string array_name(const void *address);
// A cell of tile memory: "cell 3", or what the function says that was given.
std::string cell_name(size_t cell);
void name_cells_by(std::string (*name)(size_t cell));

#else

inline std::string place() {
    return "";
}
inline std::string array_name(const void *) {
    return "";
}
inline std::string cell_name(size_t cell) {
    return "cell " + std::to_string(cell);
}

#endif

} // namespace wf::host::watch
#endif
