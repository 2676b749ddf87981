#!/usr/bin/env bash
# Fuzzes what reads files, names, numbers, messages and results: builds each target of tests/fuzz with libFuzzer,
# AddressSanitizer and UndefinedBehaviorSanitizer, and runs it, two at a time. Any crash fails; what caused it is kept in
# build-fuzz/found. New inputs stay in build-fuzz/corpus, beside those of tests/fuzz/corpus.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]            builds, and runs each for so long (default: 30)
#   scripts/fuzz.sh --build-only                     builds; build-fuzz can then be carried to a machine without compilers
#   scripts/fuzz.sh --run-only SECONDS JOBS [TARGET...]  runs what is built, JOBS processes at a time
#
# Either run leaves a table of what was done in build-fuzz/fuzz.md. Needs clang-19 with libclang-rt-19-dev (CC and CXX name
# others); the target report needs Python with atheris, which is fetched from PyPI if pip finds it there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build-fuzz
targets=(npy npy_header input_file launch_table sum_state device number arguments message report)

build() {
    CC=${CC:-clang-19} CXX=${CXX:-clang++-19} cmake -S . -B $folder -G Ninja -DWF_HOST=OFF -DWF_NVIDIA=OFF -DWF_AMD=OFF \
        -DWF_MPI=OFF -DWF_NCCL=OFF -DWF_SANITIZE=fuzzer-no-link,address,undefined \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null
    cmake --build $folder --target fuzz-targets -- --quiet
    # What is carried needs no other folder: seeds, and the reader of results with its own.
    rm -rf $folder/seeds $folder/report
    cp -r tests/fuzz/corpus $folder/seeds
    cp -r report $folder/report
    cp tests/fuzz/fuzz_report.py $folder/fuzz/
    if [[ ! -d $folder/python ]]; then
        python3 -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps \
            --target $folder/python.new atheris==3.0.0
        mv $folder/python.new $folder/python
    fi
}

# command_of TARGET: the program that fuzzes it.
command_of() {
    if [[ $1 == report ]]; then
        echo env "PYTHONPATH=$folder/python:$folder/report" PYTHONDONTWRITEBYTECODE=1 python3 $folder/fuzz/fuzz_report.py
    else
        echo "$folder/fuzz/fuzz-$1"
    fi
}

run_one() { # TARGET SECONDS
    local log=$folder/logs/$1 status=0
    mkdir -p "$folder/corpus/$1" $folder/found $folder/logs
    # shellcheck disable=SC2046 # a command is several words
    $(command_of "$1") -max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/found/$1-" "$folder/corpus/$1" "$folder/seeds/$1" >"$log" 2>&1 || status=$?
    echo $status >"$log.status"
}

# Of libFuzzer's output: | target | seconds | executions | edges | features | inputs kept | outcome |
row_of() { # TARGET SECONDS
    local log=$folder/logs/$1 status executions line edges features kept
    status=$(cat "$log.status")
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    line=$(grep -aE '^#[0-9]+' "$log" | grep -a 'cov:' | tail -1)
    edges=$(sed -nE 's/.* cov: ([0-9]+).*/\1/p' <<<"$line")
    features=$(sed -nE 's/.* ft: ([0-9]+).*/\1/p' <<<"$line")
    kept=$(find "$folder/corpus/$1" -type f | wc -l)
    echo "| $1 | $2 | ${executions:-?} | ${edges:-?} | ${features:-?} | $kept |" \
        "$([[ $status == 0 ]] && echo "no crash" || echo "**failed: status $status**") |"
}

run() { # SECONDS JOBS TARGET...
    local seconds=$1 jobs=$2 failed=0 target
    shift 2
    for target in "$@"; do
        rm -f "$folder/logs/$target.status"
        while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
        run_one "$target" "$seconds" &
    done
    wait
    {
        echo "| target | seconds | executions | edges | features | inputs kept | outcome |"
        echo "|---|---|---|---|---|---|---|"
        for target in "$@"; do row_of "$target" "$seconds"; done
    } | tee $folder/fuzz.md
    for target in "$@"; do
        if [[ $(cat "$folder/logs/$target.status") != 0 ]]; then
            failed=1
            echo "$target failed; the input is in $folder/found, and the end of its log:" >&2
            tail -40 "$folder/logs/$target" >&2
        fi
    done
    return $failed
}

case ${1:-} in
--build-only)
    build
    ;;
--run-only)
    seconds=$2 jobs=$3
    shift 3
    [[ $# -gt 0 ]] && targets=("$@")
    run "$seconds" "$jobs" "${targets[@]}"
    ;;
*)
    seconds=${1:-30}
    [[ $# -gt 1 ]] && targets=("${@:2}")
    build
    run "$seconds" 2 "${targets[@]}"
    ;;
esac
