"""The tables of a campaign, and its file mutation.json."""
import collections
import json

import survivors

KINDS = ("barrier", "fence", "identity", "bound", "constant", "operator", "condition", "statement", "result")


def verdict_of(row):
    if row.get("equivalent") and survivors.survived(row):
        return "equivalent"
    return row["verdict"]


def counted(rows, reasons):
    counts = collections.Counter(map(verdict_of, rows))
    left = counts["survived"] + counts["not reached"]
    judged = sum(verdict_of(row) in ("survived", "not reached") and reasons.of(row) is not None for row in rows)
    return [len(rows), counts["killed"], counts["timed out"], counts["equivalent"], judged, left - judged]


def line(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def cell(text):
    return "`" + text.replace("|", "\\|") + "`"


def keep(folder, rows):
    """Writes mutation.json, from which the next campaign takes the order of its test runs. Rows of files that were not
    tried now stay."""
    path, tried = folder / "mutation.json", {row["file"] for row in rows}
    kept = [row for row in json.loads(path.read_text()) if row["file"] not in tried] if path.is_file() else []
    kept += [{field: row[field] for field in ("file", "function", "line", "kind", "text", "change", "by")
             if field in row} | {"verdict": verdict_of(row)} for row in rows]
    path.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in kept) + "\n]\n")


def tables(rows, reasons, there):
    """Markdown. rows: the mutants that were tried; there: the number of mutants in each file."""
    by_file, by_kind = collections.defaultdict(list), collections.defaultdict(list)
    for row in rows:
        by_file[row["file"]].append(row)
        by_kind[row["kind"]].append(row)
    head = ["tried", "killed", "timed out", "equivalent", "survived for a reason", "not judged"]
    out = ["# Mutants", "",
           "Printed by `scripts/mutate.sh --table`. A mutant is one change of one place. Killed: a test failed with",
           "it; timed out: it did not end; equivalent: the compiler makes the same code of it. Each row of the build",
           "folder's `mutation.json` names the test run that killed it.", "",
           line(["kind", *head]), line(["---"] * 7)]
    out += [line([kind, *counted(by_kind[kind], reasons)]) for kind in KINDS if kind in by_kind]
    out += [line(["all", *counted(rows, reasons)]), "", line(["file", "there are", *head]), line(["---"] * 8)]
    out += [line([name, there[name], *counted(by_file[name], reasons)]) for name in sorted(by_file)]
    left = [row for row in rows if verdict_of(row) in ("survived", "not reached")]
    out += ["", "## Survivors", "", line(["place", "text", "change", "why"]), line(["---"] * 4)]
    for row in left:
        why = reasons.of(row) or ("not judged: no test run reaches it" if row["verdict"] == "not reached"
                                  else "not judged")
        out.append(line([f"{row['file']}:{row['line']}", cell(row["text"]), row["change"].replace("|", "\\|"), why]))
    return "\n".join(out)
