# What run.sh and test.sh share: install what is missing, then configure and build. Sourced, not run.
# shellcheck shell=bash

set -euo pipefail
# shellcheck disable=SC2034 # used by who sources this
called_from=$PWD
unset CDPATH # of who calls: it would have cd go elsewhere
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${WAVEFOLD_BUILD:-$PWD/build}
[[ $build == /* ]] || build=$called_from/$build
detected=(-DWF_AMD_DETECTED=OFF) # ON: the AMD targets are those of this machine's GPUs, which nobody asked for

say() { printf 'wavefold: %s\n' "$*" >&2; }

# install PACKAGE...: Debian and Ubuntu packages, those that are missing.
install() {
    local missing=() package
    if ! command -v apt-get >/dev/null; then
        say "this machine has no apt-get; if the build stops, install what these packages are called here: $*"
        return
    fi
    for package in "$@"; do
        # A line for each architecture of the package.
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [[ ${#missing[@]} -eq 0 ]] && return
    local as_root=()
    if [[ $EUID -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            say "packages are missing and there is neither root nor sudo; have them installed with:"
            say "    apt-get install --no-install-recommends ${missing[*]}"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null
}

# choose_backends [--all-backends]: what configure_and_build builds. That is the host device, and code for each GPU that
# this machine has; with --all-backends it is whatever the toolchains can build, for every GPU. The environment
# overrules it: WF_HOST, WF_NVIDIA, WF_AMD, WF_MPI, WF_NCCL, WF_RCCL (AUTO, ON or OFF), WF_NVIDIA_ARCHITECTURES and
# WF_AMD_ARCHITECTURES (lists with semicolons).
choose_backends() {
    [[ ${1:-} == --all-backends ]] && return
    local targets
    if [[ -z ${WF_NVIDIA:-}${WF_NVIDIA_ARCHITECTURES:-} ]] && command -v nvcc >/dev/null; then
        if nvidia-smi -L >/dev/null 2>&1; then
            WF_NVIDIA_ARCHITECTURES=native
        else
            WF_NVIDIA=OFF
            say "no NVIDIA GPU is here, so code for one is not built; --all-backends builds it all the same"
        fi
    fi
    local rocm=${ROCM_PATH:-/opt/rocm}/bin
    if [[ -z ${WF_AMD:-}${WF_AMD_ARCHITECTURES:-} ]] &&
        [[ -n $(PATH=$PATH:$rocm command -v hipcc amdclang++) ]]; then
        # Exact names: generic targets, which newer runtimes list as well, gain nothing on the GPU that is here.
        targets=$(PATH=$PATH:$rocm rocm_agent_enumerator 2>/dev/null | grep -Ev '^gfx000$|-generic$' | sort -u |
            paste -sd';' || true)
        if [[ -n $targets ]]; then
            WF_AMD_ARCHITECTURES=$targets
            detected=(-DWF_AMD_DETECTED=ON)
        else
            WF_AMD=OFF
            say "no AMD GPU is here, so code for one is not built; --all-backends builds it all the same"
        fi
    fi
}

# configure_and_build [CMAKE OPTION...]: quiet when all is well.
configure_and_build() {
    local options=() backend log
    for backend in WF_HOST WF_NVIDIA WF_AMD WF_MPI WF_NCCL WF_RCCL; do
        options+=("-D$backend=${!backend:-AUTO}")
    done
    # -U where none are named: then it is CMakeLists.txt that says, not the build before.
    for backend in WF_NVIDIA_ARCHITECTURES WF_AMD_ARCHITECTURES; do
        if [[ -n ${!backend:-} ]]; then options+=("-D$backend=${!backend}"); else options+=("-U$backend"); fi
    done
    # The Python package, by the interpreter that WF_PYTHON names, which has nanobind.
    [[ -z ${WF_PYTHON:-} ]] || options+=(-DWF_PYTHON=ON "-DPython_EXECUTABLE=$WF_PYTHON")
    log=$(mktemp)
    if ! cmake -S . -B "$build" -G Ninja "${options[@]}" "${detected[@]}" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    local backends
    backends=$(sed -n 's/^-- Backends: //p' "$log")
    rm -f "$log"
    say "building into $build; backends: $backends"
    case $backends in
    *"no nvidia"*"no amd"*)
        say "no GPU toolchain (nvcc, hipcc, amdclang++) was found or asked for: building the host device alone"
        ;;
    esac
    cmake --build "$build" -- --quiet >&2
}

# shellcheck disable=SC2034 # used by who sources this
build_packages=(cmake ninja-build gcc g++ libc6-dev libboost-context-dev libjansson-dev libzip-dev)
# shellcheck disable=SC2034
test_packages=(libcmocka-dev python3-pytest python3-numpy bash-completion pkgconf locales python3-jinja2
    python3-matplotlib openmpi-bin libopenmpi-dev mpich libmpich-dev)

# Debian's own hipcc is of 2022. A newer clang builds for newer GPUs, and brings the tools that read code objects. Where
# it cannot be had, the build goes on and says what it leaves out.
install_newer_clang() {
    [[ ${WF_AMD:-AUTO} != OFF && $(dpkg-query -W -f '${Version}' hipcc 2>/dev/null) == 5.2.* ]] || return 0
    (install clang-19 lld-19 llvm-19) || say "going on without clang-19, which builds for what Debian's hipcc lacks"
}
