// Findings and notes about the host code of the user's program.
#ifndef WAVEFOLD_HOST_TRY_HOST_FINDINGS_HPP
#define WAVEFOLD_HOST_TRY_HOST_FINDINGS_HPP

#include <string>

namespace wf::tried {

// Adds a finding about a call or an access. returns_to: behind it in the program; nullptr: watch::stands() set the
// place. "cuda" in its text becomes "hip" if the program is written in HIP.
void report_of_host(const std::string &finding, const void *returns_to);
// Adds a note: no fault, but of use to the reader.
void note_of_host(const std::string &note, const void *returns_to = nullptr);

// Notes the arrays that the program has not freed.
void note_leaks();

// " (FILE:LINE)", or "" if unknown.
std::string place_of_host(const void *returns_to);
// The names of the vendor that the program uses.
std::string named_by_vendor(std::string text);
bool is_hip_program();
// The headers of HIP call it when a program starts. Returns true.
bool use_hip_names();

} // namespace wf::tried
#endif
