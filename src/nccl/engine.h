/* The engine: NCCL, RCCL, or for the tests a stand-in that joins threads. All have NCCL's function names; they differ
 * in the type of streams and in the backend. */
#ifndef WAVEFOLD_NCCL_ENGINE_H
#define WAVEFOLD_NCCL_ENGINE_H

#if defined(WF_ENGINE_STANDIN)

#include <standin_nccl.h>

#define WF_ENGINE_NAME "the stand-in"
#define WF_ENGINE_BACKEND "host"
typedef void *wf_engine_stream;
static inline const char *wf_engine_synchronise(void *stream) {
    (void)stream; /* the host device completes work when it is queued */
    return NULL;
}

#elif defined(WF_ENGINE_RCCL)

#include <rccl/rccl.h>

#define WF_ENGINE_NAME "RCCL"
#define WF_ENGINE_BACKEND "amd"
typedef hipStream_t wf_engine_stream;
static inline const char *wf_engine_synchronise(void *stream) {
    const hipError_t error = hipStreamSynchronize((hipStream_t)stream);
    if (error == hipSuccess)
        return NULL;
    (void)hipGetLastError(); /* cleared, since this call reports it */
    return hipGetErrorString(error);
}

#else

#include <nccl.h>

#define WF_ENGINE_NAME "NCCL"
#define WF_ENGINE_BACKEND "nvidia"
typedef cudaStream_t wf_engine_stream;
static inline const char *wf_engine_synchronise(void *stream) {
    const cudaError_t error = cudaStreamSynchronize((cudaStream_t)stream);
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

#endif
#endif
