// A program that is written in HIP: errors and findings have HIP's names.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_USE_HIP_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_USE_HIP_HPP

namespace wf::tried {
bool use_hip_names();
inline const bool is_written_in_hip = use_hip_names();
} // namespace wf::tried

#endif
