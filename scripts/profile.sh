#!/usr/bin/env bash
# What bounds wf_reduce's kernel on an NVIDIA GPU, by its hardware counters: writes a table to standard output. Needs
# ncu from the CUDA toolkit, and the right to read counters. WAVEFOLD_BUILD: the build folder.
set -euo pipefail
build=$(realpath -m "${WAVEFOLD_BUILD:-$(dirname "$0")/../build}")
cd "$(dirname "$0")/.."
device=${1:-nvidia:0}
metrics=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__inst_issued.avg.pct_of_peak_sustained_active,sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active
metrics+=,smsp__inst_executed.sum,l1tex__throughput.avg.pct_of_peak_sustained_active
printf '# Counters of the kernel reduce, n = 2^28, 264 tiles of 1024\n\n'
printf 'Made by scripts/profile.sh; ncu %s. One launch each, no median.\n\n' \
    "$(ncu --version | sed -n 's/^Version \([^ ]*\).*/\1/p')"
printf '| | µs | DRAM %% | issue slots %% | integer pipe %% | instructions | L1 %% |\n|---|---|---|---|---|---|---|\n'
for run in "f32 sum" "u8 sum" "u8 argmin" "f32 argmin" "f64 argmin" "f64 min" "f16 sum"; do
    read -r type op <<<"$run"
    ncu --csv --print-units base --clock-control none -k regex:reduce --launch-skip 1 --launch-count 1 \
        --metrics "$metrics" "$build/bin/wavefold" progression --device "$device" --rungs wavefold --type "$type" \
        --op "$op" --n 2^28 --tile 1024 --tiles 264 --seed 7 --repeat 1 --quiet |
        awk -F'","' -v run="$op $type" '/gpu__time|dram__|sm__|smsp__|l1tex__/ {
            gsub(/[",]/, "", $NF); value[$(NF - 2)] = $NF }
            END { if (!("smsp__inst_executed.sum" in value)) {
                      print "ncu counted nothing of " run >"/dev/stderr"; exit 1 }
                  printf "| %s | %.1f | %.1f | %.1f | %.1f | %.0f | %.1f |\n", run,
                  value["gpu__time_duration.sum"] / 1000,
                  value["dram__throughput.avg.pct_of_peak_sustained_elapsed"],
                  value["sm__inst_issued.avg.pct_of_peak_sustained_active"],
                  value["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"],
                  value["smsp__inst_executed.sum"],
                  value["l1tex__throughput.avg.pct_of_peak_sustained_active"] }'
done
