# The AMD backend. CMake's HIP language does not find Debian's HIP, so the steps are spelled out: device code for each
# target, all of it in one bundle, host code that embeds the bundle, link.
#
# Which compiler builds a target is found out by trying: hipcc first, then the newer clangs that Debian has. The clangs
# compile against the headers and device libraries of Debian's HIP 5.2, which lack nothing but the constant that names
# the ISA. AMD's own hipcc (ROCm 6 and newer) builds every target itself.

if(WF_AMD)
    find_program(WF_HIPCC hipcc HINTS ENV ROCM_PATH PATH_SUFFIXES bin PATHS /opt/rocm DOC "AMD's compiler driver")
    if(WF_HIPCC)
        set(amd_found TRUE)
    elseif(WF_AMD STREQUAL "ON")
        message(FATAL_ERROR "WF_AMD=ON needs hipcc (Debian, Ubuntu: package hipcc; or set ROCM_PATH)")
    endif()
endif()
if(NOT amd_found)
    return()
endif()

# Code object version 4 is what all runtimes from ROCm 5 to 7 load. The module links with no runtime: it finds one when
# a device is first asked for (hip/amd/amd_runtime.hpp).
set(amd_object_version -mcode-object-version=4)
set(amd_folder ${CMAKE_BINARY_DIR}/amd)
set(amd_bitcode ${amd_folder}/bitcode) # device libraries for the newer clangs
file(MAKE_DIRECTORY ${amd_folder})

# ---- The newer clangs ---

set(amd_clangs)
foreach(version 19 20 21) # 22 no longer takes headers as old as Debian's
    find_program(WF_CLANG_${version} clang++-${version} DOC "Compiles AMD targets that hipcc lacks")
    mark_as_advanced(WF_CLANG_${version})
    if(WF_CLANG_${version})
        list(APPEND amd_clangs ${WF_CLANG_${version}})
    endif()
endforeach()
find_path(WF_DEVICE_LIBRARIES ockl.bc PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode
          /usr/lib/x86_64-linux-gnu/amdgcn/bitcode DOC "Where ROCm's device libraries lie")
mark_as_advanced(WF_DEVICE_LIBRARIES)

