/* Stands in for NCCL where there is no GPU: ranks are threads, or one thread that has several, and memory is the
 * host's. The names that src/nccl uses, with NCCL's meaning; written from its documentation. A call joins when all
 * ranks have made it, and returns then. */
#ifndef WAVEFOLD_TESTS_STANDIN_NCCL_H
#define WAVEFOLD_TESTS_STANDIN_NCCL_H

#include <stddef.h>

#if !defined(STANDIN_STREAM)
#define STANDIN_STREAM void *
#endif

typedef struct ncclComm *ncclComm_t;
typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7
} ncclResult_t;
typedef enum { ncclChar = 0, ncclUint64 = 5 } ncclDataType_t;
typedef enum { ncclSum = 0, ncclMax = 2 } ncclRedOp_t;

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int ranks, const int *devices);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommCount(ncclComm_t comm, int *count);
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank);
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error);
const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, STANDIN_STREAM stream);
ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           STANDIN_STREAM stream);

/* The rank's next call that sends fails with this, and is not joined. */
void standin_fail(ncclComm_t comm, ncclResult_t with);
/* The rank's calls are put off until ncclCommGetAsyncError has been asked so many times, as by a communicator that does
 * not block. */
void standin_put_off(ncclComm_t comm, int asked);

#endif
