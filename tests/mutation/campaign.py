"""Runs the checks on each mutant until one fails."""
import collections
import concurrent.futures
import functools
import hashlib
import json
import math
import multiprocessing
import os
import pathlib
import tempfile
import time

import checks
import runs
import survivors


def digest_of(folder):
    """Of the tests that mutants are shown to: a survivor is tried again when they change."""
    tests = folder / "tree/tests"
    programs = {check.program for check in checks.every(folder / "tree")}
    paths = {*tests.rglob("*.h"), *(tests / "support").glob("*.c"),
             *(path for program in programs for path in checks.sources_of(program, tests))}
    sum_of = hashlib.sha256()
    for path in sorted(paths):
        sum_of.update(path.read_bytes())
    return sum_of.hexdigest()[:16]


def named(row):
    return tuple(row[field] for field in ("file", "function", "kind", "text", "change"))


def killers_before(folder):
    """The test run that killed each mutant in the folder's last campaign."""
    path = folder / "mutation.json"
    return {named(row): row["by"] for row in json.loads(path.read_text()) if "by" in row} if path.is_file() else {}


FIRST = ("barrier", "fence", "identity")
# What is tried first, by what its file's name starts with.
PLACES = (("hip/reduce/", 0), ("hip/host/native/", 3), ("hip/", 1), ("src/", 2))
FEW = 30
LONGEST = 20.0  # seconds of CPU; what takes more is for ctest


def take_cpus(counter):
    """Two of them for each process, for a test starts a thread on every one that it sees."""
    with counter.get_lock():
        place = counter.value
        counter.value += 1
    there = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {there[place % len(there)], there[(place + 1) % len(there)]})


def processes(jobs):
    context = multiprocessing.get_context("fork")
    return concurrent.futures.ProcessPoolExecutor(jobs, context, take_cpus, (context.Value("i", 0),))


