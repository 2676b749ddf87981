"""The machinery of scripts/mutate.sh on a source of a few lines: each mutant is found, is switched on alone, and
changes what it says; with none on, nothing changes."""
import collections
import os
import pathlib
import subprocess

import pytest

if not os.environ.get("CI"):  # there its lack is a failure
    pytest.importorskip("clang.cindex", reason="libclang for Python is not here")

import build  # noqa: E402
import checks  # noqa: E402
import mutants  # noqa: E402
import points  # noqa: E402
import sources  # noqa: E402
import survivors  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = """
static int fold(const int *of, int count) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += of[i];
    return total;
}
int wfm_result(int which, int a, int b) {
    const int of[] = {a, b, a};
    if (which == 0)
        return a < b && b != 5 ? a - 2 * b : 100;
    if (which == 1)
        return fold(of, 2);
    return -a;
}
"""
# One row for each input, in Python's terms.
INPUTS = [(0, 3, 4), (0, 4, 4), (0, 3, 5), (0, 6, 5), (1, 3, 4), (2, 3, 4)]
EXPECTED = [3 - 8, 100, 100, 100, 7, -3]
CALLER = ("extern int wfm_result(int, int, int);\n#include <stdio.h>\nint show(void);\nint show(void) {\n"
          + "".join(f'    printf("%d ", wfm_result({w}, {a}, {b}));\n' for w, a, b in INPUTS) + "    return 0;\n}\n")


def built(folder, suffix, compiler):
    """The points, and what the library that has them says with the mutant of a number on."""
    path = folder / f"small.{suffix}"
    linkage = 'extern "C" ' if suffix == "cpp" else ""
    path.write_text(SOURCE.replace("int wfm_result", linkage + "int wfm_result"))
    unit = points.parse(path, ["-std=c++17" if suffix == "cpp" else "-std=c11"])
    found = points.of_unit(folder, unit, {path.name})[path.name]
    text, past = points.rewrite(path.read_bytes(), found, 1)
    path.write_text(text)
    (folder / "caller.c").write_text(CALLER)
    (folder / "main.c").write_text("int show(void);\nint main(void) {\n    return show();\n}\n")
    switch = ["-D_GNU_SOURCE=", "-include", HERE / "mutation_switch.h"]
    subprocess.run([compiler, "-w", *switch, "-fPIC", "-c", path, "-o", folder / "small.o"], check=True)
    subprocess.run(["gcc", "-fPIC", "-shared", folder / "caller.c", folder / "small.o", "-o",
                    folder / "libwavefold-small.so"], check=True)
    subprocess.run(["gcc", folder / "main.c", folder / "libwavefold-small.so", f"-Wl,-rpath,{folder}", "-o",
                    folder / "main"], check=True)

    def said(mutant):
        run = subprocess.run([folder / "main"], env={**os.environ, "WAVEFOLD_MUTANT": str(mutant)}, timeout=20,
                             capture_output=True, text=True)
        return [int(word) for word in run.stdout.split()] if run.returncode == 0 else None
    return found, past, said


@pytest.mark.parametrize("suffix, compiler", [("c", "gcc"), ("cpp", "g++")])
def test_every_mutant_is_noticed(tmp_path, suffix, compiler):
    found, past, said = built(tmp_path, suffix, compiler)
    changes = [(point.text, change) for point in found for change in point.changes]
    assert past == len(changes) + 1
    assert said(0) == EXPECTED and said(past) == EXPECTED
    for wanted in [("a < b", "< to <="), ("a < b", "< to >="), ("b != 5", "!= to =="), ("2 * b", "* to /"),
                   ("a < b && b != 5", "&& to ||"), ("2", "2 + 1"), ("-a", "- left out"),
                   ("total += of[i]", "left out"), ("total += of[i]", "+= to -="), ("i < count", "< to <="),
                   ("return total", "another result")]:
        assert wanted in changes, wanted
    endless = {("i++", "++ to --"), ("i++", "left out")}
    for number, change in enumerate(changes, 1):
        if change not in endless:
            assert said(number) != EXPECTED, change


def test_reasons_that_fit_nothing_are_told(capsys):
    row = {"file": "a.c", "function": "f", "kind": "bound", "text": "i < n", "change": "< to <=", "ordinal": 0,
           "line": 1, "verdict": "survived"}
    reasons = survivors.Reasons("/nonexistent")
    assert survivors.report([row], reasons) == 1
    reasons.entries, reasons.used = [{"file": "a.c", "text": "i < n", "reason": "why"},
                                     {"file": "a.c", "text": "gone", "reason": "why"}], [False, False]
    assert survivors.report([row], reasons) == 1
    assert "stale" in capsys.readouterr().out


def test_each_reason_is_of_a_mutant_that_there_is():
    """Whether it survives, a campaign tells; but code that has gone, or moved elsewhere, has no such mutant."""
    root, rows = HERE.parent.parent, collections.defaultdict(list)
    for row in mutants.listed(root, mutants.find(root, set(sources.every_file(root)))):
        rows[row["file"]].append(row)
    for entry in survivors.Reasons(root).entries:
        assert any(survivors.fits(entry, row) for row in rows[entry["file"]]), entry


def test_each_program_that_is_run_is_built_of_sources_that_are_there():
    root = HERE.parent.parent
    for program in {check.program for check in checks.every(root)}:
        files = checks.sources_of(program, root / "tests")
        assert program in build.TARGETS and files and all(path.is_file() for path in files), program
