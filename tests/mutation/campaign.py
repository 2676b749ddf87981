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
    for path in sorted((folder / "tree/tests").glob("*.[ch]*")) + sorted((folder / "tree/tests/mutation").glob("ch*.py")):
        sum_of.update(path.read_bytes())
    return sum_of.hexdigest()[:16]


def measure(check, built, count):
    """What a check costs with no mutant on, and which mutants' places it passes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(count + 1))
        file.flush()
        status, seconds = runs.run(check, built, reached=file.name)
        marks = pathlib.Path(file.name).read_bytes()
    if status == 77:
        return None  # what this machine lacks
    if status != 0:
        raise SystemExit(f"with no mutant on, this fails ({status}): {check.name}")
    return {"name": check.name, "seconds": seconds, "reached":
            "".join("1" if mark else "0" for mark in marks)}


def measured(folder, rows, jobs):
    """The same for every check, kept beside the build."""
    kept = folder / "measured.json"
    every = checks.every(folder / "tree")
    stamp = hashlib.sha256((folder / "mutants.json").read_bytes() + digest_of(folder).encode()).hexdigest()
    if kept.is_file():
        data = json.loads(kept.read_text())
        if data["stamp"] == stamp:
            return data["checks"]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda check: measure(check, folder / "build", len(rows)), every))
    found = [row for row in found if row is not None]
    kept.write_text(json.dumps({"stamp": stamp, "checks": found}))
    return found


class Campaign:
    def __init__(self, folder, jobs, depth):
        self.folder = pathlib.Path(folder).resolve()
        self.built = self.folder / "build"
        self.rows = json.loads((self.folder / "mutants.json").read_text())
        self.jobs, self.depth = jobs, depth
        self.tests = digest_of(self.folder)
        self.by_name = {check.name: check for check in checks.every(self.folder / "tree")}
        self.measured = measured(self.folder, self.rows, jobs)
        self.kills = collections.defaultdict(collections.Counter)
        self.lock = threading.Lock()
        self.kept = self.folder / "results.jsonl"
        self.known = {}
        if self.kept.is_file():
            for line in self.kept.read_text().splitlines():
                result = json.loads(line)
                self.known[result["key"]] = result

    def order(self, row):
        """What kills in this file first, then one check of each family by cost, then the rest."""
        reaching = [one for one in self.measured if one["reached"][row["number"]] == "1"]
        reaching.sort(key=lambda one: one["seconds"])
        families, first, rest = set(), [], []
        for one in reaching:
            check = self.by_name[one["name"]]
            family = (check.program, check.environment, check.arguments[:1])
            (rest if family in families else first).append(one)
            families.add(family)
        kills = self.kills[row["file"]]
        watched = row["kind"] in ("fence", "barrier")
        ranked = sorted(first + rest, key=lambda one: (
            -(watched and "watched" in one["name"]), -min(kills[one["name"]], 1), one["seconds"] if
            kills[one["name"]] else 0))
        return ranked

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

    def run(self, wanted, say=print):
        todo = [row for row in self.rows if row["file"] in wanted and not self.is_known(row)]
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
