// Which of the HIP runtimes that a machine has is the one to use.
#ifndef WAVEFOLD_AMD_FIND_RUNTIME_HPP
#define WAVEFOLD_AMD_FIND_RUNTIME_HPP

#include <string>

namespace wf {
struct found_runtime {
    void *handle = nullptr; // for dlsym()
    std::string path;       // of its file
    int major = 0;          // of ROCm, as the file's name says it; 0: it does not say
};

// False if there is none, and *why says so. In this order:
//
//   1. One whose functions every object of the process sees: the program is linked with it, or it was preloaded.
//   2. One that is loaded for some object alone, as PyTorch's is: the first that was loaded.
//   3. One of the folder lib of the environment's ROCM_PATH, which programs of raised privileges ignore.
//   4. The newest that the dynamic linker finds (LD_LIBRARY_PATH, its cache), or that lies in /opt/rocm*/lib, by the
//      number in its name. One without a number comes last.
//
// Streams and memory belong to a runtime: those of the program are of no use to another one. So what is loaded goes
// before what is newer.
bool find_runtime(found_runtime *found, std::string *why);
} // namespace wf

#endif
