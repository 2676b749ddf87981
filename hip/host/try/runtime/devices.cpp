// The emulated device: its properties, and calls for a device as a whole.
#include "../memory/device_arrays.hpp"
#include "../memory/host_access.hpp"
#include "../memory/host_findings.hpp"
#include "../modes/recognition.hpp"
#include "../words/dimensions.hpp"
#include "device_limits.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <cstdio>
#include <cstring>

namespace wf::tried {

namespace {

constexpr int version = 12040;

cudaDeviceProp make_properties() {
    cudaDeviceProp made = {};
    const bool is_hip = is_hip_program();
    std::snprintf(made.name, sizeof made.name, "emulated device, waves of %d lanes", width_of_waves);
    std::snprintf(made.gcnArchName, sizeof made.gcnArchName, width_of_waves == 64 ? "gfx90a" : "gfx1100");
    made.gcnArch = width_of_waves == 64 ? 910 : 1100;
    made.totalGlobalMem = device_bytes();
    made.sharedMemPerBlock = limits::usual_tile_bytes;
    made.sharedMemPerBlockOptin = made.sharedMemPerMultiprocessor = made.maxSharedMemoryPerMultiProcessor =
        limits::most_tile_bytes;
    made.regsPerBlock = made.regsPerMultiprocessor = 65536;
    made.warpSize = width_of_waves;
    made.memPitch = (size_t(1) << 31) - 1;
    made.maxThreadsPerBlock = limits::tile_size;
    made.maxThreadsDim[0] = made.maxThreadsDim[1] = limits::tile_size;
    made.maxThreadsDim[2] = 64;
    made.maxGridSize[0] = INT32_MAX;
    made.maxGridSize[1] = made.maxGridSize[2] = 65535;
    made.clockRate = 1000000;
    made.totalConstMem = 65536;
    made.major = is_hip && width_of_waves == 32 ? 11 : is_hip ? 9 : 8;
    made.textureAlignment = 512;
    made.texturePitchAlignment = 32;
    made.multiProcessorCount = limits::processors;
    made.canMapHostMemory = made.concurrentKernels = made.unifiedAddressing = made.managedMemory =
        made.globalL1CacheSupported = made.localL1CacheSupported = made.cooperativeLaunch = 1;
    made.memoryClockRate = 1000000;
    made.memoryBusWidth = 256;
    made.l2CacheSize = 4 << 20;
    made.maxThreadsPerMultiProcessor = limits::threads_of_processor;
    made.maxBlocksPerMultiProcessor = limits::tiles_of_processor;
    made.streamPrioritiesSupported = 1;
    made.asyncEngineCount = 1;
    made.deviceOverlap = 1;
    made.singleToDoublePrecisionPerfRatio = 2;
    made.clockInstructionRate = 1000000;
    return made;
}

cudaError_t check_device(int device) {
    return device == 0 ? cudaSuccess : set_last_error(cudaErrorInvalidDevice);
}

size_t limit_values[cudaLimitPersistingL2CacheSize + 1] = {64 << 10, 1 << 20, 8 << 20, 2, 2048, 128, 0};

} // namespace

} // namespace wf::tried

using namespace wf::tried;

cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return check_device(device);
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (check_device(device) != cudaSuccess)
        return cudaErrorInvalidDevice;
    *properties = make_properties();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    const cudaDeviceProp of = make_properties();
    if (check_device(device) != cudaSuccess)
        return cudaErrorInvalidDevice;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = of.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ:
        *value = of.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
        break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        *value = of.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = int(of.sharedMemPerBlock);
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = int(of.sharedMemPerBlockOptin);
        break;
    case cudaDevAttrTotalConstantMemory:
        *value = int(of.totalConstMem);
        break;
    case cudaDevAttrWarpSize:
        *value = of.warpSize;
        break;
    case cudaDevAttrMaxPitch:
        *value = int(of.memPitch);
        break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = of.regsPerBlock;
        break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
        *value = of.clockRate;
        break;
    case cudaDevAttrTextureAlignment:
        *value = int(of.textureAlignment);
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = of.multiProcessorCount;
        break;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = of.memoryBusWidth;
        break;
    case cudaDevAttrL2CacheSize:
        *value = of.l2CacheSize;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = of.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = of.maxBlocksPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = of.major;
        break;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    default: // what the device does not have
        *value = 0;
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
    std::snprintf(id, size_t(length), "0000:00:00.0");
    return check_device(device);
}

cudaError_t cudaDeviceSynchronize() {
    wait_for_kernels();
    note_waited();
    return cudaSuccess;
}

cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset() {
    const void *const returns_to = __builtin_return_address(0);
    wait_for_kernels();
    for (const device_array *each : live_arrays())
        if (array_addresses.holds(each->data) && each->kind != memory_kind::pinned)
            release_array(each->data, returns_to);
    return cudaSuccess;
}

cudaError_t cudaThreadExit() {
    return cudaDeviceReset();
}

cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = cudaDeviceScheduleAuto;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (limit > cudaLimitPersistingL2CacheSize)
        return set_last_error(cudaErrorUnsupportedLimit);
    limit_values[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
    if (limit > cudaLimitPersistingL2CacheSize)
        return set_last_error(cudaErrorUnsupportedLimit);
    *value = limit_values[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

// There is one device.
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return set_last_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
    return set_last_error(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
    *value = 0;
    return set_last_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -1;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *of) {
    *of = version;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *of) {
    *of = version;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
