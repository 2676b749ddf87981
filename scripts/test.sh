#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests: the quick ones, or with --all all of them. --all-backends builds
# for every GPU, not just for those that this machine has; --build-only runs no tests. Others go to ctest, which
# then chooses among all tests (-R emulator, say). WF_TEST_SHARE=2 halves the sizes that tests by kernels take.
set -euo pipefail
source "$(dirname "$(readlink -f "$0")")/common.sh"
left_out=(--label-exclude long)
backends=()
builds_only=false
while true; do
    case ${1:-} in
    --all) left_out=() ;;
    --all-backends) backends=("$1") ;;
    --build-only) builds_only=true ;;
    *) break ;;
    esac
    shift
done
[[ $# -eq 0 ]] || left_out=()
choose_backends "${backends[@]}"
install "${build_packages[@]}" "${test_packages[@]}"
install_newer_clang
configure_and_build -DBUILD_TESTING=ON -DWF_TEST_SHARE="${WF_TEST_SHARE:-1}"
$builds_only && exit
# Two more than cores: tests also wait, for processes that they start, for pages, for time limits.
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(($(nproc) + 2))" "${left_out[@]}" "$@"
if [[ ${#left_out[@]} -gt 0 ]]; then
    count=$(ctest --test-dir "$build" -N -L long | sed -n 's/^Total Tests: //p')
    say "$count long tests were left out; scripts/test.sh --all runs them, too"
fi
