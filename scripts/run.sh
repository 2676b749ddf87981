#!/usr/bin/env bash
# Installs what is missing, builds, and runs the progression. Arguments go to `wavefold progression`, but for a first
# --all-backends: it builds for every GPU, not just for those that this machine has.
set -euo pipefail
source "$(dirname "$(readlink -f "$0")")/common.sh"
choose_backends "${1:-}"
[[ ${1:-} == --all-backends ]] && shift
install "${build_packages[@]}"
install_newer_clang
configure_and_build -DBUILD_TESTING=OFF
cd "$called_from" # files that arguments name are the caller's
exec "$build/bin/wavefold" progression "$@"
