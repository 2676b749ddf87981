#!/usr/bin/env bash
# Formats every C, C++, HIP and CUDA file in place; with --check, only says which are not formatted, and fails.
# Needs clang-format 14 (Debian 12's).
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[[ ${1:-} == --check ]] && mode=(--dry-run --Werror)
git ls-files -z '*.c' '*.h' '*.cpp' '*.hpp' '*.hip' '*.cu' | xargs -0 clang-format "${mode[@]}"
