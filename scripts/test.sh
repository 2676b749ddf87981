#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests. A first argument --all-backends builds for every GPU, not just
# for those that this machine has. All other arguments go to ctest (for example: -R emulator).
set -euo pipefail
source "$(dirname "$(readlink -f "$0")")/common.sh"
choose_backends "${1:-}"
[[ ${1:-} == --all-backends ]] && shift
install "${build_packages[@]}" "${test_packages[@]}"
install_newer_clang
configure_and_build -DBUILD_TESTING=ON
# Two more than cores: tests also wait, for processes that they start, for pages, for time limits.
exec ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(($(nproc) + 2))" "$@"
