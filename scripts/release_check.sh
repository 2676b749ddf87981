#!/usr/bin/env bash
# What is run before a release, beyond .ci/run, which must have passed: every test, every GPU target, and campaigns that
# find faults and take long. On Debian 12 with nvcc; arguments: the seconds that each fuzzer runs (20).
set -euo pipefail
cd "$(dirname "$0")/.."
export CI=1 # what a test lacks is a failure
seconds=${1:-20}

step() { printf '\n== %s (%s s so far)\n' "$*" "$SECONDS"; }

step packages
as_root=()
[[ $EUID -eq 0 ]] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    cmake ninja-build gcc g++ libjansson-dev libzip-dev libboost-context-dev libcmocka-dev libtbb-dev \
    hipcc libamdhip64-dev clang-19 lld-19 llvm-19 libclang-rt-19-dev python3-clang-19 \
    openmpi-bin libopenmpi-dev mpich libmpich-dev bash-completion pkgconf locales \
    python3-pip python3-dev python3-venv python3-pytest python3-numpy python3-jinja2 python3-matplotlib \
    python3-selenium chromium chromium-driver >/dev/null
if [[ -z $(find "$(dirname "$(readlink -f "$(command -v nvcc)")")/../include" -name nccl.h) ]]; then
    scripts/fetch_wheel.sh nvidia-nccl-cu13 build-nccl
    export NCCL_ROOT=$PWD/build-nccl/nvidia/nccl
fi

step "warnings of the benches and of the soak, which nothing else builds"
scripts/fetch_wheel.sh nvidia-cuda-cccl==13.3.5.0.6 build-cccl # which has the exact sum's peer
cmake -S . -B build-bench -G Ninja -DWF_HOST=ON -DWF_NVIDIA=ON -DWF_NVIDIA_ARCHITECTURES=90 -DWF_AMD=OFF -DWF_BENCH=ON \
    -DWF_CCCL="$PWD/build-cccl/nvidia/cu13/include/cccl" -DWF_MPI=ON -DWF_NCCL=ON >/dev/null
scripts/check_warnings.py build-bench bench/cub.cu bench/describe.cu bench/exact.cu bench/ratios.cu \
    bench/ratios_of_type.cu bench/reduce.cu bench/streams.cu bench/ranks_nccl.cu bench/cpu.cpp bench/cpu_exact.cpp \
    bench/ranks_mpi.c tests/soak/soak.cu
step "Python: what the package is tested with, torch and JAX among it"
python3 -m venv build-python
build-python/bin/pip install -q nanobind numpy hypothesis ml_dtypes pytest 'dask[array]' torch jax
export WF_PYTHON=$PWD/build-python/bin/python
step "every GPU target, every test"
WF_HOST=ON WF_NVIDIA=ON WF_AMD=ON WF_MPI=ON WF_NCCL=ON scripts/test.sh --all --all-backends
step "Python: a wheel without GPUs, installed into an empty environment"
rm -rf build-wheel build-empty
build-python/bin/pip wheel -q . --no-deps -w build-wheel -Ccmake.define.WF_AMD=OFF -Ccmake.define.WF_NVIDIA=OFF
python3 -m venv build-empty
build-empty/bin/pip install -q build-wheel/*.whl
(cd / && "$OLDPWD/build-empty/bin/python" -c 'import wavefold; print(wavefold.SumState().sum())')
(cd / && "$OLDPWD/build-empty/bin/python" -m wavefold progression --n 4096 --device host --quiet)
build-empty/bin/pip install -q numpy
(cd / && "$OLDPWD/build-empty/bin/python" -c 'import numpy, wavefold; print(wavefold.sum(numpy.ones(7), axis=0))')
step "fuzzers, $seconds s each"
scripts/fuzz.sh "$seconds"
step "sanitizers on the host side"
scripts/sanitize_host.sh
step "mutants: the campaign's own tests, and one kernel's places"
/usr/bin/python3 -m pytest -q -p no:cacheprovider tests/mutation
scripts/mutate.sh --list hip/progression/05_tiled_3.hip >/dev/null
step "HIP's own NVIDIA headers: the pair that can be had, and one that must be refused"
scripts/hip_nvidia_syntax.sh
if answer=$(cmake -S . -B build-hip-headers -G Ninja -DWF_HOST=OFF -DWF_AMD=OFF -DWF_NVIDIA_HIP_HEADERS=ON 2>&1 |
    tr -s ' \n' ' ') || [[ $answer != *"HIP 5.2's headers"*"do not compile with CUDA 1"* ]]; then
    echo "a HIP that does not fit was not refused: $answer"
    exit 1
fi
step "all of it passed"
