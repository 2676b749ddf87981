/* CUDA's driver for a user's file: its basic names, without its functions. */
#ifndef WAVEFOLD_HOST_TRY_CUDA_H
#define WAVEFOLD_HOST_TRY_CUDA_H

#define CUDA_VERSION 12040

typedef enum cudaError_enum { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

inline CUresult cuInit(unsigned) {
    return CUDA_SUCCESS;
}

#endif
