#!/usr/bin/env bash
# Runs the rungs on an NVIDIA GPU under each tool of compute-sanitizer; fails if any of them finds anything.
# Needs a build with tests, and compute-sanitizer from the CUDA toolkit.
set -euo pipefail
build=$(realpath -m "${WAVEFOLD_BUILD:-$(dirname "$0")/../build}")
cd "$(dirname "$0")/.."
device=${1:-nvidia:0}
status=0
# Every rung on the types that all take, in three shapes; then what only some take.
runs=()
for type in f32 f64 i32 i64; do
    runs+=("--type $type --n 100003" "--type $type --n 65537 --tile 64 --tiles 7 --window 3 --exclusive --descending"
        "--type $type --n 5003 --tile 1024 --op min")
done
runs+=("--type u8 --op argmax --n 100003" "--type bf16 --op mean --n 100003" "--type f16 --op minmax --n 5003"
    "--type f32 --op affine --n 65537" "--type f64 --op matmul --n 5003 --exclusive" "--type u64 --op xor --n 5003")
for run in "${!runs[@]}"; do
    runs[run]="progression --family all ${runs[run]} --seed 7 --repeat 1 --quiet"
done
# The one call, in one tile and in many.
head -c 3000000 /dev/urandom >sanitize.bytes
for type in f32 u8 i64; do
    for op in sum argmin describe; do
        for n in 1000 300001; do
            runs+=("reduce sanitize.bytes --type $type --op $op --n $n")
        done
    done
done
for tool in memcheck racecheck synccheck initcheck; do
    for run in "${runs[@]}"; do
        # shellcheck disable=SC2086 # a run is several words
        if ! compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/wavefold" $run --device "$device" \
            >sanitize.log 2>&1 ||
            ! grep -qE 'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards' sanitize.log; then
            echo "$tool found something with $run:"
            cat sanitize.log
            status=1
        fi
    done
    echo "$tool: done"
done
rm -f sanitize.log sanitize.bytes
exit $status
