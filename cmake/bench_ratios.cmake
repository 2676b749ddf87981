# bench-ratios, and, with WF_CCCL, bench-ratios-cccl: the same beside a newer CUB. CUB's side is compiled type by type.
set(ratio_types "F32 float float" "F64 double double" "F16 __half float" "BF16 __nv_bfloat16 float"
    "I8 int8_t int64_t" "I16 int16_t int64_t" "I32 int32_t int32_t" "I64 int64_t int64_t"
    "U8 uint8_t uint64_t" "U16 uint16_t uint64_t" "U32 uint32_t uint32_t" "U64 uint64_t uint64_t")

function(wf_add_ratios name)
    set(objects "")
    foreach(of ${ratio_types})
        string(REPLACE " " ";" of "${of}")
        list(GET of 0 type)
        list(GET of 1 element)
        list(GET of 2 sum)
        add_library(${name}-${type} OBJECT bench/ratios_of_type.cu)
        target_compile_definitions(${name}-${type} PRIVATE RATIO_TYPE=WF_${type} RATIO_ELEMENT=${element}
                                   RATIO_SUM=${sum})
        list(APPEND objects ${name}-${type})
    endforeach()
    add_executable(${name} bench/ratios.cu)
    foreach(target ${name} ${objects})
        target_include_directories(${target} BEFORE PRIVATE include ${ARGN})
        target_compile_options(${target} PRIVATE --expt-relaxed-constexpr -Wno-deprecated-gpu-targets
                               -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-Werror)
        set_target_properties(${target} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
                              RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
    endforeach()
    target_link_libraries(${name} PRIVATE wavefold ${objects} ${WF_JANSSON})
endfunction()

wf_add_ratios(bench-ratios)
if(WF_CCCL)
    wf_add_ratios(bench-ratios-cccl ${WF_CCCL})
endif()
