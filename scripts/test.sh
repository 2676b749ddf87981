#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests. Arguments go to ctest (for example: -R emulator).
source "$(dirname "$0")/common.sh"
install "${build_packages[@]}" "${test_packages[@]}"
install_newer_clang
configure_and_build -DBUILD_TESTING=ON
exec ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" "$@"
