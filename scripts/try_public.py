#!/usr/bin/env python3
"""Runs `wavefold try` on every file of a folder and compares the verdicts with a table of truths. Downloads nothing.

    scripts/try_public.py build/bin/wavefold FOLDER [--truth TABLE] [--table FILE] [--seconds N] [--only TEXT]

The files of FOLDER run as programs with your permissions. A table of truths has tab-separated columns with a heading:
repository (owner/name, folder owner__name), path, and at_32: `right`, `wrong`, or another word, which is not compared.
Optional columns: arguments (of the program), mode. Without a table, all sources with a kernel are tried. The result has
a row per file; the summary counts the files that ran, the verdicts that differ from the truth, and the median time.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

AT_ONCE = 2
SPARE_SECONDS = 30  # for the compiler
RAN = ("right", "wrong", "unjudged")
Result = collections.namedtuple("Result", "repository path mode truth verdict seconds message")


def files_of(folder, truths):
    if truths:
        with open(truths, encoding="utf-8", newline="") as table:
            return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    sources = [path for path in sorted(folder.rglob("*")) if path.suffix in (".cu", ".hip", ".cpp")]
    return [{"repository": source.relative_to(folder).parts[0].replace("__", "/", 1),
             "path": str(pathlib.Path(*source.relative_to(folder).parts[1:]))}
            for source in sources if "__global__" in source.read_text(encoding="utf-8", errors="replace")]


def verdict_of(document, width=32):
    """The verdict at the width, and its first message."""
    if "widths" not in document:
        return "refused", json.dumps(document.get("error", document.get("unsupported")))
    answer = next(each for each in document["widths"] if each["wave"] == width)
    why = answer.get("stopped", {}).get("why", "")
    sentence = answer.get("judged", {}).get("sentence", "")
    messages = [finding["text"] for finding in answer["findings"]] + [why, sentence, json.dumps(answer.get("wrong"))]
    message = next(each for each in messages if each != "")
    if answer["clean"]:
        return "right" if answer["right"] else "unjudged", sentence
    return "time" if "did not end within" in message else "wrong", message


def tried(program, folder, row, seconds):
    source = folder / row["repository"].replace("/", "__", 1) / row["path"]
    arguments = row.get("arguments") or ""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        command = [program, "try", str(source), "--json", str(report), "--seconds", str(seconds)]
        command += ["--", *arguments.split()] if arguments else []
        start = time.monotonic()
        try:
            ran = subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=2 * seconds + SPARE_SECONDS, check=False)
            errors = ran.stderr.decode("utf-8", errors="replace")
        except subprocess.TimeoutExpired:
            ran, errors = None, ""
        took = time.monotonic() - start
        document = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None
    if document is not None:
        verdict, message = verdict_of(document)
    else:
        verdict = "hung" if ran is None else "crashed" if ran.returncode < 0 else "refused"
        message = next((line for line in errors.splitlines() if line.startswith("wavefold")), errors[:200])
    mode = document.get("mode", "") if document is not None else row.get("mode", "")
    return Result(row["repository"], row["path"], mode, row.get("at_32") or "", verdict, round(took, 1),
                  " ".join(message.split()))


def print_summary(results):
    ran = [result for result in results if result.verdict in RAN]
    verdicts = collections.Counter(result.verdict for result in results)
    print(f"{len(ran)} of {len(results)} files of {len({each.repository for each in ran})} repositories ran: "
          + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    for truth, verdict in (("right", "wrong"), ("wrong", "right")):
        missed = [result for result in ran if (result.truth, result.verdict) == (truth, verdict)]
        print(f"{truth} judged {verdict}: {len(missed)}")
        for result in missed:
            print(f"    {result.repository} {result.path}: {result.message}")
    if ran:
        print(f"median {statistics.median(result.seconds for result in ran):.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--truth", type=pathlib.Path)
    parser.add_argument("--table", type=argparse.FileType("w", encoding="utf-8"), default=sys.stdout)
    parser.add_argument("--seconds", type=int, default=10, help="the limit of a program")
    parser.add_argument("--only", default="", help="only files with this text in their path")
    options = parser.parse_args()
    rows = [row for row in files_of(options.folder, options.truth)
            if options.only in f"{row['repository']} {row['path']}"]
    program = str(options.program.resolve())
    writer = csv.writer(options.table, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\")
    writer.writerow(Result._fields)
    results = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for result in pool.map(lambda row: tried(program, options.folder.resolve(), row, options.seconds), rows):
            results.append(result)
            writer.writerow(result)
            options.table.flush()
    print_summary(results)


if __name__ == "__main__":
    main()
