"""The exercises of wavefold try: each mistake is found, and its solution is right, clean and better."""

import json

import pytest
from support import FAILURE, ROOT, SUCCESS, wavefold
from tried_kernels import findings

EXERCISES = ROOT / "examples/exercises"


def total(report, *keys):
    values = []
    for of in report["widths"]:
        value = of["total"]
        for key in keys:
            value = value[key]
        values.append(value)
    return values


def lines_per_load(report):
    return [a / b for a, b in zip(total(report, "global", "loads", "lines128"),
                                  total(report, "global", "loads", "accesses"))]


def sentences(report):
    return "".join(of["judged"]["sentence"] for of in report["widths"])


def notes(report):
    return "".join(note for of in report["widths"] for note in of["judged"].get("notes", []))


SHOWN = {
    "01_missing_barrier": lambda report: "race in tile memory" in "".join(findings(report)),
    "02_literal_32": lambda report: [of["right"] for of in report["widths"]] == [True, False],
    "03_bank_conflict": lambda report: min(total(report, "tile_memory", "loads", "extra_passes")) > 5000,
    "04_divergent_tree": lambda report: all(divergent > 0.5 * steps for divergent, steps in
                                            zip(total(report, "divergent_steps"), total(report, "steps_of_waves"))),
    "05_wrong_tail": lambda report: "beyond the end of 'in'" in "".join(findings(report)),
    "06_wrong_identity": lambda report: not any(of["right"] for of in report["widths"]),
    "07_uncoalesced": lambda report: min(lines_per_load(report)) > 10,
    "08_lost_update": lambda report: "nothing that orders them" in "".join(findings(report)),
    "09_uncovered_grid": lambda report: "elements 2048 and on were never " in sentences(report),
    "10_missing_fence": lambda report: "element 0 of 'partials', which tile 0" in "".join(findings(report)),
    "11_wave_of_64": lambda report: [of["right"] for of in report["widths"]] == [True, False],
    "12_tight_tolerance": lambda report: "tolerance of 1e-06 is too tight" in notes(report),
}


def test_all_exercises_are_here():
    here = {path.stem for path in EXERCISES.glob("*.hip")}
    assert here == set(SHOWN) == {path.stem for path in (EXERCISES / "solutions").glob("*.hip")}
    assert {name for name in SHOWN if f"[{name}]" in (EXERCISES / "README.md").read_text()} == here
    plain_ones = [path for path in EXERCISES.glob("*.hip") if "threadIdx" in path.read_text()]
    assert len(plain_ones) == 8


@pytest.mark.parametrize("name", SHOWN)
def test_exercise(name):
    reports = []
    for path in (EXERCISES / f"{name}.hip", EXERCISES / "solutions" / f"{name}.hip"):
        done = wavefold("try", path, "--json", "-")
        reports.append(json.loads(done.stdout))
        assert done.returncode == (SUCCESS if reports[-1]["clean"] else FAILURE)
    exercise, solution = reports
    assert SHOWN[name](exercise) and not SHOWN[name](solution)
    assert solution["clean"]
