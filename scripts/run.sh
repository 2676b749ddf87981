#!/usr/bin/env bash
# Installs what is missing, builds, and runs the progression. Arguments go to `wavefold progression`.
source "$(dirname "$0")/common.sh"
install "${build_packages[@]}"
install_newer_clang
configure_and_build -DBUILD_TESTING=OFF
exec "$build/bin/wavefold" progression "$@"
