#!/usr/bin/env python3
"""Checks that the ladder can be read rung by rung, and prints by how many lines each differs from its neighbour.

    tests/ladder/check_ladder.py [FOLDER]    (by default hip/progression)

Each NN_name.hip begins with "// name: title." Its head says "// Beside: other", a rung before it. At most 15 lines of
code differ between the two, or the head says "// Diff:   longer, because ...". The folder's README.md lists every file
once, in order, with its rung, title and neighbour. Every file has a row in src/ladder/ladder_map.h, in the same order,
and is included in the launch.hpp of one algorithm; rows of no file are WITHOUT_FILE.
"""
import difflib
import pathlib
import re
import sys

MOST = 15
ROOT = pathlib.Path(__file__).resolve().parents[2]
WITHOUT_FILE = ["sequential", "three_fields_apart", "wavefold", "exact", "bitonic_pairs"]  # or in another's


def code(text):
    """The lines that count: comments, includes and empty lines do not."""
    lines = (line.split("//")[0].rstrip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#include")]


def changed(a, b):
    """How many lines differ; one that takes the place of another counts once."""
    steps = difflib.SequenceMatcher(None, code(a), code(b), autojunk=False).get_opcodes()
    return sum(max(a_end - a_at, b_end - b_at) for kind, a_at, a_end, b_at, b_end in steps if kind != "equal")


def faults_of(name, texts):
    """What is wrong with a rung. texts: the files of this rung and of those before it."""
    head = texts[name].partition("\n#include")[0]
    labels = " ".join(re.findall(r"^// (Idea|Limit|Beside|Change|Diff): +\S", head, re.M))
    beside = beside_of(head)
    if not re.match(rf"// {name}: .+\.\n//\n", head):
        yield f'the first line is not "// {name}: title."'
    if len(texts) == 1:
        if labels != "Idea Limit Beside" or beside != "none":
            yield "the first rung's head says Idea, Limit, and Beside: none"
        return
    if not re.fullmatch("Idea Limit Beside Change( Diff)?", labels):
        yield "the head does not say Idea, Limit, Beside, Change, and perhaps Diff, in that order"
    if beside == name or beside not in texts:
        yield f'"{beside}" is no rung before this one'
        return
    lines = changed(texts[beside], texts[name])
    gives_reason = re.search(r"^// Diff:   longer, because \S", head, re.M) is not None
    print(f"{name:22} {beside:20} {lines:3}{'  longer' if gives_reason else ''}")
    if lines > MOST and not gives_reason:
        yield f'{lines} lines differ from {beside}, and there is no "// Diff:   longer, because ..."'
    if lines <= MOST and "Diff" in labels:
        yield f"{lines} lines differ from {beside}, which needs no reason"


def beside_of(head):
    found = re.search(r"^// Beside: (\S+)$", head, re.M)
    return found[1] if found else ""


def differences(listed, wanted, where, source):
    return list(difflib.unified_diff(listed, wanted, where, source, lineterm="", n=0))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "hip/progression")
    faults, texts, rows = [], {}, []
    for file in sorted(folder.glob("*.hip")):
        name = file.stem.partition("_")[2]
        texts[name] = file.read_text(encoding="utf-8")
        faults += [f"{file.name}: {fault}" for fault in faults_of(name, texts)]
        title = texts[name].partition("\n")[0].partition(": ")[2].rstrip(".")
        rows.append(f"[{file.name}]({file.name}) | {name} | {title} | {beside_of(texts[name])}")

    index = (folder / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (\[.*) \| [^|]*\w[^|]* \|$", index, re.M)  # without what the rung teaches
    faults += differences(listed, rows, "README.md", "the files")
    ladder = re.findall(r"^    RUNG\(X, (\w+),", (ROOT / "src/ladder/ladder_map.h").read_text(encoding="utf-8"), re.M)
    kernels = [kernel for kernel in dict.fromkeys(ladder) if kernel not in WITHOUT_FILE]
    faults += differences(kernels, list(texts), "src/ladder/ladder_map.h", "the files")
    launches = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "hip").glob("*/launch.hpp"))
    included = re.findall(r'^#include "progression/(\d\d_\w+)\.hip"$', launches, re.M)
    files = [file.stem for file in sorted(folder.glob("*.hip"))]
    faults += differences(sorted(included), files, "hip/*/launch.hpp", "the files")
    print("\n".join(faults) or f"{len(rows)} rungs, no faults")
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
