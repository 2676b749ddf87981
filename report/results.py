"""The files that the report is made from: which kind each is, and what all of them hold together."""

from dataclasses import dataclass, field

import document
from explanations import read_explanation
from instruction_mix import read_mixes
from ladder_runs import ladders_of, read_run
from timings import joined, latest, read_exact, read_reductions
from trials import is_trial, read_trial

READS = ("0.2", "0.3")  # the versions of wavefold whose results are read: 0.2.0, 0.2.1, ...
TAKEN = (
    "the report takes results of `wavefold progression --json`, `wavefold explain --json`, `wavefold try --json`, "
    "bench/progression.py, bench/reduce.py, bench/cpu.py, bench/exact.py, bench/cpu_exact.py and "
    "report/instructions.py"
)


@dataclass
class Results:
    ladders: list = field(default_factory=list)
    reductions: list = field(default_factory=list)
    exact: list = field(default_factory=list)
    explanations: list = field(default_factory=list)
    mixes: list = field(default_factory=list)
    trials: list = field(default_factory=list)
    inputs: list = field(default_factory=list)  # (file, what it is, facts about how it was made)


def check_version(part):
    version = part.text("wavefold")
    if not any(version == read or version.startswith(read + ".") for read in READS):
        part.get("wavefold").fail(f"is {version}, and the report reads results of {' and '.join(READS)}")


def kind_of(part):
    if part.has("runs"):
        return "several runs of the ladder"
    if part.has("explain"):
        return "an explanation"
    if is_trial(part):
        return "a trial"
    if part.has("instructions"):
        return "instruction mixes"
    if part.has("rungs") and part.has("read_ceiling"):
        return "a run of the ladder"
    if part.has("about") and part.has("results"):
        command = part.object("about").text("command").split(" ")[0]
        return {"bench/reduce.py": "reductions beside their peers", "bench/cpu.py": "reductions beside their peers",
                "bench/exact.py": "exact sums", "bench/cpu_exact.py": "exact sums"}.get(command)
    return None


def facts_of(part):
    """What a result says of how it was made, as a list of texts."""
    if not part.has("about"):
        date = [part.text("date")] if part.has("date") else []
        return date + ([f"wavefold {part.value['wavefold']}"] if part.has("wavefold") else [])
    about = part.object("about")
    facts = [f"{key} {about.text(key)}" for key in ("driver", "compiler", "commit", "date")
             if about.has(key) and isinstance(about.value[key], str)]
    return facts + [f"made by {about.text('command')}"]


def read_all(paths):
    results, runs = Results(), []
    for path in paths:
        part = document.read(path)
        kind = kind_of(part)
        if kind is None:
            part.fail("is none of wavefold's results that can be shown", TAKEN)
        if kind == "several runs of the ladder":
            for run in part.filled_list("runs"):
                check_version(run)
                runs.append(read_run(run))
        elif kind == "a run of the ladder":
            check_version(part)
            runs.append(read_run(part))
        elif kind == "an explanation":
            check_version(part)
            results.explanations.append(read_explanation(part))
            if part.has("against"):
                results.explanations.append(read_explanation(part.object("against")))
        elif kind == "a trial":
            check_version(part)
            results.trials.append(read_trial(part))
        elif kind == "instruction mixes":
            results.mixes += read_mixes(part)
        elif kind == "exact sums":
            results.exact += read_exact(part)
        else:
            results.reductions += read_reductions(part)
        results.inputs.append((part.file, kind, facts_of(part)))
    # Of what several files have, the last one's stands, as the later run's does of ladders.
    results.ladders = ladders_of(runs)
    results.reductions = joined(results.reductions)
    results.exact = latest(results.exact, lambda timing: timing.what)
    results.explanations = latest(results.explanations, lambda one: (one.rung, one.title, one.tile_size))
    results.trials = latest(results.trials, lambda trial: trial.file)
    results.mixes = latest(results.mixes, lambda mix: (mix.target, mix.rung, mix.what))
    return results
