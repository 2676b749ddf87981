#!/usr/bin/env bash
# Fuzzes what reads files, names, numbers, messages and results: builds each target of tests/fuzz with libFuzzer,
# AddressSanitizer and UndefinedBehaviorSanitizer, and runs it, two at a time. Any crash fails; what caused it is kept
# in build-fuzz/run/found. New inputs stay in build-fuzz/run/corpus, beside those of tests/fuzz/corpus.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]            builds, and runs each for so long (default: 30)
#   scripts/fuzz.sh --build-only                     builds; build-fuzz/carried can then be taken elsewhere
#   scripts/fuzz.sh --run-only SECONDS JOBS [TARGET...]  runs what is built, JOBS targets at a time
#
# A run leaves a table of what was done in build-fuzz/run/fuzz.md. Needs clang-19 with libclang-rt-19-dev (CC and CXX
# name others); the target report needs Python with atheris and Jinja2, which are fetched from PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(npy npy_header input_file launch_table sum_state device number arguments message report)
carried=build-fuzz/carried # all that a run needs
left=build-fuzz/run        # all that it leaves

build() {
    local target
    CC=${CC:-clang-19} CXX=${CXX:-clang++-19} cmake -S . -B build-fuzz -G Ninja -DWF_HOST=OFF -DWF_NVIDIA=OFF \
        -DWF_AMD=OFF -DWF_MPI=OFF -DWF_NCCL=OFF -DWF_SANITIZE=fuzzer-no-link,address,undefined \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null
    cmake --build build-fuzz --target fuzz-targets -- --quiet
    if [[ ! -d build-fuzz/python ]]; then
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --only-binary :all: \
            --no-deps --target build-fuzz/python.new atheris==3.0.0 jinja2==3.1.6 markupsafe==3.0.4
        mv build-fuzz/python.new build-fuzz/python
    fi
    rm -rf $carried
    mkdir -p $carried
    cp -r build-fuzz/fuzz/. build-fuzz/python report tests/fuzz/fuzz_report.py $carried
    cp -r tests/fuzz/corpus $carried/seeds
    rm -f $carried/python/*.so $carried/python/*.a # for extensions of Python's, which are not fuzzed here
    find $carried/python -name '*.so' -exec strip {} +
}

run_one() { # TARGET SECONDS
    local log=$left/logs/$1 status=0 program=("$carried/fuzz-$1")
    if [[ $1 == report ]]; then
        program=(env "PYTHONPATH=$carried/python:$carried/report" PYTHONDONTWRITEBYTECODE=1
            python3 "$carried/fuzz_report.py")
    fi
    mkdir -p "$left/corpus/$1" $left/found $left/logs
    "${program[@]}" -max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$left/found/$1-" "$left/corpus/$1" "$carried/seeds/$1" >"$log" 2>&1 || status=$?
    echo $status >"$log.status"
}

# Of libFuzzer's output.
row_of() { # TARGET SECONDS
    local log=$left/logs/$1 status executions line edges features kept
    status=$(cat "$log.status")
    executions=$(sed -nE 's/^Done ([0-9]+) runs.*/\1/p' "$log" | tail -1)
    line=$(grep -aE '^#[0-9]+.*cov:' "$log" | tail -1) || true # none if it failed at once
    edges=$(sed -nE 's/.* cov: ([0-9]+).*/\1/p' <<<"$line")
    features=$(sed -nE 's/.* ft: ([0-9]+).*/\1/p' <<<"$line")
    kept=$(find "$left/corpus/$1" -type f | wc -l)
    echo "| $1 | $2 | ${executions:-?} | ${edges:-?} | ${features:-?} | $kept |" \
        "$([[ $status == 0 ]] && echo "no crash" || echo "**failed: status $status**") |"
}

run() { # SECONDS JOBS TARGET...
    local seconds=$1 jobs=$2 failed=0 target
    shift 2
    for target in "$@"; do
        rm -f "$left/logs/$target.status"
        while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
        run_one "$target" "$seconds" &
    done
    wait
    {
        echo "| target | seconds | executions | edges | features | inputs kept | outcome |"
        echo "|---|---|---|---|---|---|---|"
        for target in "$@"; do row_of "$target" "$seconds"; done
    } | tee $left/fuzz.md
    for target in "$@"; do
        if [[ $(cat "$left/logs/$target.status") != 0 ]]; then
            failed=1
            echo "$target failed; the input is in $left/found, and the end of its log:" >&2
            tail -40 "$left/logs/$target" >&2
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
