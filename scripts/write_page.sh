#!/usr/bin/env bash
# Makes build/ladder.html: the page of `wavefold report`, from results/ and from counts of every rung. WAVEFOLD_BUILD
# names another build folder.
set -euo pipefail
build=$(realpath -m "${WAVEFOLD_BUILD:-$(dirname "$0")/../build}")
cd "$(dirname "$0")/.."
scripts/write_explanations.py "$build/bin/wavefold" --to "$build/explain"
"$build/bin/wavefold" report results/*/{progression,reduce,exact,cpu}.json "$build"/explain/*.json \
    --output "$build/ladder.html"
