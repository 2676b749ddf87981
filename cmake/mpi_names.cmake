# Which MPI a library is built for, and which one a user has: installed, too, for wavefold-config.cmake.

# wf_name_mpi(NAMES LIBRARY...): of these libraries the MPI's own, as programs ask for them: libmpi.so.40, say, or
# libmpich.so.12. Where they lie differs from machine to machine, and libmpi.so may lead to any MPI: the real file's
# name counts.
function(wf_name_mpi names)
    set(found)
    foreach(library ${ARGN})
        get_filename_component(name "${library}" REALPATH)
        get_filename_component(name "${name}" NAME)
        if("${name}" MATCHES "^lib[a-z_]*mpi")
            string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" name "${name}")
            list(APPEND found "${name}")
        endif()
    endforeach()
    set(${names} ${found} PARENT_SCOPE)
endfunction()
