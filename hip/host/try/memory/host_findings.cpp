#include "host_findings.hpp"

#include "../../emulator/findings.hpp"
#include "../../watched/sites.hpp"
#include "../source_lines.hpp"
#include "../stop.hpp"
#include "device_arrays.hpp"

namespace wf::tried {

namespace {
bool is_hip = false;
}

bool is_hip_program() {
    return is_hip;
}

bool use_hip_names() {
    return is_hip = true;
}

void note_leaks() {
    std::string names;
    size_t count = 0;
    for (const device_array *each : live_arrays())
        if (array_addresses.holds(each->data) && ++count <= 4)
            names += (names.empty() ? "'" : ", '") + each->name + "'";
    if (count != 0)
        note_of_host(names +
                     (count > 4   ? " and " + std::to_string(count - 4) + " more were"
                      : count > 1 ? " were"
                                  : " was") +
                     " not freed: call cudaFree");
}

std::string named_by_vendor(std::string text) {
    for (size_t at = 0; is_hip && (at = text.find("cuda", at)) != text.npos;)
        text.replace(at, 4, "hip");
    return text;
}

std::string place_of_host(const void *returns_to) {
    if (returns_to == nullptr)
        return host::watch::place();
    const host::site at = line_before(returns_to);
    return at.line != 0 ? " (" + host::watch::name_of(at) + ")" : "";
}

void report_of_host(const std::string &finding, const void *returns_to) {
    add_host_finding(present_answer(), named_by_vendor(finding) + place_of_host(returns_to));
}

void note_of_host(const std::string &note, const void *returns_to) {
    add_note(present_answer(), named_by_vendor(note) + (returns_to != nullptr ? place_of_host(returns_to) : ""));
}

} // namespace wf::tried
