# bench-ranks-openmpi, bench-ranks-mpich: for each MPI for which tests/mpi compiles the adapter, whichever of them
# libwavefold-mpi is built for.

foreach(engine openmpi mpich)
    if(TARGET wavefold-${engine})
        add_executable(bench-ranks-${engine} bench/ranks_mpi.c)
        target_compile_options(bench-ranks-${engine} PRIVATE ${WF_COMPILE_OPTIONS})
        target_link_libraries(bench-ranks-${engine} PRIVATE wavefold-${engine} ${WF_JANSSON})
        set_target_properties(bench-ranks-${engine} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
        add_dependencies(bench-ranks-${engine} yields)
    endif()
endforeach()
