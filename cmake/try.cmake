# wavefold try: what a learner's kernel is linked with, and the headers that it is compiled with. Both lie in a folder
# beside the library, where the program finds them.

set(try_output ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/wavefold-try)
set(try_symbols ${PROJECT_SOURCE_DIR}/hip/host/try/try.map)

set(try_folder ${PROJECT_SOURCE_DIR}/hip/host/try)
file(GLOB_RECURSE try_sources CONFIGURE_DEPENDS ${try_folder}/*.cpp)
file(GLOB try_verdict CONFIGURE_DEPENDS ${try_folder}/verdict/*.cpp) # its test needs nothing else
add_library(wavefold-try SHARED ${try_sources} $<TARGET_OBJECTS:wavefold-watching>)
target_include_directories(wavefold-try PRIVATE ${WF_INCLUDES})
target_compile_definitions(wavefold-try PRIVATE WF_HOST_DEVICE WF_WATCHED)
target_compile_options(wavefold-try PRIVATE ${WF_COMPILE_OPTIONS}
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>) # gcc 12 is wrong about strings there
# Kernels call it.
set_target_properties(wavefold-try PROPERTIES CXX_STANDARD 20 LIBRARY_OUTPUT_DIRECTORY ${try_output}
                      LIBRARY_OUTPUT_DIRECTORY_${config} ${try_output} CXX_VISIBILITY_PRESET default
                      LINK_DEPENDS ${try_symbols})
target_link_options(wavefold-try PRIVATE LINKER:--version-script=${try_symbols})
target_link_libraries(wavefold-try PRIVATE Boost::context Threads::Threads)
add_dependencies(wavefold-cli wavefold-try)

set(try_headers atomic.hpp gpu.hpp grid.hpp operators.hpp tile.hpp wave.hpp wave_fold_rolled.hpp wave_fold_shuffle.hpp
                wave_words.hpp host/emulator/emulated_atomic.hpp host/emulator/emulated_grid.hpp
                host/emulator/emulated_names.hpp host/emulator/emulated_tile.hpp host/emulator/emulated_wave.hpp
                host/emulator/lane.hpp host/emulator/watch.hpp)
# The device words, and the headers of CUDA and HIP that a kernel may include.
file(GLOB_RECURSE word_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/hip ${try_folder}/*.hpp
     ${try_folder}/*.h ${try_folder}/*.cuh ${try_folder}/shadow/cuda/*)
foreach(header ${try_headers} ${word_headers})
    configure_file(hip/${header} ${try_output}/include/${header} COPYONLY)
endforeach()

install(TARGETS wavefold-try LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/wavefold-try)
install(DIRECTORY ${try_output}/include DESTINATION ${CMAKE_INSTALL_LIBDIR}/wavefold-try)
