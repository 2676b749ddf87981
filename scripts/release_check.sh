#!/usr/bin/env bash
# What is run before a release, beyond .ci/run, which must have passed: campaigns that find faults and take long. On
# Debian 12 with nvcc; arguments: the seconds that each fuzzer runs (20).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-20}

step() { printf '\n== %s (%s s so far)\n' "$*" "$SECONDS"; }

step packages
as_root=()
[[ $EUID -eq 0 ]] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    cmake ninja-build gcc g++ libjansson-dev libzip-dev libboost-context-dev libcmocka-dev libtbb-dev \
    hipcc libamdhip64-dev clang-19 lld-19 llvm-19 libclang-rt-19-dev python3-clang-19 \
    python3-pip python3-pytest python3-numpy python3-jinja2 python3-matplotlib >/dev/null

step "fuzzers, $seconds s each"
scripts/fuzz.sh "$seconds"
step "sanitizers on the host side"
scripts/sanitize_host.sh
step "mutants: the campaign's own tests, and one kernel's places"
CI=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/mutation
scripts/mutate.sh --list hip/progression/05_tiled_3.hip >/dev/null
step "HIP's own NVIDIA headers: the pair that can be had, and one that must be refused"
scripts/hip_nvidia_syntax.sh
if answer=$(cmake -S . -B build-hip-headers -G Ninja -DWF_HOST=OFF -DWF_AMD=OFF -DWF_NVIDIA_HIP_HEADERS=ON 2>&1 |
    tr -s ' \n' ' ') || [[ $answer != *"HIP 5.2's headers"*"do not compile with CUDA 1"* ]]; then
    echo "a HIP that does not fit was not refused: $answer"
    exit 1
fi
step "all of it passed"
