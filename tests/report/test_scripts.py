"""What scripts/ write into documents: again what stands there; and that --check finds what is old."""

import re
import shutil
import subprocess
import sys

import pytest
from support import PROGRAM, ROOT


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of all that the scripts read and write."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("bench", "docs", "report", "results", "scripts", "src/ladder", "tests/golden"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(tree, script, *arguments):
    return subprocess.run([sys.executable, "-B", tree / f"scripts/{script}.py", *arguments], capture_output=True,
                          text=True)


@pytest.mark.parametrize("script, arguments, document, figure", [
    ("write_progression", [], "docs/progression.md", r"(<!-- ulps sequential -->)(\d)"),
    ("write_progression", [], "docs/ladder.svg", r"(<desc>.*tiled_1 )(\d)"),
    ("write_ratios", [], "docs/performance.md", r"(\| sum f32 \| )(\d)"),
    ("write_reductions", [PROGRAM], "docs/reductions.md", r"(\| two)( of the type \|)"),
])
def test_an_old_document(tree, script, arguments, document, figure):
    is_found_and_mended(tree, script, arguments, document, figure)


def test_old_counts(tree, tmp_path):
    """Of two rungs: the test `explanations` counts them all."""
    program, golden = tmp_path / "two_rungs.py", tree / "tests/golden/explain.json"
    program.write_text(f"""#!{sys.executable}
import json, subprocess, sys
done = subprocess.run(["{PROGRAM}", *sys.argv[1:]], check=True, capture_output=True, text=True).stdout
if sys.argv[1] == "rungs":
    done = json.dumps([rung for rung in json.loads(done) if rung["name"] in ("sequential", "tiled_1")])
print(done)
""")
    program.chmod(0o755)
    every = golden.read_text(encoding="utf-8")
    two = [line.rstrip(",") for line in every.splitlines() if line.startswith(('"sequential":', '"tiled_1":'))]
    golden.write_text("{\n" + ",\n".join(two) + "\n}\n", encoding="utf-8")
    try:
        is_found_and_mended(tree, "write_explanations", [program], "tests/golden/explain.json",
                            r'("tiled_1": .*?"divergent_steps": )([1-9])')
    finally:
        golden.write_text(every, encoding="utf-8")


def is_found_and_mended(tree, script, arguments, document, figure):
    """--check names an old document and leaves it as it is; without that it is written anew."""
    path = tree / document
    before = path.read_text(encoding="utf-8")
    old, changes = re.subn(figure, r"\g<1>10\2", before, count=1, flags=re.DOTALL)
    assert changes == 1
    path.write_text(old, encoding="utf-8")
    done = run(tree, script, *arguments, "--check")
    assert done.returncode == 1 and document.split("/")[-1] in done.stderr and "Traceback" not in done.stderr
    assert path.read_text(encoding="utf-8") == old
    assert run(tree, script, *arguments).returncode == 0
    written = path.read_text(encoding="utf-8")
    assert written == before or document.endswith(".svg")
    assert run(tree, script, *arguments, "--check").returncode == 0


RUN = """
| target | seconds | executions | edges | features | outcome |
|---|---|---|---|---|---|
| npy | 60 | 1000 | 300 | 9000 | no crash |
"""


def test_runs_of_fuzzers_are_added_up(tree, tmp_path):
    """What results/ has is of many runs; the reach is that of the run that reached most."""
    path = tree / "results/fuzz.md"
    before = path.read_text()
    assert run(tree, "write_fuzz", path).returncode == 0 and path.read_text() == before
    runs = [tmp_path / name for name in ("first", "second")]
    runs[0].write_text(RUN)
    runs[1].write_text(RUN.replace("60", "30").replace("1000", "5").replace("300", "400").replace("9000", "8000"))
    assert run(tree, "write_fuzz", *runs).returncode == 0
    assert "from 2 runs of" in path.read_text() and path.read_text().endswith(
        "|---|---|---|---|---|---|\n| npy | 90 | 1005 | 400 | 9000 | no crash |\n")
    path.write_text(before)


@pytest.mark.parametrize("table, said", [
    (RUN.replace("no crash", "**crash**"), "npy crash: mend it"), (RUN.replace("1000", "-"), "npy does not say what"),
    ("# Fuzzing\n", "no table of scripts/fuzz.sh is in it"),
])
def test_runs_of_fuzzers_that_do_not_count(tree, tmp_path, table, said):
    before = (tree / "results/fuzz.md").read_text()
    (tmp_path / "run").write_text(table)
    done = run(tree, "write_fuzz", tmp_path / "run")
    assert done.returncode == 1 and f"{tmp_path}/run: {said}" in done.stderr
    assert (tree / "results/fuzz.md").read_text() == before
