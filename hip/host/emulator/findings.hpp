// Names of places and arrays in findings, on the watched device (watch.hpp).
#ifndef WAVEFOLD_HOST_EMULATOR_FINDINGS_HPP
#define WAVEFOLD_HOST_EMULATOR_FINDINGS_HPP

#include <string>

namespace wf::host::watch {

#if defined(WF_WATCHED)

// " (FILE:LINE)" of the last access, and "'NAME', " of the array at this address; "" if unknown.
std::string place();
std::string array_name(const void *address);
// A cell of tile memory: "cell 3", or the result of the function that name_cells_by() has set.
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
