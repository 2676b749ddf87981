# Sanitizers, for the host's code: scripts/sanitize_host.sh runs the tests so, scripts/fuzz.sh the fuzz targets. What a
# sanitizer finds ends the program.

if(WF_SANITIZE)
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang OR NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "WF_SANITIZE=${WF_SANITIZE} needs clang: set CC and CXX (Debian: clang-19, "
                            "clang++-19, with libclang-rt-19-dev)")
    endif()
    if(WF_SANITIZE MATCHES "thread") # __has_feature tells less: kernels of `wavefold try` are instrumented alike
        add_compile_definitions(WF_THREAD_SANITIZER)
    endif()
    # Types of objects (vptr) would need another runtime in programs of C; modules have functions of C++.
    add_compile_options(-fsanitize=${WF_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr -fno-omit-frame-pointer
                        -gline-tables-only)
    # Modules of C++ throw also where a program of C loads them: AddressSanitizer looks for that when that starts.
    add_link_options(-fsanitize=${WF_SANITIZE} LINKER:--push-state,--no-as-needed -lstdc++ LINKER:--pop-state)
endif()
