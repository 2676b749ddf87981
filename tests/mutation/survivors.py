"""Why mutants survive: the file survivors.json beside this one, whose entries must each fit a survivor.

An entry names file and function, and of the mutants in there, by what is not left out: kind, text, change. Line numbers
are not among them, so that an entry holds as long as its line stands anywhere in the function.
"""
import json
import pathlib


FIELDS = ("file", "function", "kind", "text", "change", "ordinal")


def fits(entry, row):
    return all(entry[field] == row[field] for field in FIELDS if field in entry)


class Reasons:
    def __init__(self, root):
        path = pathlib.Path(root) / "tests/mutation/survivors.json"
        self.entries = json.loads(path.read_text()) if path.is_file() else []
        self.used = [False] * len(self.entries)

    def of(self, row):
        for number, entry in enumerate(self.entries):
            if fits(entry, row):
                self.used[number] = True
                return entry["reason"]
        return None

    def stale(self, files):
        return [entry for entry, used in zip(self.entries, self.used) if not used and entry["file"] in files]


def survived(row):
    return row["verdict"] in ("survived", "not reached")


def report(rows, reasons):
    """Says which survivors have no reason, and which reasons no survivor; how many of both."""
    count = 0
    for row in rows:
        if survived(row) and not row.get("equivalent") and reasons.of(row) is None:
            print(f"{row['verdict']}: {row['file']}:{row['line']}: {row['function']}: {row['kind']}: {row['text']}: "
                  f"{row['change']}")
            count += 1
    stale = reasons.stale({row["file"] for row in rows})
    for entry in stale:
        print(f"stale: no survivor is as survivors.json says: {json.dumps(entry)}")
    print(f"{len(rows)} mutants, {sum(row['verdict'] == 'killed' for row in rows)} killed, "
          f"{sum(row['verdict'] == 'timed out' for row in rows)} timed out, {sum(map(survived, rows))} not; "
          f"{count} of these with no reason, {len(stale)} stale reasons")
    return count + len(stale)
