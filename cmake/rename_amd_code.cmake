# cmake -D in=FROM.s -D out=TO.s -D from=FROM -D to=TO -P rename_amd_code.cmake
#
# The assembly of one AMD target as that of another, which has the same instructions. If the first is a generic target,
# whose code object is of version 6, the second's is of version 4. What these versions tell a kernel in different ways,
# its hidden arguments, no kernel may ask for then.
file(READ ${in} code)

function(wf_replace before after)
    string(FIND "${code}" "${before}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${in} has no \"${before}\": is it of another compiler?")
    endif()
    string(REPLACE "${before}" "${after}" code "${code}")
    set(code "${code}" PARENT_SCOPE)
endfunction()

wf_replace("amdhsa--${from}" "amdhsa--${to}")
if(from MATCHES "-generic")
    if(code MATCHES "value_kind: +(hidden_[a-z_]*)")
        message(FATAL_ERROR "a kernel of ${in} asks for ${CMAKE_MATCH_1}, which ${to} would be told in another way: "
                            "see launched_tiles() in hip/amd/amd_names.hpp")
    endif()
    wf_replace(".amdhsa_code_object_version 6" ".amdhsa_code_object_version 4")
    wf_replace("amdhsa.version:\n  - 1\n  - 2" "amdhsa.version:\n  - 1\n  - 1")
endif()
file(WRITE ${out} "${code}")
