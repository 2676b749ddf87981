#!/usr/bin/env bash
# Has clang read the GPU backend through HIP's own NVIDIA headers, host pass and device pass; nothing is built, so it
# takes seconds. The pair that Debian 12 and PyPI have between them: HIP 5.2 (package libamdhip64-dev) and CUDA 11.8,
# whose wheels bring its headers. Needs clang-19 and pip.
#
#     scripts/hip_nvidia_syntax.sh [FOLDER]    FOLDER keeps the wheels; by default they are fetched anew
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wheels=${1:-$scratch/wheels}
packages=(nvidia-cuda-runtime-cu11==11.8.89 nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-profiler-api-cu11==11.8.86)
compgen -G "$wheels/*.whl" >/dev/null ||
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$wheels" \
        "${packages[@]}"

cuda=$scratch/cuda
mkdir -p "$cuda/bin" "$cuda/include"
for wheel in "$wheels"/*.whl; do
    python3 -m zipfile -e "$wheel" "$scratch/unpacked"
done
cp -r "$scratch"/unpacked/nvidia/*/include/. "$cuda/include"
cp -r "$scratch"/unpacked/nvidia/cuda_nvcc/nvvm "$cuda"
: >"$cuda/include/curand_mtgp32_kernel.h" # clang includes it for what it declares again; nothing here uses that

for pass in host device; do
    # -isystem: else another CUDA's headers in a folder that clang searches by default come first.
    clang++-19 -x cuda --cuda-path="$cuda" -isystem "$cuda/include" --cuda-gpu-arch=sm_80 --cuda-$pass-only -std=c++17 \
        -fsyntax-only -D__HIP_PLATFORM_NVIDIA__ -Wall -Wextra -Wshadow -Werror -Iinclude -Isrc -Ihip hip/backend.hip
    echo "read through HIP's NVIDIA headers: $pass pass"
done
