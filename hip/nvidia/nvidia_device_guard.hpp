// gpu.hpp on NVIDIA: for which device the program's calls are, kept while the library's are for another.
//
// What says that is the driver's current context. cudaSetDevice() would change it back, too, but from CUDA 12 on that
// gives a device a context, and some hundred MB of its memory, which the program may never want there.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_DEVICE_GUARD_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_DEVICE_GUARD_HPP

#include <cuda.h>

#include <atomic>

namespace wf {

// A function of the driver, for the module is linked with the runtime alone; asked for until the driver has told.
template <class Function>
class driver_function {
  public:
    explicit constexpr driver_function(const char *name) : name_(name) {}
    Function *find() {
        Function *known = known_.load(std::memory_order_relaxed);
        if (known != nullptr)
            return known;
        void *found = nullptr;
#if CUDART_VERSION >= 12050
        constexpr unsigned since = 4000; // the version of CUDA
        const cudaError_t error = cudaGetDriverEntryPointByVersion(name_, &found, since, cudaEnableDefault, nullptr);
#else
        const cudaError_t error = cudaGetDriverEntryPoint(name_, &found, cudaEnableDefault);
#endif
        if (error != cudaSuccess) {
            (void)cudaGetLastError(); // the next launch must not be blamed for it
            return nullptr;
        }
        known = reinterpret_cast<Function *>(found);
        known_.store(known, std::memory_order_relaxed);
        return known;
    }

  private:
    const char *const name_;
    std::atomic<Function *> known_{nullptr};
};

inline driver_function<CUresult(CUcontext *)> current_context("cuCtxGetCurrent");
inline driver_function<CUresult(CUcontext)> make_current("cuCtxSetCurrent");

class kept_device {
  public:
    kept_device() : get_(current_context.find()), set_(make_current.find()) {
        is_known_ = get_ != nullptr && set_ != nullptr && get_(&before_) == CUDA_SUCCESS;
    }
    ~kept_device() {
        CUcontext now = nullptr;
        if (is_known_ && get_(&now) == CUDA_SUCCESS && now != before_)
            (void)set_(before_); // nobody can be told of a failure
    }
    kept_device(const kept_device &) = delete;
    kept_device &operator=(const kept_device &) = delete;

  private:
    CUresult (*const get_)(CUcontext *context);
    CUresult (*const set_)(CUcontext context);
    CUcontext before_ = nullptr; // also: none
    bool is_known_;
};

} // namespace wf

#endif
