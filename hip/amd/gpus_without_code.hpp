// The machine's GPUs, as Linux lists them, beside the targets for which a module has code.
#ifndef WAVEFOLD_AMD_GPUS_WITHOUT_CODE_HPP
#define WAVEFOLD_AMD_GPUS_WITHOUT_CODE_HPP

#include <string>

namespace wf {
struct uncovered_gpus {
    std::string names;  // "" if there is code for each
    std::string remedy; // a part of a sentence: which targets there are, and what a user can do
};

// The GPUs for which the bundle of code objects has none by their names. Up to ROCm 5 a runtime ends the process when
// it is given a bundle that lacks one of its GPUs (hipErrorNoBinaryForGpu), so this is asked before, and asks no
// runtime.
//
//   GPUs:      those of /sys/class/kfd, less what ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES
//              hide, as far as these are numbers, or GPU-UUIDs for the first; HSA_OVERRIDE_GFX_VERSION renames all.
//              A list that says anything else hides nothing here.
//   not told:  GPUs that a kernel older than 5.13 does not name (gfx_target_version); they count as those with code
//   bundle:    one of clang's, not compressed. Code for a generic target, or for one setting of a feature
//              (gfx90a:xnack+), is not counted: runtimes of ROCm 5 do not know the first, and take the second for some
//              GPUs alone.
uncovered_gpus gpus_without_code(const void *bundle);
} // namespace wf

#endif
