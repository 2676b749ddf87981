# The AMD backend: device code for each target, all of it in one bundle, host code that embeds the bundle, link. The
# steps are spelled out. CMake's HIP language gives all targets to one compiler with one set of definitions, and each
# target here has definitions of its own (its wave's width), and the compiler that knows it. Nor does that language
# find Debian's HIP: CMake 3.25 looks for lib/cmake/hip-lang/ under ROCm's folder, and Debian has it in
# lib/x86_64-linux-gnu/cmake/. The module links with no runtime: it finds one when a device is first asked for
# (hip/amd/amd_runtime.hpp).
#
# Which compiler builds a target is found out by trying: ROCm's, which is hipcc, or amdclang++, which hipcc calls and
# which stays when hipcc goes; then the newer clangs that Debian has. These compile against the headers and device
# libraries of Debian's HIP 5.2, which lack nothing but the constants that name the ISA. AMD's own compilers (ROCm 6.4
# and newer) build every target themselves.

set(amd_clangs)
foreach(version 19 20 21) # 22 no longer takes headers as old as Debian's
    find_program(WF_CLANG_${version} clang++-${version} DOC "Compiles AMD targets that hipcc lacks")
    mark_as_advanced(WF_CLANG_${version})
    if(WF_CLANG_${version})
        list(APPEND amd_clangs ${WF_CLANG_${version}})
    endif()
endforeach()

if(WF_AMD)
    # What names the compiler of CMake's HIP language, names it here as well.
    set(amd_compilers hipcc amdclang++)
    foreach(named "$ENV{HIPCXX}" "${CMAKE_HIP_COMPILER}")
        if(named)
            set(amd_compilers ${named})
        endif()
    endforeach()
    find_program(WF_HIPCC NAMES ${amd_compilers} HINTS ENV ROCM_PATH PATH_SUFFIXES bin PATHS /opt/rocm
                 DOC "ROCm's compiler: hipcc, or amdclang++")
    if(WF_HIPCC)
        set(amd_found TRUE)
    elseif(WF_AMD STREQUAL "ON" OR NOT amd_compilers STREQUAL "hipcc;amdclang++")
        list(JOIN amd_compilers " or " amd_compilers)
        message(FATAL_ERROR "the AMD backend needs ROCm's compiler, and ${amd_compilers} is not here (Debian, Ubuntu: "
                            "package hipcc; or set ROCM_PATH, or WF_HIPCC to a clang++ that finds a HIP)")
    endif()
endif()
if(NOT amd_found)
    return()
endif()

# Code object version 4 is what all runtimes from ROCm 5 to 7 load. Generic targets are of version 6, which those from
# ROCm 6.4 on load; older ones pass over what they do not know (docs/amd.md). Until clang 20 the driver warns of
# version 6, which -Werror makes an error; asked behind its back, the compiler makes the same of it.
function(wf_amd_object_version target variable)
    if(target MATCHES "-generic")
        set(${variable} -Xclang -mcode-object-version=6 PARENT_SCOPE)
    else()
        set(${variable} -mcode-object-version=4 PARENT_SCOPE)
    endif()
endfunction()

# Targets that run another one's code as it is, and lose nothing by it (docs/amd.md says what was compared): for those
# whose generic target is built too, for runtimes that know none; and gfx908, of which the code of gfx906 takes all that
# wavefold has a use for. That code is assembled a second time, and not compiled.
set(amd_same_code gfx908=gfx906 gfx1030=gfx10-3-generic gfx1100=gfx11-generic gfx1201=gfx12-generic)
set(amd_folder ${CMAKE_BINARY_DIR}/amd)
set(amd_bitcode ${amd_folder}/bitcode) # device libraries for the newer clangs
file(MAKE_DIRECTORY ${amd_folder})

# ---- The newer clangs ---

find_path(WF_DEVICE_LIBRARIES ockl.bc PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode
          /usr/lib/x86_64-linux-gnu/amdgcn/bitcode DOC "Where ROCm's device libraries lie")
