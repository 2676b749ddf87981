# WF_NVIDIA_HIP_HEADERS: the NVIDIA backend through HIP's own NVIDIA headers instead of
# hip/nvidia/cuda_names.hpp's aliases.
#
# Those headers wrap all of CUDA's API in inline functions, so one version of them compiles with few versions of CUDA:
# HIP 5.2's name what CUDA 12 removed, HIP 7.14's what CUDA 13.0 does not have yet. Whether a pair fits is tried.

if(NOT nvidia_found)
    message(FATAL_ERROR "WF_NVIDIA_HIP_HEADERS=ON needs the NVIDIA backend, and so the CUDA toolkit's nvcc: "
                        "put it on PATH or set CUDACXX")
endif()

find_path(WF_HIP_INCLUDE hip/nvidia_detail/nvidia_hip_runtime_api.h HINTS ENV HIP_PATH ENV ROCM_PATH PATHS /opt/rocm
          PATH_SUFFIXES include DOC "Folder of HIP's headers, with those for NVIDIA")
if(NOT WF_HIP_INCLUDE)
    message(FATAL_ERROR "WF_NVIDIA_HIP_HEADERS=ON needs HIP's headers for NVIDIA, hip/nvidia_detail (ROCm's package "
                        "hip-dev or hipother, Debian's libamdhip64-dev): set HIP_PATH to the folder above include")
endif()
mark_as_advanced(WF_HIP_INCLUDE)

# hip_headers_version: what the headers themselves say; hipconfig may be another installation's.
file(STRINGS ${WF_HIP_INCLUDE}/hip/hip_version.h lines REGEX "define +HIP_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*" "\\1.\\2" hip_headers_version "${lines}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" cuda_version ${CMAKE_CUDA_COMPILER_VERSION})

set(hip_definitions __HIP_PLATFORM_NVIDIA__)
if(hip_headers_version VERSION_LESS 6)
    list(APPEND hip_definitions __HIP_PLATFORM_NVCC__)
endif()

# -isystem of a folder that the compiler searches anyway would hide the standard headers from those that wrap them.
set(hip_flags -x cu -std=c++17 -arch=sm_75) # CUDA 10 to 13 all have 7.5
if(NOT WF_HIP_INCLUDE IN_LIST CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND hip_flags -isystem ${WF_HIP_INCLUDE})
endif()
if(CMAKE_CUDA_HOST_COMPILER)
    list(APPEND hip_flags -ccbin ${CMAKE_CUDA_HOST_COMPILER})
endif()
list(TRANSFORM hip_definitions PREPEND -D OUTPUT_VARIABLE definitions)
set(hip_probe ${CMAKE_BINARY_DIR}/CMakeFiles/hip_headers)
file(WRITE ${hip_probe}.cu "#include <hip/hip_runtime.h>\n")
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} ${hip_flags} ${definitions} -cuda -o ${hip_probe}.ii ${hip_probe}.cu
                RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT result EQUAL 0)
    string(REGEX MATCH "error:? [^\n]*" first_error "${said}")
    if(NOT first_error)
        set(first_error "${said}")
    endif()
    message(FATAL_ERROR "HIP ${hip_headers_version}'s headers for NVIDIA (${WF_HIP_INCLUDE}) do not compile with CUDA "
                        "${cuda_version} (${CMAKE_CUDA_COMPILER}): ${first_error}\n"
                        "CUDA 13.0 needs the headers of HIP 7.2; those of 7.1.1 and older fit CUDA 12 or 11 (5.2: 11 "
                        "alone), those of 7.14 and newer name what CUDA 13.0 lacks (HIP issue 3908). Set HIP_PATH "
                        "to a HIP that fits or CUDACXX to the nvcc of a toolkit that does, in a new build folder; or "
                        "leave WF_NVIDIA_HIP_HEADERS OFF, which needs no HIP at all")
endif()
message(STATUS "NVIDIA backend through the headers of HIP ${hip_headers_version}, with CUDA ${cuda_version}")

target_compile_definitions(wavefold-nvidia-objects PRIVATE ${hip_definitions})
# HIP asks the driver's library of some things, such as a device's name; without a driver the module then does not load.
find_package(CUDAToolkit REQUIRED)
if(NOT TARGET CUDA::cuda_driver)
    message(FATAL_ERROR "WF_NVIDIA_HIP_HEADERS=ON needs the stub of the driver's library, libcuda.so, which the CUDA "
                        "toolkit has in its folder stubs")
endif()
target_link_libraries(wavefold-nvidia PRIVATE CUDA::cuda_driver)
target_include_directories(wavefold-nvidia-objects SYSTEM PRIVATE ${WF_HIP_INCLUDE})
