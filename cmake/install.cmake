# What `cmake --install` puts where. The prefix can be moved afterwards: everything finds the rest relative to itself.
# The exception is a program with the static library in it: it finds its modules below the prefix of the installation
# (static_module_folder.cmake.in), or where WAVEFOLD_BACKEND_PATH says.

include(CMakePackageConfigHelpers)

set(WF_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/wavefold)
set(WF_MODULE_DESTINATION ${CMAKE_INSTALL_LIBDIR}/wavefold)
# As a part of another project wavefold inherits that one's folder, which has a LICENSE of its own.
set(WF_DOC_FOLDER ${CMAKE_INSTALL_DOCDIR})
if(NOT PROJECT_IS_TOP_LEVEL)
    set(WF_DOC_FOLDER ${CMAKE_INSTALL_DATAROOTDIR}/doc/wavefold)
endif()

# ---- What is built, and what people read ---

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/wavefold*.h)
list(FILTER public_headers EXCLUDE REGEX "wavefold_(mpi|nccl)\\.h$") # installed with their libraries
install(FILES ${public_headers}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${wf_libraries} EXPORT wavefold
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(WF_STATIC)
    configure_file(cmake/static_module_folder.cmake.in ${PROJECT_BINARY_DIR}/static_module_folder.cmake @ONLY)
    install(SCRIPT ${PROJECT_BINARY_DIR}/static_module_folder.cmake)
endif()
# Adapters to what joins ranks: each is a component of its own, as it needs its engine.
set(wf_adapters)
foreach(adapter mpi nccl rccl)
    if(TARGET wavefold-${adapter})
        list(APPEND wf_adapters ${adapter})
        set_target_properties(wavefold-${adapter} PROPERTIES INSTALL_RPATH $ORIGIN)
        install(TARGETS wavefold-${adapter} EXPORT wavefold-${adapter} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
        install(EXPORT wavefold-${adapter} NAMESPACE wavefold:: FILE wavefold-${adapter}-targets.cmake
                DESTINATION ${WF_PACKAGE_FOLDER})
    endif()
endforeach()
if(TARGET wavefold-mpi)
    install(FILES include/wavefold_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(FILES cmake/mpi_names.cmake DESTINATION ${WF_PACKAGE_FOLDER} RENAME wavefold-mpi-names.cmake)
endif()
if(TARGET wavefold-nccl OR TARGET wavefold-rccl)
    install(FILES include/wavefold_nccl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
foreach(backend host nvidia)
    if(${backend}_found)
        install(TARGETS wavefold-${backend} LIBRARY DESTINATION ${WF_MODULE_DESTINATION})
    endif()
endforeach()
if(TARGET wavefold-watched)
    install(TARGETS wavefold-watched LIBRARY DESTINATION ${WF_MODULE_DESTINATION})
endif()
if(amd_found) # made by commands, not by a target that CMake could install
    install(FILES ${amd_module} DESTINATION ${WF_MODULE_DESTINATION})
endif()

if(TARGET wavefold-cli)
    file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(wavefold-cli PROPERTIES INSTALL_RPATH $ORIGIN/${library_from_program})
    install(TARGETS wavefold-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES docs/wavefold.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES completions/wavefold.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME wavefold)
    # What `wavefold report` runs, and the kernels that it shows.
    install(DIRECTORY report DESTINATION ${CMAKE_INSTALL_DATADIR}/wavefold PATTERN __pycache__ EXCLUDE)
    install(DIRECTORY hip/progression hip/reduce DESTINATION ${CMAKE_INSTALL_DATADIR}/wavefold/hip
            FILES_MATCHING PATTERN "*.hip")
endif()

if(TARGET wavefold-mpi-cli)
    set_target_properties(wavefold-mpi-cli PROPERTIES INSTALL_RPATH $ORIGIN/${library_from_program})
    install(TARGETS wavefold-mpi-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES docs/wavefold-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES completions/wavefold.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME wavefold-mpi)
endif()

install(FILES LICENSE DESTINATION ${WF_DOC_FOLDER})
# With what installed files name: exercises, headers, and each other. Of links to what is not installed there, sources
# and results, the words are left, with the path in the source.
foreach(document emulator exact experiments performance ranks reductions try)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/${document}.md)
    file(READ docs/${document}.md text)
    string(REPLACE "](../examples/" "](EXAMPLES/" text "${text}")
    string(REGEX MATCHALL "\\(\\.\\./[^)]+\\)" links "${text}")
    foreach(link ${links})
        string(REGEX REPLACE "^\\(\\.\\./|\\)$" "" path "${link}")
        get_filename_component(name ${path} NAME)
        foreach(words ${path} ${name})
            string(REPLACE "[${words}]${link}" "${path}" text "${text}")
        endforeach()
    endforeach()
    string(REGEX REPLACE "\\[([^][]+)\\]\\(\\.\\./([^)]+)\\)" "\\1 (\\2)" text "${text}")
    string(REPLACE "](EXAMPLES/" "](../examples/" text "${text}")
    file(WRITE ${PROJECT_BINARY_DIR}/share/doc/${document}.md "${text}")
    install(FILES ${PROJECT_BINARY_DIR}/share/doc/${document}.md DESTINATION ${WF_DOC_FOLDER}/docs)
endforeach()
install(DIRECTORY examples DESTINATION ${WF_DOC_FOLDER} PATTERN "build*" EXCLUDE)

# ---- For find_package ---

install(EXPORT wavefold NAMESPACE wavefold:: FILE wavefold-targets.cmake DESTINATION ${WF_PACKAGE_FOLDER})
configure_package_config_file(cmake/wavefold-config.cmake.in ${PROJECT_BINARY_DIR}/wavefold-config.cmake
                              INSTALL_DESTINATION ${WF_PACKAGE_FOLDER} PATH_VARS WF_MODULE_DESTINATION)
# While the major version is 0, minor versions may break what the last one promised.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wavefold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wavefold-config.cmake ${PROJECT_BINARY_DIR}/wavefold-config-version.cmake
        DESTINATION ${WF_PACKAGE_FOLDER})

# ---- For pkg-config ---

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
file(RELATIVE_PATH include_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH lib_from_prefix ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
list(JOIN WF_NEEDS " " needs)

configure_file(cmake/wavefold.pc.in ${PROJECT_BINARY_DIR}/wavefold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wavefold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(WF_STATIC)
    configure_file(cmake/wavefold-static.pc.in ${PROJECT_BINARY_DIR}/wavefold-static.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/wavefold-static.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
set(description_mpi "the ranks of an MPI communicator; compile with mpicc, which has the MPI's own flags")
set(description_nccl "the ranks of an NCCL communicator, queued on a stream")
set(description_rccl "the ranks of an RCCL communicator, queued on a stream")
foreach(adapter ${wf_adapters})
    set(adapter_description "wavefold's reductions over ${description_${adapter}}")
    configure_file(cmake/wavefold-adapter.pc.in ${PROJECT_BINARY_DIR}/wavefold-${adapter}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/wavefold-${adapter}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
