#!/usr/bin/env bash
# Runs the host's code under AddressSanitizer with UndefinedBehaviorSanitizer, and under ThreadSanitizer: the library,
# the CPU's own kernels, their pool of threads, the emulator with a few kernels, random calls of the API. Any finding
# fails. Needs clang-19 with libclang-rt-19-dev (CC and CXX name others). scripts/sanitize.sh is for an NVIDIA GPU.
#
#   scripts/sanitize_host.sh [address|thread]     default: both
set -euo pipefail
cd "$(dirname "$0")/.."
expected=0
passed=$(mktemp)
trap 'rm -f "$passed"' EXIT

# build SANITIZERS FOLDER TARGET...
build() {
    CC=${CC:-clang-19} CXX=${CXX:-clang++-19} cmake -S . -B "$2" -G Ninja -DWF_HOST=ON -DWF_NVIDIA=OFF -DWF_AMD=OFF \
        -DWF_MPI=OFF -DWF_NCCL=OFF -DWF_SANITIZE="$1" -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null
    cmake --build "$2" --target "${@:3}" -- --quiet
}

# expect COMMAND...: runs beside others, one for each core. Its output is shown if it fails. A test that the CPU lacks
# the instructions for is skipped.
expect() {
    while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || true; done
    : $((expected += 1))
    run "$@" &
}
run() {
    local log code=0
    log=$("$@" 2>&1) || code=$?
    [[ $log == *"Running 0 test"* ]] && code=1 # a pattern that is no test's name
    case $code in
    0) echo "passed: $*" ;;
    77) echo "skipped: $*" ;;
    *)
        printf '%s\nfailed: %s\n' "$log" "$*"
        return
        ;;
    esac
    echo "$*" >>"$passed"
}

# Sizes and seeds are a share of those that the tests take otherwise, another one for each set of instructions.
address() {
    local tests=build-address/tests share=0 cpu
    build address,undefined build-address wavefold-host wrapped-host test_api test_emulator test_reduce test_exact \
        test_exact_words test_message test_sorts test_tuning api_fuzz
    # A thousand lanes would each have a second stack for what returns.
    export ASAN_OPTIONS=detect_stack_use_after_return=0
    expect "$tests/test_emulator"
    expect "$tests/test_exact_words"
    expect "$tests/test_api"
    for cpu in plain avx2 avx512; do
        expect env WAVEFOLD_CPU="$cpu" "$tests/test_reduce" host '*' 72 "$share"
        expect env WAVEFOLD_CPU="$cpu" "$tests/test_exact" host 1000 "$((share += 1))"
    done
    expect "$tests/test_message" host
    expect "$tests/test_sorts" host:32 '*' 40 0
    expect "$tests/api_fuzz" host 4000 1 1 apart without-scans
    expect "$tests/api_fuzz" host 2000 8 2 shared without-scans
    by_kernels "$tests" 60
    expect "${wrapped[@]}" "$tests/test_tuning" pretended
}

thread() {
    local tests=build-thread/tests
    build thread build-thread wavefold-host wrapped-host test_emulator test_reduce api_fuzz
    expect "$tests/test_emulator"
    expect "$tests/test_reduce" host 'test_several_callers' 8 0
    expect "$tests/test_reduce" host '?32*' 24 3 # threads share arrays of any type alike
    expect "$tests/api_fuzz" host 1000 8 3 apart without-scans
    expect "$tests/api_fuzz" host 2000 8 4 shared without-scans
    by_kernels "$tests" 120
}

# As on a GPU; of f32, whose kernels these builds have.
by_kernels() { # TESTS SHARE: one of so many sizes
    wrapped=(env "WAVEFOLD_BACKEND_PATH=$PWD/$1/wrapped" WAVEFOLD_WRAP=no-native
        "WAVEFOLD_WRAPPED=$PWD/${1%/tests}/lib/wavefold/libwavefold-host.so")
    expect "${wrapped[@]}" "$1/test_reduce" host:32:random=1 'f32_s*' "$2" 0
    expect "${wrapped[@]}" "$1/test_reduce" host:64 'f32_describe' "$2" 0
}

case ${1:-both} in
address) address ;;
thread) thread ;;
both)
    address
    thread
    ;;
*)
    echo "scripts/sanitize_host.sh [address|thread]" >&2
    exit 2
    ;;
esac
wait
[[ $(wc -l <"$passed") -eq $expected ]]
