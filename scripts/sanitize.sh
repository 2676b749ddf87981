#!/usr/bin/env bash
# Runs the rungs on an NVIDIA GPU under each tool of compute-sanitizer; fails if any of them finds anything.
# Needs a build with tests, and compute-sanitizer from the CUDA toolkit.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${WAVEFOLD_BUILD:-build}
device=${1:-nvidia:0}
status=0
for tool in memcheck racecheck synccheck initcheck; do
    for type in f32 f64 i32 i64; do
        for parameters in "--n 100003" "--n 65537 --tile 64 --tiles 7 --window 3" "--n 5003 --tile 1024 --op min"; do
            # shellcheck disable=SC2086 # the parameters are several words
            if ! compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/wavefold" progression \
                --device "$device" --family all --type "$type" $parameters --seed 7 --repeat 1 --quiet >sanitize.log 2>&1 ||
                ! grep -qE 'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards' sanitize.log; then
                echo "$tool found something with --type $type $parameters:"
                cat sanitize.log
                status=1
            fi
        done
    done
    echo "$tool: done"
done
rm -f sanitize.log
exit $status