mark_as_advanced(WF_DEVICE_LIBRARIES)

# What ROCm's device libraries take generic targets for (isa_version_11-generic.cl and its like, in its LLVM's
# amd/device-libs/oclc): a target of theirs that has the least.
set(amd_generic_isa gfx9-generic=9000 gfx9-4-generic=9402 gfx10-1-generic=10100 gfx10-3-generic=10300
    gfx11-generic=11003 gfx12-generic=12000)

# A folder of links to the device libraries. The one that names the target's ISA is missing there, and is made by a
# clang: ockl and ocml read that number, which for gfx942 is 9402.
function(wf_add_isa_library target clang)
    file(MAKE_DIRECTORY ${amd_bitcode})
    file(GLOB libraries ${WF_DEVICE_LIBRARIES}/*.bc)
    foreach(library ${libraries})
        get_filename_component(name ${library} NAME)
        file(CREATE_LINK ${library} ${amd_bitcode}/${name} SYMBOLIC)
    endforeach()
    string(REGEX REPLACE ":.*" "" processor ${target}) # features may follow: gfx942:xnack+
    set(isa_version ${amd_generic_isa})
    list(FILTER isa_version INCLUDE REGEX "^${processor}=")
    string(REGEX REPLACE ".*=" "" isa_version "${isa_version}")
    if(processor MATCHES "^gfx([0-9]+)([0-9])([0-9a-f])$")
        math(EXPR isa_version "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 100 + 0x${CMAKE_MATCH_3}")
    endif()
    if(isa_version)
        string(REGEX REPLACE "^gfx" "oclc_isa_version_" name ${processor})
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

# Compiles and assembles a kernel that does nothing: amd_width is the width that the metadata in its assembly tells,
# empty if the compiler does not know the target or lacks a part of what it needs for it, such as its linker, a package
# of its own; amd_said is its first error. Whether it reads HIP's headers is tried once, for they take ten times as long
# as the rest.
function(wf_try_amd_compiler target compiler compile)
    set(amd_width PARENT_SCOPE)
    set(probe ${amd_folder}/probe)
    if(compiler IN_LIST amd_readers)
        file(WRITE ${probe}.hip "__attribute__((global)) void probe() {}\n")
        list(APPEND compile -nogpuinc)
    else()
        file(WRITE ${probe}.hip "#include <hip/hip_runtime.h>\n__global__ void probe() {}\n")
    endif()
    execute_process(COMMAND ${compile} -x hip --offload-arch=${target} --cuda-device-only ${probe}.hip -S -o ${probe}.s
                    RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(result EQUAL 0)
        wf_assemble_amd(${target} ${probe}.s ${probe}.co assemble)
        execute_process(COMMAND ${assemble} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    endif()
    string(REGEX MATCH "error: [^\n]*" said "${said}")
    set(amd_said "${said}" PARENT_SCOPE)
    if(result EQUAL 0)
        set(amd_readers ${amd_readers} ${compiler} PARENT_SCOPE)
        file(STRINGS ${probe}.s line REGEX "\\.wavefront_size: +(32|64)$" LIMIT_COUNT 1)
        if(NOT line)
            message(FATAL_ERROR "the metadata of ${target} in ${probe}.s tell no wave width of 32 or 64")
        endif()
        string(REGEX REPLACE ".*: *" "" width "${line}")
        set(amd_width ${width} PARENT_SCOPE)
    endif()
endfunction()

# The command by which amd_assembler makes a code object of assembly.
function(wf_assemble_amd target assembly object variable)
    set(${variable} ${amd_assembler} -target amdgcn-amd-amdhsa -mcpu=${target} ${assembly} -o ${object} PARENT_SCOPE)
endfunction()

# Where hipcc is Debian's, of 2022, and nobody has named it: clang 19 compiles these in 0.6 times its time. Not gfx906,
# where clang 19 spills registers in one kernel (docs/amd.md).
set(amd_newer_clang_first gfx90a)

# amd_compile: the command that builds the target, empty if there is none; amd_assembler: a clang that knows it.
macro(wf_find_amd_compiler target)
    wf_amd_object_version(${target} object_version)
    set(compilers hipcc)
    if(WF_DEVICE_LIBRARIES)
        list(APPEND compilers ${amd_clangs})
        string(REGEX REPLACE ":.*" "" processor ${target})
        if(amd_hipcc_is_old AND processor IN_LIST amd_newer_clang_first)
            set(compilers ${amd_clangs} hipcc)
        endif()
    endif()
    set(amd_width)
    foreach(compiler ${compilers})
        if(compiler STREQUAL "hipcc")
            set(amd_compile ${WF_HIPCC})
            set(amd_assembler ${amd_hipcc_assembler})
        else()
            execute_process(COMMAND ${compiler} -print-resource-dir
                            OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
            wf_add_isa_library(${target} ${compiler})
            set(amd_compile ${compiler} --rocm-path=/usr --rocm-device-lib-path=${amd_bitcode} -isystem ${resources})
            set(amd_assembler ${compiler})
        endif()
        list(APPEND amd_compile ${object_version} --no-gpu-bundle-output)
        wf_try_amd_compiler(${target} ${compiler} "${amd_compile}")
        if(amd_width)
            break()
        endif()
    endforeach()
    if(NOT amd_width)
        set(amd_compile)
    endif()
endmacro()

# The clang that knows a target first, for a message.
set(amd_first_clang gfx1100=15 gfx1101=15 gfx1102=15 gfx1103=15 gfx942=17 gfx1150=17 gfx1151=17
    gfx1200=18 gfx1201=18 gfx1152=19 gfx9-generic=19 gfx10-1-generic=19 gfx10-3-generic=19 gfx11-generic=19
    gfx12-generic=19 gfx950=20 gfx9-4-generic=20 gfx1153=20 gfx1250=21)

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
    if(WF_AMD_ARCHITECTURES STREQUAL WF_AMD_DEFAULT AND target IN_LIST WF_AMD_OPTIONAL)
        message(STATUS "${why}; the AMD backend is built without it")
        return()
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
execute_process(COMMAND ${WF_HIPCC} --cuda-host-only --offload-arch=gfx900 -print-resource-dir
                OUTPUT_VARIABLE amd_hipcc_resources OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(amd_hipcc_resources MATCHES "^/usr/lib/" AND amd_hipcc_clang EQUAL 15 AND WF_HIPCC MATCHES "/hipcc$" AND
   amd_compilers STREQUAL "hipcc;amdclang++")
    set(amd_hipcc_is_old TRUE)
endif()
set(amd_hipcc_assembler ${amd_hipcc_resources}/../../../bin/clang) # of Debian's, -print-prog-name names another one
if(NOT EXISTS "${amd_hipcc_assembler}")
    message(FATAL_ERROR "${WF_HIPCC} has its files in \"${amd_hipcc_resources}\", and no clang three folders above, "
                        "which assembles what it compiles; set WF_HIPCC to a clang++ that finds a HIP, or WF_AMD=OFF")
endif()
if(NOT EXISTS "${bundler}") # of Debian's clang it is a package of its own
    find_program(WF_OFFLOAD_BUNDLER NAMES clang-offload-bundler-21 clang-offload-bundler-20 clang-offload-bundler-19
                 clang-offload-bundler HINTS /usr/lib/llvm-15/bin DOC "Bundles the code objects of AMD targets")
    mark_as_advanced(WF_OFFLOAD_BUNDLER)
    if(NOT WF_OFFLOAD_BUNDLER)
        message(FATAL_ERROR "${WF_HIPCC} comes without clang-offload-bundler (Debian, Ubuntu: package clang-tools-19)")
    endif()
    set(bundler ${WF_OFFLOAD_BUNDLER})
endif()

set(amd_source ${PROJECT_SOURCE_DIR}/hip/backend.hip)
file(GLOB_RECURSE amd_depends CONFIGURE_DEPENDS hip/*.hip hip/*.hpp src/*.h include/*.h)
list(FILTER amd_depends EXCLUDE REGEX "/hip/(host|nvidia)/")
list(TRANSFORM WF_INCLUDES PREPEND -I OUTPUT_VARIABLE amd_includes)
# No SLP vectoriser. It turns the loads of bytes at odd addresses into shifts of 16-bit pairs. clang 19's backend then
# loses the mask of the half that is not needed (a shift by 255), and the sign of a neighbour lands in the float.
# Without it the sums of f16 take one or two instructions more for each 16 bytes (results/amd-*).
set(amd_flags -x hip -std=c++17 -O3 -fno-slp-vectorize -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Werror
    ${amd_includes})

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
    set(amd_compile_${target} ${amd_compile})
    set(amd_assembler_${target} ${amd_assembler})
    set(amd_width_${target} ${amd_width})
    list(APPEND amd_built ${target})
endforeach()
foreach(target ${amd_built})
    set(object ${amd_folder}/${target}.co)
    set(code_of ${amd_same_code})
    list(FILTER code_of INCLUDE REGEX "^${target}=")
    string(REGEX REPLACE ".*=" "" code_of "${code_of}")
    if(NOT code_of IN_LIST amd_built)
        set(code_of ${target})
    endif()
    set(compile ${amd_compile_${code_of}})
    wf_amd_object_version(${code_of} code_version)
    wf_amd_object_version(${target} object_version)
    string(REPLACE "${code_version}" "${object_version}" amd_command "${compile}")
    list(JOIN amd_command " " amd_command)
    file(WRITE ${amd_folder}/${target}.compiler "${amd_command}\n") # for bench/amd_instructions.py
    set(assembly ${amd_folder}/${target}.s)
    if(code_of STREQUAL target)
        set(compiled ${assembly})
        set(waits at_fences) # that compilers leave out
        if(target MATCHES "^gfx12[^5]") # gfx1250 has no need of these
            list(APPEND waits for_scalars)
        endif()
        foreach(wait ${waits}) # from the last file back to the compiler's
            set(added ${compiled})
            set(compiled ${amd_folder}/${target}.without_waits_${wait}.s)
            set(script ${PROJECT_SOURCE_DIR}/cmake/wait_${wait}.cmake)
            add_custom_command(OUTPUT ${added} DEPENDS ${compiled} ${script}
                               COMMAND ${CMAKE_COMMAND} -D in=${compiled} -D out=${added} -P ${script}
                               COMMENT "Adding waits to the code for ${target}: ${wait}" VERBATIM)
        endforeach()
        add_custom_command(OUTPUT ${compiled} DEPENDS ${amd_depends}
                           COMMAND ${compile} ${amd_flags} -DWF_WAVE_WIDTH=${amd_width_${target}}
                                   --offload-arch=${target} --cuda-device-only -Wno-unused-command-line-argument
                                   -S ${amd_source} -o ${compiled}
                           COMMENT "Compiling the AMD backend for ${target}" VERBATIM)
    else()
        set(rename ${PROJECT_SOURCE_DIR}/cmake/rename_amd_code.cmake)
        add_custom_command(OUTPUT ${assembly} DEPENDS ${amd_folder}/${code_of}.s ${rename}
                           COMMAND ${CMAKE_COMMAND} -D from=${code_of} -D to=${target}
                                   -D in=${amd_folder}/${code_of}.s -D out=${assembly} -P ${rename}
                           COMMENT "Renaming the code of ${code_of} for ${target}" VERBATIM)
    endif()
    set(amd_assembler ${amd_assembler_${code_of}})
    wf_assemble_amd(${target} ${assembly} ${object} assemble)
    add_custom_command(OUTPUT ${object} DEPENDS ${assembly}
                       COMMAND ${assemble} COMMENT "Assembling the AMD backend for ${target}" VERBATIM)
    list(APPEND code_objects ${object})
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
set(any_target gfx906) # hipcc asks the machine's GPU if it is given none; the code for the host is the same for each
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
if(TARGET wavefold-static)
    add_dependencies(wavefold-static wavefold-amd)
endif()
