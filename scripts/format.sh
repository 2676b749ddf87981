#!/usr/bin/env bash
# Formats every C, C++, HIP and CUDA file in place; with --check, only says which are not formatted, and fails.
# Then names every line of source that is longer than 120 columns, comments included; with --check, it fails.
# Needs clang-format 14 (Debian 12's).
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[[ ${1:-} == --check ]] && mode=(--dry-run --Werror)
status=0
git ls-files -z '*.c' '*.h' '*.cpp' '*.hpp' '*.hip' '*.cu' '*.cuh' | xargs -0 clang-format "${mode[@]}" || status=1
# Columns are characters: in the C locale a µ would count twice.
long=$(git ls-files -z '*.c' '*.h' '*.cpp' '*.hpp' '*.hip' '*.cu' '*.cuh' '*CMakeLists.txt' '*.cmake' '*.sh' '*.py' \
    .ci/run completions | LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{121,}' || true) # grep fails where nothing is found
if [[ -n $long ]]; then
    printf '%s\n' "$long"
    echo "these lines are longer than 120 columns" >&2
    [[ ${1:-} == --check ]] && status=1
fi
exit $status
