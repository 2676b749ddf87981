// The errors of CUDA's runtime, with their numbers and texts. HIP's names of them: hip_names.hpp.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_ERROR_CODES_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_ERROR_CODES_HPP

// clang-format off
#define WF_TRY_ERRORS(each) \
    each(Success, 0, "no error") \
    each(ErrorInvalidValue, 1, "invalid argument") \
    each(ErrorMemoryAllocation, 2, "out of memory") \
    each(ErrorInitializationError, 3, "initialization error") \
    each(ErrorCudartUnloading, 4, "driver shutting down") \
    each(ErrorProfilerDisabled, 5, "profiler disabled") \
    each(ErrorProfilerNotInitialized, 6, "profiler not initialized") \
    each(ErrorProfilerAlreadyStarted, 7, "profiler already started") \
    each(ErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
    each(ErrorInvalidConfiguration, 9, "invalid configuration argument") \
    each(ErrorInvalidPitchValue, 12, "invalid pitch argument") \
    each(ErrorInvalidSymbol, 13, "invalid device symbol") \
    each(ErrorInvalidHostPointer, 16, "invalid host pointer") \
    each(ErrorInvalidDevicePointer, 17, "invalid device pointer") \
    each(ErrorInvalidTexture, 18, "invalid texture reference") \
    each(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
    each(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
    each(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    each(ErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
    each(ErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type") \
    each(ErrorStubLibrary, 34, "CUDA driver is a stub library") \
    each(ErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
    each(ErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
    each(ErrorInvalidSurface, 37, "invalid surface reference") \
    each(ErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name") \
    each(ErrorDuplicateTextureName, 44, "duplicate texture looked up by string name") \
    each(ErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
    each(ErrorDevicesUnavailable, 46, "all CUDA-capable devices are busy or unavailable") \
    each(ErrorIncompatibleDriverContext, 49, "incompatible driver context") \
    each(ErrorMissingConfiguration, 52, "__global__ function call is not configured") \
    each(ErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
    each(ErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds the limit") \
    each(ErrorLaunchPendingCountExceeded, 69, "launch failed because pending launch count would exceed the limit") \
    each(ErrorInvalidDeviceFunction, 98, "invalid device function") \
    each(ErrorNoDevice, 100, "no CUDA-capable device is detected") \
    each(ErrorInvalidDevice, 101, "invalid device ordinal") \
    each(ErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license") \
    each(ErrorStartupFailure, 127, "startup failure in cuda runtime") \
    each(ErrorInvalidKernelImage, 200, "device kernel image is invalid") \
    each(ErrorDeviceUninitialized, 201, "invalid device context") \
    each(ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed") \
    each(ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
    each(ErrorArrayIsMapped, 207, "array is mapped") \
    each(ErrorAlreadyMapped, 208, "resource already mapped") \
    each(ErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
    each(ErrorAlreadyAcquired, 210, "resource already acquired") \
    each(ErrorNotMapped, 211, "resource not mapped") \
    each(ErrorNotMappedAsArray, 212, "resource not mapped as array") \
    each(ErrorNotMappedAsPointer, 213, "resource not mapped as pointer") \
    each(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered") \
    each(ErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
    each(ErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread") \
    each(ErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
    each(ErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
    each(ErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
    each(ErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution") \
    each(ErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found") \
    each(ErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain") \
    each(ErrorInvalidSource, 300, "device kernel image is invalid") \
    each(ErrorFileNotFound, 301, "file not found") \
    each(ErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
    each(ErrorSharedObjectInitFailed, 303, "shared object initialization failed") \
    each(ErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS") \
    each(ErrorInvalidResourceHandle, 400, "invalid resource handle") \
    each(ErrorIllegalState, 401, "the operation cannot be performed in the present state") \
    each(ErrorSymbolNotFound, 500, "named symbol not found") \
    each(ErrorNotReady, 600, "device not ready") \
    each(ErrorIllegalAddress, 700, "an illegal memory access was encountered") \
    each(ErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
    each(ErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
    each(ErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode") \
    each(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
    each(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
    each(ErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
    each(ErrorContextIsDestroyed, 709, "context is destroyed") \
    each(ErrorAssert, 710, "device-side assert triggered") \
    each(ErrorTooManyPeers, 711, "peer mapping resources exhausted") \
    each(ErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
    each(ErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
    each(ErrorHardwareStackError, 714, "hardware stack error") \
    each(ErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
    each(ErrorMisalignedAddress, 716, "misaligned address") \
    each(ErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
    each(ErrorInvalidPc, 718, "invalid program counter") \
    each(ErrorLaunchFailure, 719, "unspecified launch failure") \
    each(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    each(ErrorNotPermitted, 800, "operation not permitted") \
    each(ErrorNotSupported, 801, "operation not supported") \
    each(ErrorSystemNotReady, 802, "system not yet initialized") \
    each(ErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination") \
    each(ErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW") \
    each(ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
    each(ErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
    each(ErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences") \
    each(ErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
    each(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
    each(ErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream") \
    each(ErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing stream") \
    each(ErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream") \
    each(ErrorStreamCaptureWrongThread, 908, "attempt to terminate a thread-local capture from another thread") \
    each(ErrorTimeout, 909, "wait operation timed out") \
    each(ErrorGraphExecUpdateFailure, 910, "the graph update was not performed") \
    each(ErrorUnknown, 999, "unknown error")
// clang-format on

#define WF_TRY_ERROR(name, number, text) cuda##name = number,
typedef enum cudaError { WF_TRY_ERRORS(WF_TRY_ERROR) } cudaError_t;
#undef WF_TRY_ERROR

#endif
