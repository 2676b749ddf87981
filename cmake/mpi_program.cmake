# wavefold-mpi, the program of ranks: for one MPI, as the library that it stands on.

# wf_add_mpi_program(TARGET LIBRARY): LIBRARY is libwavefold-mpi, or its sources compiled for another MPI.
function(wf_add_mpi_program target library)
    set(names job.c mpi_main.c mpi_reduce_command.c one_rank_check.c part_fold.c rank_cpus.c rank_device.c)
    list(TRANSFORM names PREPEND ${PROJECT_SOURCE_DIR}/src/mpi_cli/)
    add_executable(${target} ${names})
    target_compile_options(${target} PRIVATE ${WF_COMPILE_OPTIONS})
    target_link_libraries(${target} PRIVATE wavefold-cli-parts ${library})
endfunction()

if(TARGET wavefold-mpi AND TARGET wavefold-cli)
    wf_add_mpi_program(wavefold-mpi-cli wavefold-mpi)
    set_target_properties(wavefold-mpi-cli PROPERTIES OUTPUT_NAME wavefold-mpi)
endif()
