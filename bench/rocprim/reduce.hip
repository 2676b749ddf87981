// rocPRIM's device-wide reduction of each type, to be compiled and read, not run.
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

template <class T>
hipError_t sum(void *temporary, size_t &bytes, const T *in, T *out, size_t count) {
    return rocprim::reduce(temporary, bytes, in, out, T(0), count, rocprim::plus<T>());
}
template hipError_t sum(void *, size_t &, const float *, float *, size_t);
template hipError_t sum(void *, size_t &, const double *, double *, size_t);
template hipError_t sum(void *, size_t &, const int *, int *, size_t);
