// Which kernels this CPU runs.
#include "native.hpp"

#include <cstdlib>

#if defined(WF_NATIVE_X86)
#include <cpuid.h>
#endif

namespace wf::host::native {

extern const kernels kernels_plain;
#if defined(WF_NATIVE_X86)
extern const kernels kernels_avx2, kernels_avx512;
#endif

namespace {

struct choice {
    const kernels *functions;
    bool is_there;
};

#if defined(WF_NATIVE_X86)
// Whether the CPU has what CMakeLists.txt compiles each for, and the system keeps those registers.
bool has_avx2() {
    unsigned a, b, c, d; // gcc 12 and clang 14 do not share a name for F16C
    const bool has_f16c = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
    return has_f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

} // namespace

const kernels *choose_kernels(wf_status *status, std::string *error) {
    const choice choices[] = { // the widest last
        {&kernels_plain, true},
#if defined(WF_NATIVE_X86)
        {&kernels_avx2, has_avx2()},
        {&kernels_avx512, has_avx512()},
#endif
    };
    const char *const setting = secure_getenv("WAVEFOLD_CPU");
    const std::string wanted = setting != nullptr ? setting : "";
    const kernels *widest = nullptr;
    std::string known, there;
    bool is_known = false;
    for (const choice &one : choices) {
        known += (known.empty() ? "" : ", ") + std::string(one.functions->name);
        is_known |= wanted == one.functions->name;
        if (!one.is_there)
            continue;
        there += (there.empty() ? "" : ", ") + std::string(one.functions->name);
        widest = one.functions;
        if (wanted == one.functions->name)
            return one.functions;
    }
    if (wanted.empty())
        return widest;
    *status = is_known ? WF_UNSUPPORTED : WF_INVALID_ARGUMENT;
    *error = is_known ? "WAVEFOLD_CPU asks for " + wanted + ", which this CPU lacks: it has " + there
                      : "WAVEFOLD_CPU is '" + wanted.substr(0, 40) + "': it can be " + known + ", or not set";
    return nullptr;
}

} // namespace wf::host::native
