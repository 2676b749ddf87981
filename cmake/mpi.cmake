# libwavefold-mpi: reductions over the ranks of an MPI communicator, for the one MPI whose mpi.h it is compiled with.
# libwavefold itself needs none.

set(WF_MPI AUTO CACHE STRING "Build libwavefold-mpi: AUTO (where an MPI is found), ON or OFF")
set_property(CACHE WF_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT WF_MPI MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "WF_MPI is '${WF_MPI}': it must be AUTO, ON or OFF")
endif()

set(wf_mpi_sources mpi_agree.c mpi_request.c mpi_ranks.c mpi_reduce.c)
list(TRANSFORM wf_mpi_sources PREPEND ${PROJECT_SOURCE_DIR}/src/mpi/)
if(WF_MPI)
    find_package(MPI COMPONENTS C)
    if(NOT MPI_C_FOUND AND WF_MPI STREQUAL "ON")
        message(FATAL_ERROR "WF_MPI=ON needs an MPI (Debian, Ubuntu: libopenmpi-dev or libmpich-dev); "
                            "MPI_C_COMPILER may name its mpicc")
    endif()
endif()
if(WF_MPI AND MPI_C_FOUND)
    add_library(wavefold-mpi SHARED ${wf_mpi_sources})
    set_target_properties(wavefold-mpi PROPERTIES VERSION ${PROJECT_VERSION} EXPORT_NAME mpi
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_compile_options(wavefold-mpi PRIVATE ${WF_COMPILE_OPTIONS})
    target_link_libraries(wavefold-mpi PUBLIC wavefold MPI::MPI_C)
    add_library(wavefold::mpi ALIAS wavefold-mpi)
    include(cmake/mpi_names.cmake)
    wf_name_mpi(WF_MPI_NAMES ${MPI_C_LIBRARIES})
    message(STATUS "MPI: ${MPI_C_LIBRARIES}")
else()
    # What was built before must not be found any more.
    file(REMOVE ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libwavefold-mpi.so)
    message(STATUS "MPI: none")
endif()
