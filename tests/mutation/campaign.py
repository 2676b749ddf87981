"""Runs the checks on each mutant until one fails."""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import tempfile
import threading

import checks
import runs


def digest_of(folder):
    """Of the tests: a survivor is tried again when they change."""
    sum_of = hashlib.sha256()
    for path in sorted((folder / "tree/tests").glob("*.[ch]*")) :
        sum_of.update(path.read_bytes())
    return sum_of.hexdigest()[:16]


FIRST = ("barrier", "fence", "identity")
LONGEST = 3.0  # seconds of CPU; what takes more is for ctest


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

    def stamp(check):
        text = (folder / f"tree/tests/{check.program}.c").read_bytes()
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
    with kept.open("a") as file, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(lambda check: measure(check, folder / "build", rows[-1]["number"]),
                            [check for check in every if check.name not in known]):
            file.write(json.dumps({**row, "stamp": stamp(by_name[row["name"]])}) + "\n")
            file.flush()
            known[row["name"]] = row
    found = [known[check.name] for check in every]
    for row in found:
        if row["status"] == "timed out":
            print(f"too long for mutants: {row['name']}")
        elif row["status"] not in (0, 77):  # 77: what this machine lacks
            raise SystemExit(f"with no mutant on, this fails ({row['status']}): {row['name']}")
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
        self.lock = threading.Lock()
        self.kept = self.folder / "results.jsonl"
        self.known = {}
        if self.kept.is_file():
            for line in self.kept.read_text().splitlines():
                result = json.loads(line)
                self.known[result["key"]] = result

    def order(self, row):
        """What has killed in this file, cheapest first; a check of each program and device; the rest as it comes."""
        kills = self.kills[row["file"]]
        families = set()

        def rank(one):
            check = self.by_name[one["name"]]
            family = (check.program, check.environment, check.arguments[:1])
            is_first = family not in families
            families.add(family)
            chance = hashlib.sha256((one["name"] + row["key"]).encode()).digest()
            return ("watched" in one["name"] and row["kind"] not in ("fence", "barrier"),  # slow
                    "watched" not in one["name"], kills[one["name"]] == 0, not is_first and not kills[one["name"]],
                    one["seconds"] if kills[one["name"]] else 0, chance)

        reaching = sorted((one for one in self.measured if row["number"] in one["reached"]),
                          key=lambda one: one["seconds"])
        ranks = {one["name"]: rank(one) for one in reaching}
        return sorted(reaching, key=lambda one: ranks[one["name"]])

    def is_known(self, row):
        known = self.known.get(row["key"])
        if known is None or known["content"] != row["content"]:
            return False
        if known["verdict"] in ("killed", "timed out"):
            return True
        return known["tests"] == self.tests and known["depth"] >= self.depth

    def try_mutant(self, row):
        with self.lock:
            ranked = self.order(row)
        result = {"key": row["key"], "content": row["content"], "tests": self.tests, "depth": self.depth}
        if not ranked:
            return {**result, "verdict": "not reached"}
        spent = 0.0
        for tried, one in enumerate(ranked):
            if tried >= self.depth:
                break
            limit = 2 + 4 * one["seconds"]
            status, seconds = runs.run(self.by_name[one["name"]], self.built, row["number"], cpu_seconds=limit)
            spent += seconds
            if status not in (0, 77):
                with self.lock:
                    self.kills[row["file"]][one["name"]] += 1
                return {**result, "verdict": "timed out" if status == "timed out" else "killed", "by": one["name"],
                        "seconds": round(spent, 2)}
        return {**result, "verdict": "survived", "tried": min(len(ranked), self.depth), "seconds": round(spent, 2)}

    def note(self, key, **more):
        """Keeps more about a result."""
        self.known[key] = {**self.known[key], **more}
        with self.kept.open("a") as kept:
            kept.write(json.dumps(self.known[key]) + "\n")
        return self.known[key]

    def run(self, wanted, say=print):
        todo = [row for row in self.rows if row["file"] in wanted and not self.is_known(row)]
        todo.sort(key=lambda row: FIRST.index(row["kind"]) if row["kind"] in FIRST else len(FIRST))
        say(f"{len(todo)} mutants to try")
        count = 0
        with self.kept.open("a") as kept, concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for future in concurrent.futures.as_completed([pool.submit(self.try_mutant, row) for row in todo]):
                result = future.result()
                self.known[result["key"]] = result
                kept.write(json.dumps(result) + "\n")
                kept.flush()
                count += 1
                if count % 100 == 0:
                    say(f"{count} of {len(todo)}")
        return {row["key"]: self.known[row["key"]] for row in self.rows
                if row["file"] in wanted and row["key"] in self.known}
