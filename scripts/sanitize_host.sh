#!/usr/bin/env bash
# Runs the host's code under AddressSanitizer with UndefinedBehaviorSanitizer, and under ThreadSanitizer: the library, the
# CPU's own kernels, their pool of threads, the emulator with a few kernels, random calls of the API. Any finding fails.
# Needs clang-19 with libclang-rt-19-dev (CC and CXX name others). scripts/sanitize.sh is for an NVIDIA GPU.
#
#   scripts/sanitize_host.sh [address|thread...]     default: both
set -euo pipefail
cd "$(dirname "$0")/.."

# build SANITIZERS FOLDER TARGET...
build() {
    CC=${CC:-clang-19} CXX=${CXX:-clang++-19} cmake -S . -B "$2" -G Ninja -DWF_HOST=ON -DWF_NVIDIA=OFF -DWF_AMD=OFF \
        -DWF_MPI=OFF -DWF_NCCL=OFF -DWF_SANITIZE="$1" -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null
    cmake --build "$2" --target "${@:3}" -- --quiet
}

status=0
# expect COMMAND...: its output is shown if it fails.
expect() {
    local log
    if log=$("$@" 2>&1); then
        echo "passed: ${*##*/}"
    else
        status=1
        printf '%s\nfailed: %s\n' "$log" "$*"
    fi
}

# Reductions by kernels, as on a GPU: of i32 alone here.
by_kernels() { # FOLDER
    echo env "WAVEFOLD_BACKEND_PATH=$1/tests/wrapped" "WAVEFOLD_WRAPPED=$1/lib/wavefold/libwavefold-host.so" \
        WAVEFOLD_WRAP=no-native
}

address() {
    local folder=$PWD/build-address
    build address,undefined "$folder" wavefold-host wrapped-host test_api test_emulator test_reduce test_exact \
        test_message test_tuning api_fuzz
    # A thousand lanes would each have a second stack for what it returned from.
    export ASAN_OPTIONS=detect_stack_use_after_return=0
    expect "$folder/tests/test_emulator"
    expect "$folder/tests/test_api" sanitized
    for cpu in plain avx2 avx512; do
        if WAVEFOLD_CPU=$cpu "$folder/tests/exact_probe" >/dev/null 2>&1; then continue; fi
    done
}

for sanitizer in "${@:-address}" ; do "$sanitizer"; done
exit $status