def measure(check, built, last):
    """What a check costs with no mutant on, and which mutants' places it passes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(last + 1))
        file.flush()
        status, seconds = runs.run(check, built, reached=file.name, cpu_seconds=LONGEST)
        marks = pathlib.Path(file.name).read_bytes()
    return {"name": check.name, "status": status, "seconds": seconds,
            "reached": [number for number, mark in enumerate(marks) if mark]}


def measured(folder, rows, jobs, programs):
    """The same for every check of the programs, kept beside the build."""
    mutants = (folder / "mutants.json").read_bytes()

    @functools.cache
    def text_of(program):
        return b"".join(path.read_bytes() for path in checks.sources_of(program, folder / "tree/tests"))

    def stamp(check):
        text = text_of(check.program)
        return hashlib.sha256(mutants + text).hexdigest()[:16]

    kept = folder / "measured.jsonl"
    can_watch = (folder / "build/lib/wavefold/libwavefold-watched.so").is_file()
    every = [check for check in checks.every(folder / "tree")
             if (can_watch or "watched" not in check.name) and (not programs or check.program in programs)]
    known, by_name = {}, {check.name: check for check in every}
    if kept.is_file():
        stamps = {check.name: stamp(check) for check in every}
        known = {row["name"]: row for row in map(json.loads, kept.read_text().splitlines())
                 if stamps.get(row["name"]) == row["stamp"]}
    with kept.open("a") as file, processes(jobs) as pool:
        for row in pool.map(functools.partial(measure, built=folder / "build", last=rows[-1]["number"]),
                            [check for check in every if check.name not in known]):
            file.write(json.dumps({**row, "stamp": stamp(by_name[row["name"]])}) + "\n")
            file.flush()
            known[row["name"]] = row
    found = [known[check.name] for check in every]
    for row in found:
        if row["status"] == "timed out":
            print(f"too long for mutants: {row['name']}")
        elif row["status"] not in (0, 77):  # 77: what this machine lacks
            print(f"fails with no mutant on ({row['status']}), left out: {row['name']}", flush=True)
    return [{**row, "reached": frozenset(row["reached"])} for row in found if row["status"] == 0]


class Campaign:
    def __init__(self, folder, jobs, depth, programs=()):
        self.folder = pathlib.Path(folder).resolve()
        self.built = self.folder / "build"
        self.rows = json.loads((self.folder / "mutants.json").read_text())
        self.jobs, self.depth = jobs, depth
        self.tests = digest_of(self.folder)
        self.by_name = {check.name: check for check in checks.every(self.folder / "tree")}
        self.measured = measured(self.folder, self.rows, jobs, programs)
        self.kills = collections.defaultdict(collections.Counter)
        self.before = killers_before(self.folder)
        self.reasons = survivors.Reasons(self.folder / "tree")
        self.kept = self.folder / "results.jsonl"
        self.known = {}
        if self.kept.is_file():
            for line in self.kept.read_text().splitlines():
                result = json.loads(line)
                self.known[result["key"]] = result

    def order(self, row):
        """What killed it in the campaign before; what has killed in this file, most for its time first; then what costs
        least. For fences and barriers, what the device watched says is first; for others it is last, as it is slow."""
        kills, before = self.kills[row["file"]], self.before.get(named(row))

        def rank(one):
            is_watched = "watched" in one["name"]
            is_last = is_watched != (row["kind"] in ("fence", "barrier"))
            return one["name"] != before, is_last, -kills[one["name"]] / (one["seconds"] + 0.01), one["seconds"]

        return sorted((one for one in self.measured if row["number"] in one["reached"]), key=rank)

    def is_known(self, row, depth):
        known = self.known.get(row["key"])
        if known is None or known["content"] != row["content"]:
            return False
        if known["verdict"] in ("killed", "timed out"):
            return True
        return known["tests"] == self.tests and known["depth"] >= depth

    def try_mutant(self, row, depth, passed=frozenset(), until=math.inf):
        """Runs the checks, but for those that it has passed before, up to depth of them in all; no result if there is
        no more time."""
        ranked = self.order(row)
        result = {"key": row["key"], "content": row["content"], "tests": self.tests, "depth": depth}
        if not ranked:
            return {**result, "verdict": "not reached"}, passed
        spent, passed = 0.0, set(passed)
        for one in ranked:
            if len(passed) >= depth:
                break
            if one["name"] in passed:
                continue
            if time.monotonic() > until:
                return None, passed
            limit = 1 + 4 * one["seconds"]
            status, seconds = runs.run(self.by_name[one["name"]], self.built, row["number"], cpu_seconds=limit)
            spent += seconds
            if status not in (0, 77):
                return {**result, "verdict": "timed out" if status == "timed out" else "killed", "by": one["name"],
                        "seconds": round(spent, 2)}, passed
            passed.add(one["name"])
        return {**result, "verdict": "survived", "tried": len(passed), "seconds": round(spent, 2)}, passed

    def note(self, key, **more):
        """Keeps more about a result."""
        self.known[key] = {**self.known[key], **more}
        with self.kept.open("a") as kept:
            kept.write(json.dumps(self.known[key]) + "\n")
        return self.known[key]

    def rounds(self, wanted):
        """Barriers, fences and identities by every check that reaches them, the others by few; then what is left by
        as many as were asked for, but for what has a reason to survive."""
        rows = [row for row in self.rows if row["file"] in wanted]
        rows.sort(key=lambda row: next(place for start, place in PLACES if row["file"].startswith(start)))
        yield [row for row in rows if row["kind"] in FIRST], self.depth
        yield [row for row in rows if row["kind"] not in FIRST], min(FEW, self.depth)
        yield [row for row in rows if self.reasons.of(row) is None], self.depth

    def run(self, wanted, until=math.inf, say=print):
        passed = collections.defaultdict(frozenset)
        global asked  # what the processes below share with this one
        asked = self
        with self.kept.open("a") as kept, processes(self.jobs) as pool:
            for rows, depth in self.rounds(wanted):
                todo = [row for row in rows if not self.is_known(row, depth)]
                say(f"{len(todo)} mutants to try by {depth} checks")
                waiting, count = set(), 0
                while todo or waiting:
                    late = time.monotonic() > until
                    while todo and not late and len(waiting) < 2 * self.jobs:
                        row = todo.pop(0)
                        waiting.add(pool.submit(try_one, row, depth, passed[row["key"]], self.kills[row["file"]],
                                                until))
                    if late:
                        todo, waiting = [], {future for future in waiting if not future.cancel()}
                    done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                    for future in done:
                        result, ran, file = future.result()
                        if result is None:
                            continue
                        if "by" in result:
                            self.kills[file][result["by"]] += 1
                        passed[result["key"]] = frozenset(ran)
                        self.known[result["key"]] = result
                        kept.write(json.dumps(result) + "\n")
                        count += 1
                        if count % 200 == 0:
                            kept.flush()
                            say(f"{count}, {len(todo)} left")
                kept.flush()
                if time.monotonic() > until:
                    say("no more time")
                    break
        return {row["key"]: self.known[row["key"]] for row in self.rows
                if row["file"] in wanted and row["key"] in self.known}


asked = None


def try_one(row, depth, passed, kills, until):
    asked.kills[row["file"]] = kills
    return *asked.try_mutant(row, depth, passed, until), row["file"]
