#!/usr/bin/env bash
# Changes one operator, constant, bound, barrier or fence at a time, and runs the tests that can notice.
#
# usage: scripts/mutate.sh [--list | --run-only] [--compare] [--programs NAME,...] [--jobs N] [--depth N] [--seconds N]
#                          [--folder DIR] [--write] [FILE...]
#   FILE...     sources whose mutants are tried, or folders of them (default: kernels, the library, the CPU's kernels)
#   --list      says which mutants there are, and tries none
#   --run-only  tries those that are built in the folder, with no compiler and no libclang
#   --compare   compiles each survivor that has no reason, and tells those of which the compiler makes the same code
#   --programs  the test programs to run, with commas between (default: all)
#   --depth N   how many test runs a mutant must pass until it counts as survived (default: 40), of those that reach it;
#               with a reason in survivors.json 30 are enough
#   --folder    where the mutants are built, and results kept (default: build-mutation); what was tried is not tried
#               again until its source changes, or, if it survived, the tests
#   --seconds N to stop after; what was tried is kept
#   --table     prints tables of the results, as Markdown, with every survivor and its reason
# All mutants are in one build, each behind a number that the environment asks for: tests/mutation/mutation_switch.h.
# Needs what a build with tests needs, and libclang for Python (Debian, Ubuntu: python3-clang-19).
set -euo pipefail
cd "$(dirname "$0")/.."
python=python3
"$python" -c 'import clang.cindex' 2>/dev/null || python=/usr/bin/python3
exec "$python" tests/mutation/mutate.py "$@"