# A folder of links to the device libraries. The one that names the target's ISA is missing there, and is made by a
# clang: ockl and ocml read that number, which for gfx942 is 9402.
function(wf_add_isa_library target clang)
    file(MAKE_DIRECTORY ${amd_bitcode})
    file(GLOB libraries ${WF_DEVICE_LIBRARIES}/*.bc)
    foreach(library ${libraries})
        get_filename_component(name ${library} NAME)
        file(CREATE_LINK ${library} ${amd_bitcode}/${name} SYMBOLIC)
    endforeach()
    if(target MATCHES "^gfx([0-9]+)([0-9])([0-9a-f])(:.*)?$") # features may follow: gfx942:xnack+
        math(EXPR isa_version "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 100 + 0x${CMAKE_MATCH_3}")
        set(name oclc_isa_version_${CMAKE_MATCH_1}${CMAKE_MATCH_2}${CMAKE_MATCH_3})
        if(NOT EXISTS ${amd_bitcode}/${name}.bc)
            file(CONFIGURE OUTPUT ${amd_folder}/${name}.ll CONTENT [[
target triple = "amdgcn-amd-amdhsa"
@__oclc_ISA_version = linkonce_odr hidden local_unnamed_addr addrspace(4) constant i32 @isa_version@, align 4
]] @ONLY)
            execute_process(COMMAND ${clang} -x ir -target amdgcn-amd-amdhsa -nogpulib -emit-llvm -c
                                    ${amd_folder}/${name}.ll -o ${amd_bitcode}/${name}.bc
                            ERROR_VARIABLE error RESULT_VARIABLE result)
            if(NOT result EQUAL 0)
                message(FATAL_ERROR "${clang} cannot make the device library of ${target}:\n${error}")
            endif()
        endif()
    endif()
endfunction()

# ---- Which compiler builds a target, and how wide are its waves there ---

# Compiles a kernel that does nothing, to a code object and to assembly: amd_width is the width that its metadata tells,
# empty if the compiler does not know the target or lacks a part of what it needs for it, such as its linker, a package
# of its own; amd_said is its first error.
function(wf_try_amd_compiler target compile)
    set(amd_width PARENT_SCOPE)
    file(WRITE ${amd_folder}/probe.hip "#include <hip/hip_runtime.h>\n__global__ void probe() {}\n")
    set(probe ${compile} ${amd_object_version} -x hip --offload-arch=${target} --cuda-device-only
              ${amd_folder}/probe.hip)
    execute_process(COMMAND ${probe} -c -o ${amd_folder}/probe.co
                    RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(REGEX MATCH "error: [^\n]*" said "${said}")
    set(amd_said "${said}" PARENT_SCOPE)
    if(result EQUAL 0)
        execute_process(COMMAND ${probe} -S -o ${amd_folder}/probe.s
                        RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
        if(NOT result EQUAL 0)
            message(FATAL_ERROR
                    "${target} compiles, but its assembly, which tells the wave's width, does not:\n${said}")
        endif()
        file(STRINGS ${amd_folder}/probe.s line REGEX "\\.wavefront_size: +(32|64)$" LIMIT_COUNT 1)
        if(NOT line)
            message(FATAL_ERROR "the metadata of ${target} in ${amd_folder}/probe.s tell no wave width of 32 or 64")
        endif()
        string(REGEX REPLACE ".*: *" "" width "${line}")
        set(amd_width ${width} PARENT_SCOPE)
    endif()
endfunction()

# amd_compile: the command that builds the target, empty if there is none.
macro(wf_find_amd_compiler target)
    set(amd_compile ${WF_HIPCC} --no-gpu-bundle-output)
    wf_try_amd_compiler(${target} "${amd_compile}")
    foreach(clang ${amd_clangs})
        if(amd_width OR NOT WF_DEVICE_LIBRARIES)
            break()
        endif()
        execute_process(COMMAND ${clang} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
        wf_add_isa_library(${target} ${clang})
        set(amd_compile ${clang} --rocm-path=/usr --rocm-device-lib-path=${amd_bitcode} -isystem ${resources}
            --no-gpu-bundle-output)
        wf_try_amd_compiler(${target} "${amd_compile}")
    endforeach()
    if(NOT amd_width)
        set(amd_compile)
    endif()
endmacro()

# The clang that knows a target first, for a message.
set(amd_first_clang gfx1100=15 gfx1101=15 gfx1102=15 gfx1103=15 gfx942=17 gfx1150=17 gfx1151=17
    gfx1200=18 gfx1201=18 gfx1152=19 gfx950=20 gfx1153=20 gfx1250=21)

function(wf_refuse_amd_target target)
    list(JOIN amd_clangs ", " tried)
    set(why "no compiler here builds ${target}: tried ${WF_HIPCC} (clang ${amd_hipcc_clang}) and ${tried}")
    if(NOT amd_clangs)
        set(why "no compiler here builds ${target}: tried ${WF_HIPCC} (clang ${amd_hipcc_clang})")
        string(APPEND why ", no newer clang is there")
    endif()
    string(APPEND why " (${amd_said})")
    string(REGEX REPLACE ":.*" "" processor ${target})
    set(known ${amd_first_clang})
    list(FILTER known INCLUDE REGEX "^${processor}=")
    if(known)
        string(REGEX REPLACE ".*=" "" first ${known})
        if(first LESS 19) # Debian's oldest beside hipcc's own
            set(first 19)
        endif()
        string(APPEND why ". Clang ${first} does: install clang-${first} and lld-${first}, or a ROCm that has it")
    else()
        string(APPEND why ". Is it spelled as AMD does (gfx90a, gfx1100)? If it is, a newer ROCm may know it")
    endif()
    if(WF_AMD STREQUAL "ON" OR NOT (WF_AMD_DETECTED OR WF_AMD_ARCHITECTURES STREQUAL WF_AMD_DEFAULT)) # it was asked for
        message(FATAL_ERROR "${why}; or leave it out of WF_AMD_ARCHITECTURES")
    endif()
    message(WARNING "${why}; the AMD backend is built without it")
endfunction()

# ---- The build ---

execute_process(COMMAND ${WF_HIPCC} --version OUTPUT_VARIABLE amd_hipcc_clang ERROR_QUIET)
string(REGEX MATCH "clang version ([0-9]+)" amd_hipcc_clang "${amd_hipcc_clang}")
set(amd_hipcc_clang ${CMAKE_MATCH_1})
execute_process(COMMAND ${WF_HIPCC} --cuda-host-only --offload-arch=gfx900 -print-prog-name=clang-offload-bundler
                OUTPUT_VARIABLE bundler OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)

set(amd_source ${PROJECT_SOURCE_DIR}/hip/backend.hip)
file(GLOB_RECURSE amd_depends CONFIGURE_DEPENDS hip/*.hip hip/*.hpp src/*.h include/*.h)
list(TRANSFORM WF_INCLUDES PREPEND -I OUTPUT_VARIABLE amd_includes)
# No SLP vectoriser. It turns the loads of bytes at odd addresses into shifts of 16-bit pairs. clang 19's backend then
# loses the mask of the half that is not needed (a shift by 255), and the sign of a neighbour lands in the float.
# Without it the sums of f16 take one or two instructions more for each 16 bytes (results/amd-*).
set(amd_flags -x hip -std=c++17 -O3 -fno-slp-vectorize -fPIC -fvisibility=hidden ${amd_object_version} -Wall -Wextra
    -Wshadow -Werror ${amd_includes})

set(bundle_targets host-x86_64-unknown-linux--)
set(bundle_inputs -input=/dev/null)
set(code_objects)
set(amd_built)
set(amd_left_out)
foreach(target ${WF_AMD_ARCHITECTURES})
    wf_find_amd_compiler(${target})
    if(NOT amd_compile)
        wf_refuse_amd_target(${target})
        list(APPEND amd_left_out ${target})
        continue()
    endif()
    set(object ${amd_folder}/${target}.co)
    add_custom_command(OUTPUT ${object} DEPENDS ${amd_depends}
                       COMMAND ${amd_compile} ${amd_flags} -DWF_WAVE_WIDTH=${amd_width} --offload-arch=${target}
                               --cuda-device-only -c ${amd_source} -o ${object}
                       COMMENT "Compiling the AMD backend for ${target}" VERBATIM)
    list(JOIN amd_compile " " amd_command)
    file(WRITE ${amd_folder}/${target}.compiler "${amd_command}\n") # for bench/amd_instructions.py
    list(APPEND code_objects ${object})
    list(APPEND amd_built ${target})
    list(APPEND bundle_targets hipv4-amdgcn-amd-amdhsa--${target})
    list(APPEND bundle_inputs -input=${object})
endforeach()

if(NOT amd_built AND WF_AMD_DETECTED)
    message(WARNING "no AMD GPU of this machine can be built for here; the AMD backend is left out")
    set(amd_found FALSE)
    return()
elseif(NOT amd_built)
    message(FATAL_ERROR "no target of WF_AMD_ARCHITECTURES can be built here; set WF_AMD=OFF to leave the backend out")
endif()
list(JOIN bundle_targets "," bundle_targets)
list(GET amd_built 0 any_target) # hipcc asks the machine's GPU if it is given none
set(amd_module ${WF_MODULE_OUTPUT}/libwavefold-amd.so)
add_custom_command(OUTPUT ${amd_folder}/kernels.hipfb DEPENDS ${code_objects}
                   COMMAND ${bundler} -type=o -bundle-align=4096 -targets=${bundle_targets} ${bundle_inputs}
                           -output=${amd_folder}/kernels.hipfb
                   COMMENT "Bundling AMD code objects" VERBATIM)
set(amd_host ${WF_HIPCC} ${amd_flags} --offload-arch=${any_target} --cuda-host-only)
add_custom_command(OUTPUT ${amd_folder}/backend.o DEPENDS ${amd_folder}/kernels.hipfb
                   COMMAND ${amd_host} -Xclang -fcuda-include-gpubinary -Xclang ${amd_folder}/kernels.hipfb
                           -c ${amd_source} -o ${amd_folder}/backend.o
                   COMMENT "Compiling the AMD backend's host code" VERBATIM)

# What finds the runtime, into objects with a suffix to their names, and what they are compiled with besides.
set(amd_runtime_sources amd_runtime find_runtime gpus_without_code)
function(wf_compile_amd_runtime suffix)
    foreach(name ${amd_runtime_sources})
        set(source ${PROJECT_SOURCE_DIR}/hip/amd/${name}.cpp)
        set(object ${amd_folder}/${name}${suffix}.o)
        add_custom_command(OUTPUT ${object} DEPENDS ${source} ${amd_runtime_headers}
                           COMMAND ${amd_host} ${ARGN} -c ${source} -o ${object}
                           COMMENT "Compiling what finds AMD's runtime: ${name}${suffix}" VERBATIM)
    endforeach()
endfunction()
list(TRANSFORM amd_runtime_sources PREPEND ${PROJECT_SOURCE_DIR}/hip/amd/ OUTPUT_VARIABLE amd_runtime_headers)
list(TRANSFORM amd_runtime_headers APPEND .hpp)

# Linked by the C++ compiler: hipcc would add its runtime.
function(wf_link_amd_module module suffix)
    list(TRANSFORM amd_runtime_sources PREPEND ${amd_folder}/ OUTPUT_VARIABLE objects)
    list(TRANSFORM objects APPEND ${suffix}.o)
    get_filename_component(folder ${module} DIRECTORY)
    add_custom_command(OUTPUT ${module} DEPENDS ${amd_folder}/backend.o ${objects} ${WF_MODULE_SYMBOLS}
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                       COMMAND ${CMAKE_CXX_COMPILER} -shared ${amd_folder}/backend.o ${objects} -o ${module}
                               -Wl,--version-script=${WF_MODULE_SYMBOLS} -Wl,--no-undefined -ldl
                       COMMENT "Linking ${module}" VERBATIM)
endfunction()
wf_compile_amd_runtime("")
wf_link_amd_module(${amd_module} "")
add_custom_target(wavefold-amd ALL DEPENDS ${amd_module})
add_dependencies(wavefold wavefold-amd)
