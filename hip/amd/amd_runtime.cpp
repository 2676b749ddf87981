#include "amd_runtime.hpp"

#include "find_runtime.hpp"
#include "gpus_without_code.hpp"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <vector>

// X(name, parameters, arguments): what the module calls of HIP, and what the code calls that clang makes of a launch.
#define WF_HIP_CALLS(X)                                                                                                \
    X(hipGetLastError, (), ())                                                                                         \
    X(hipPeekAtLastError, (), ())                                                                                      \
    X(hipGetDeviceCount, (int *count), (count))                                                                        \
    X(hipSetDevice, (int device), (device))                                                                            \
    X(hipDriverGetVersion, (int *version), (version))                                                                  \
    X(hipRuntimeGetVersion, (int *version), (version))                                                                 \
    X(hipDeviceGetAttribute, (int *value, hipDeviceAttribute_t which, int device), (value, which, device))             \
    X(hipDeviceGetName, (char *name, int length, hipDevice_t device), (name, length, device))                          \
    X(hipMemGetInfo, (size_t * unused, size_t * all), (unused, all))                                                   \
    X(hipMalloc, (void **memory, size_t bytes), (memory, bytes))                                                       \
    X(hipFree, (void *memory), (memory))                                                                               \
    X(hipThreadExchangeStreamCaptureMode, (hipStreamCaptureMode * mode), (mode))                                       \
    X(hipHostMalloc, (void **memory, size_t bytes, unsigned flags), (memory, bytes, flags))                            \
    X(hipHostFree, (void *memory), (memory))                                                                           \
    X(hipHostGetDevicePointer, (void **there, void *here, unsigned flags), (there, here, flags))                       \
    X(hipPointerGetAttributes, (hipPointerAttribute_t * attributes, const void *memory), (attributes, memory))         \
    X(hipMemcpyAsync, (void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t stream),              \
      (to, from, bytes, kind, stream))                                                                                 \
    X(hipMemsetAsync, (void *memory, int value, size_t bytes, hipStream_t stream), (memory, value, bytes, stream))     \
    X(hipStreamCreate, (hipStream_t * stream), (stream))                                                               \
    X(hipStreamDestroy, (hipStream_t stream), (stream))                                                                \
    X(hipStreamSynchronize, (hipStream_t stream), (stream))                                                            \
    X(hipStreamGetCaptureInfo, (hipStream_t stream, hipStreamCaptureStatus * status, unsigned long long *number),      \
      (stream, status, number))                                                                                        \
    X(hipEventCreate, (hipEvent_t * event), (event))                                                                   \
    X(hipEventDestroy, (hipEvent_t event), (event))                                                                    \
    X(hipEventRecord, (hipEvent_t event, hipStream_t stream), (event, stream))                                         \
    X(hipEventSynchronize, (hipEvent_t event), (event))                                                                \
    X(hipEventElapsedTime, (float *milliseconds, hipEvent_t start, hipEvent_t stop), (milliseconds, start, stop))      \
    X(hipLaunchKernel,                                                                                                 \
      (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes, hipStream_t stream),                 \
      (kernel, grid, block, arguments, bytes, stream))                                                                 \
    X(__hipPushCallConfiguration, (dim3 grid, dim3 block, size_t bytes, hipStream_t stream),                           \
      (grid, block, bytes, stream))                                                                                    \
    X(__hipPopCallConfiguration, (dim3 * grid, dim3 * block, size_t * bytes, hipStream_t * stream),                    \
      (grid, block, bytes, stream))

