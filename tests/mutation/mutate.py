"""scripts/mutate.sh: what is asked for, done in order."""
import argparse
import collections
import math
import pathlib
import sys
import time

import campaign
import equivalent
import survivors
import table

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate.sh")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--run-only", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--depth", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--programs", default="", type=lambda text: tuple(filter(None, text.split(","))))
    parser.add_argument("--folder", default="build-mutation")
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    folder = pathlib.Path(asked.folder).resolve()

    if not asked.run_only:  # what needs libclang
        import build
        import mutants
        import sources
        every = sources.every_file(ROOT)
    else:
        every = None

    def is_wanted(name):
        return not asked.files or any(name == file.rstrip("/") or name.startswith(file.rstrip("/") + "/")
                                      for file in asked.files)

    if asked.list:
        rows = mutants.listed(ROOT, mutants.find(ROOT, set(filter(is_wanted, every))))
        for row in rows:
            print(f"{row['file']}:{row['line']}: {row['kind']}: {row['text']}: {row['change']}")
        print(f"{len(rows)} mutants", file=sys.stderr)
        return 0
    if every is not None:
        chosen = list(filter(is_wanted, every))
        if not chosen:
            parser.error("no such file among those that have mutants: " + " ".join(asked.files))
        # The build has all files, so that it is the same whatever is asked for.
        build.build(ROOT, folder, every, asked.jobs)
    tried = campaign.Campaign(folder, asked.jobs, asked.depth, asked.programs)
    wanted = {row["file"] for row in tried.rows if is_wanted(row["file"])}
    results = tried.run(wanted, until, say=lambda text: print(text, flush=True))
    rows = [{**row, **results[row["key"]]} for row in tried.rows if row["key"] in results]
    reasons = survivors.Reasons(ROOT)
    if asked.compare:
        compiler = equivalent.Compiler(folder)
        for row in rows:
            if survivors.survived(row) and "equivalent" not in row and reasons.of(row) is None:
                row["equivalent"] = tried.note(row["key"], equivalent=compiler.same(row))["equivalent"]
    unexplained = survivors.report(rows, reasons)
    table.keep(folder, rows)
    if asked.table:
        print(table.tables(rows, reasons, collections.Counter(row["file"] for row in tried.rows)))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
