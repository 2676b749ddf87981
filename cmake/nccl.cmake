# libwavefold-nccl and libwavefold-rccl: reductions over the ranks of a communicator, queued on a stream. One source,
# compiled for NCCL and for RCCL. libwavefold itself needs neither.

foreach(engine NCCL RCCL)
    set(WF_${engine} AUTO CACHE STRING "Build the library for ${engine}: AUTO (where it is found), ON or OFF")
    set_property(CACHE WF_${engine} PROPERTY STRINGS AUTO ON OFF)
    if(NOT WF_${engine} MATCHES "^(AUTO|ON|OFF)$")
        message(FATAL_ERROR "WF_${engine} is '${WF_${engine}}': it must be AUTO, ON or OFF")
    endif()
endforeach()

set(wf_nccl_sources nccl_notes.c nccl_reduce.c)
list(TRANSFORM wf_nccl_sources PREPEND ${PROJECT_SOURCE_DIR}/src/nccl/)

# wf_over_engine(ENGINE name HEADER file LIBRARY file HINTS folder... RUNTIME library... REMEDY sentence): the library
# for one engine, if all of it is there. The remedy is that for no runtime.
function(wf_over_engine engine name)
    cmake_parse_arguments(of "" "HEADER;LIBRARY;REMEDY" "HINTS;RUNTIME" ${ARGN})
    if(NOT WF_${engine})
        message(STATUS "${engine}: left out")
        return()
    endif()
    # NCCL_ROOT and RCCL_ROOT name a folder with include/ and lib/. Wheels have the library by its soname alone.
    find_path(WF_${engine}_INCLUDE ${of_HEADER} HINTS ${${engine}_ROOT} ENV ${engine}_ROOT PATHS ${of_HINTS}
              PATH_SUFFIXES include DOC "Folder of ${of_HEADER}")
    find_library(WF_${engine}_LIBRARY NAMES ${name} ${of_LIBRARY} NAMES_PER_DIR HINTS ${${engine}_ROOT}
                 ENV ${engine}_ROOT PATHS ${of_HINTS} PATH_SUFFIXES lib DOC "${engine}'s library")
    if(NOT WF_${engine}_INCLUDE OR NOT WF_${engine}_LIBRARY OR NOT of_RUNTIME)
        if(WF_${engine} STREQUAL "ON" AND NOT of_RUNTIME)
            message(FATAL_ERROR "WF_${engine}=ON needs its GPUs' runtime: ${of_REMEDY}")
        elseif(WF_${engine} STREQUAL "ON")
            message(FATAL_ERROR "WF_${engine}=ON needs ${of_HEADER} and lib${name}: name the folder that has "
                                "${engine}'s include/ and lib/ as ${engine}_ROOT")
        endif()
        message(STATUS "${engine}: none found, or not its GPUs' runtime")
        return()
    endif()
    add_library(wavefold-${name} SHARED ${wf_nccl_sources})
    set_target_properties(wavefold-${name} PROPERTIES VERSION ${PROJECT_VERSION} EXPORT_NAME ${name}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_compile_definitions(wavefold-${name} PRIVATE WF_ENGINE_${engine})
    target_compile_options(wavefold-${name} PRIVATE ${WF_COMPILE_OPTIONS})
    target_include_directories(wavefold-${name} SYSTEM PRIVATE ${WF_${engine}_INCLUDE})
    target_link_libraries(wavefold-${name} PUBLIC wavefold PRIVATE ${WF_${engine}_LIBRARY} ${of_RUNTIME})
    add_library(wavefold::${name} ALIAS wavefold-${name})
    message(STATUS "${engine}: ${WF_${engine}_LIBRARY}")
endfunction()

set(runtime)
if(WF_NCCL AND nvidia_found)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cudart_static)
        set(runtime CUDA::cudart_static)
    endif()
endif()
wf_over_engine(NCCL nccl HEADER nccl.h LIBRARY libnccl.so.2 HINTS ${CUDAToolkit_TARGET_DIR} RUNTIME ${runtime}
               REMEDY "CUDA's comes with the NVIDIA backend, by WF_NVIDIA=ON")

find_library(WF_HIP_RUNTIME amdhip64 HINTS $ENV{ROCM_PATH} /opt/rocm PATH_SUFFIXES lib DOC "HIP's runtime, for RCCL")
set(runtime)
if(WF_HIP_RUNTIME)
    set(runtime ${WF_HIP_RUNTIME})
endif()
wf_over_engine(RCCL rccl HEADER rccl/rccl.h LIBRARY librccl.so.1 HINTS $ENV{ROCM_PATH} /opt/rocm RUNTIME ${runtime}
               REMEDY "HIP's is libamdhip64.so in ROCM_PATH, or WF_HIP_RUNTIME")
if(TARGET wavefold-rccl)
    target_compile_definitions(wavefold-rccl PRIVATE __HIP_PLATFORM_AMD__)
endif()

# What was built before must not be found any more.
foreach(name nccl rccl)
    if(NOT TARGET wavefold-${name})
        file(REMOVE ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libwavefold-${name}.so)
    endif()
endforeach()