namespace {

struct hip_functions {
#define WF_HIP_FUNCTION(name, parameters, arguments) hipError_t(*name) parameters;
    WF_HIP_CALLS(WF_HIP_FUNCTION)
#undef WF_HIP_FUNCTION
    const char *(*hipGetErrorString)(hipError_t error);
    void **(*__hipRegisterFatBinary)(const void *wrapper);
    void (*__hipRegisterFunction)(void **binary, const void *host, char *device, const char *name, unsigned threads,
                                  void *thread, void *block, dim3 *block_size, dim3 *grid_size, int *wave_width);
    hipError_t (*hipGetDevice)(int *device); // null in a runtime that is not whole: it is no reason to refuse one
    hipError_t (*hipStreamGetDevice)(hipStream_t stream, int *device); // null before ROCm 5.6
};

hip_functions functions; // null until the runtime was found
int found_version;       // as hipRuntimeGetVersion() tells it
char description[1024];

// ---- What clang's constructors told when the module was loaded ---

struct fat_binary_wrapper { // clang's, in its host code
    unsigned magic, format;
    const void *bundle;
};

struct noted_kernel {
    const void *host;
    char *device;
    const char *name;
};

const fat_binary_wrapper *noted_binary;
bool is_lacking_memory;

std::vector<noted_kernel> &noted_kernels() {
    static std::vector<noted_kernel> kernels;
    return kernels;
}

bool hand_over_kernels(const hip_functions &to) {
    void **const binary = to.__hipRegisterFatBinary(noted_binary);
    for (const noted_kernel &each : noted_kernels())
        if (binary != nullptr)
            to.__hipRegisterFunction(binary, each.host, each.device, each.name, static_cast<unsigned>(-1), nullptr,
                                     nullptr, nullptr, nullptr, nullptr);
    return binary != nullptr;
}

// ---- Finding the runtime ---

template <class Function>
bool take(const wf::found_runtime &found, const char *name, Function **function) {
    *function = reinterpret_cast<Function *>(dlsym(found.handle, name));
    return *function != nullptr;
}

// The name of a function that the runtime lacks, or null.
const char *take_functions(const wf::found_runtime &found, hip_functions *taken) {
#define WF_TAKE(name, ...)                                                                                             \
    if (!take(found, #name, &taken->name))                                                                             \
        return #name;
    WF_HIP_CALLS(WF_TAKE)
    WF_TAKE(hipGetErrorString)
    WF_TAKE(__hipRegisterFatBinary)
    WF_TAKE(__hipRegisterFunction)
#undef WF_TAKE
    take(found, "hipGetDevice", &taken->hipGetDevice);
    take(found, "hipStreamGetDevice", &taken->hipStreamGetDevice);
    return nullptr;
}

bool say(char *why, size_t why_bytes, const std::string &text) {
    std::snprintf(why, why_bytes, "%s", text.c_str());
    return false;
}

bool prepare(char *why, size_t why_bytes) {
    wf::found_runtime found;
    std::string trouble;
    if (!wf::find_runtime(&found, &trouble))
        return say(why, why_bytes, trouble);
    hip_functions taken = {};
    const char *const lacking = take_functions(found, &taken);
    if (lacking != nullptr)
        return say(why, why_bytes, found.path + " has no " + lacking + ": take the HIP runtime of ROCm 5.2 or newer");
    const auto fails = [&](hipError_t error) {
        return say(why, why_bytes, found.path + ": hipRuntimeGetVersion failed: " + taken.hipGetErrorString(error));
    };
    int told = 0;
    // Where the name does not tell the version, the program brought the runtime, and has called it or will. What it can
    // die of are kernels that it knows: those of this module are not yet among them.
    const bool is_named = found.major != 0;
    hipError_t asked = is_named ? hipSuccess : taken.hipRuntimeGetVersion(&told);
    if (asked != hipSuccess)
        return fails(asked);
    const wf::uncovered_gpus uncovered = wf::gpus_without_code(noted_binary->bundle);
    if ((is_named ? found.major : told / 10000000) <= 5 && !uncovered.names.empty())
        return say(why, why_bytes,
                   found.path + ": the HIP runtime of ROCm 5 ends a process that has a GPU without code in the " +
                       "module; " + uncovered.names + " is one, so the runtime was not called: " + uncovered.remedy);
    // Before the first call, if it can be: that one takes in what was handed over so far, and from ROCm 6.4 on what is
    // handed over later is taken in at once, or refused.
    if (!hand_over_kernels(taken))
        return say(why, why_bytes,
                   found.path + " takes none of the module's code" +
                       (uncovered.names.empty()
                            ? ": build wavefold with the GPU's target in WF_AMD_ARCHITECTURES"
                            : ", which has none by the name of " + uncovered.names + ": " + uncovered.remedy));
    if (is_named)
        asked = taken.hipRuntimeGetVersion(&told);
    if (asked != hipSuccess)
        return fails(asked);
    functions = taken;
    found_version = told;
    std::snprintf(description, sizeof description, "HIP's runtime %d.%d.%d, %s", told / 10000000, told / 100000 % 100,
                  told % 100000, found.path.c_str());
    return true;
}

struct answer {
    bool is_ready;
    char why[1024];
};

answer prepare_once() noexcept {
    answer made = {};
    try {
        if (!is_lacking_memory) {
            made.is_ready = prepare(made.why, sizeof made.why);
            return made;
        }
    } catch (const std::bad_alloc &) {
    }
    std::snprintf(made.why, sizeof made.why, "no host memory for what the HIP runtime must be told");
    return made;
}

} // namespace

bool wf::prepare_runtime(char *why, size_t why_bytes) {
    static const answer first = prepare_once();
    if (!first.is_ready)
        std::snprintf(why, why_bytes, "%s", first.why);
    return first.is_ready;
}

const char *wf::describe_runtime() {
    return description;
}

// ROCm 6 gave the types of memory CUDA's numbers; before, managed memory was told apart by a field of its own.
bool wf::is_device_memory(const hipPointerAttribute_t &attributes) {
    int type; // the first field, whatever its name
    std::memcpy(&type, &attributes, sizeof type);
    return found_version >= 60000000 ? type == 2 : type == 1 && attributes.isManaged == 0;
}

bool wf::keeps_last_error() {
    return found_version >= 70000000;
}

// Nobody can be told of a failure; but the next launch must not be blamed for it.
wf::kept_device::kept_device() : before_(0), is_known_(functions.hipGetDevice != nullptr) {
    if (is_known_ && functions.hipGetDevice(&before_) != hipSuccess) {
        is_known_ = false;
        (void)functions.hipGetLastError();
    }
}

wf::kept_device::~kept_device() {
    int now = before_;
    if (is_known_ && (functions.hipGetDevice(&now) != hipSuccess ||
                      (now != before_ && functions.hipSetDevice(before_) != hipSuccess)))
        (void)functions.hipGetLastError();
}

hipError_t wf::device_of_stream(hipStream_t stream, int *device) {
    return functions.hipStreamGetDevice != nullptr ? functions.hipStreamGetDevice(stream, device) : hipSuccess;
}

extern "C" {

#define WF_HIP_DEFINITION(name, parameters, arguments)                                                                 \
    hipError_t name parameters {                                                                                       \
        return functions.name != nullptr ? functions.name arguments : hipErrorNotInitialized;                          \
    }
WF_HIP_CALLS(WF_HIP_DEFINITION)
#undef WF_HIP_DEFINITION

const char *hipGetErrorString(hipError_t error) {
    return functions.hipGetErrorString != nullptr ? functions.hipGetErrorString(error) : "no HIP runtime was found";
}

// clang's own, which no header declares. A module has one fat binary.
void **__hipRegisterFatBinary(const void *wrapper);
void __hipRegisterFunction(void **binary, const void *host, char *device, const char *name, unsigned threads,
                           void *thread, void *block, dim3 *block_size, dim3 *grid_size, int *wave_width);
void __hipUnregisterFatBinary(void **binary);

void **__hipRegisterFatBinary(const void *wrapper) {
    static void *handle;
    noted_binary = static_cast<const fat_binary_wrapper *>(wrapper);
    return &handle;
}

void __hipRegisterFunction(void **, const void *host, char *device, const char *name, unsigned, void *, void *, dim3 *,
                           dim3 *, int *) {
    try {
        noted_kernels().push_back({host, device, name});
    } catch (const std::bad_alloc &) {
        is_lacking_memory = true;
    }
}

// Called when the process ends, after a runtime that was loaded later than the module has ended: too late to tell it.
void __hipUnregisterFatBinary(void **) {}

} // extern "C"
