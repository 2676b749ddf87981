"""Every mutant of the chosen files, numbered, and the sources with all of them in."""
import collections
import hashlib
import os
import pathlib

import points
import sources


def find(root, wanted):
    """Points by file, of the files that any unit reads."""
    root = pathlib.Path(root).resolve()
    before = os.getcwd()
    os.chdir(root)
    found = {}
    try:
        for text, arguments, patterns in sources.units(root):
            mine = [name for name in sources.files(root, patterns) if name in wanted and name not in found]
            if not mine:
                continue
            unit = points.parse("hip/mutated_unit.cpp" if "c++" in arguments else "hip/mutated_unit.c", arguments,
                                [("hip/mutated_unit.cpp" if "c++" in arguments else "hip/mutated_unit.c", text)])
            found.update(points.of_unit(root, unit, set(mine)))
    finally:
        os.chdir(before)
    return found


def listed(root, found):
    """A row for each mutant, in the order of the numbers that rewrite() gives; the first is 1."""
    rows, number = [], 0
    for name in sorted(found):
        content = hashlib.sha256((pathlib.Path(root) / name).read_bytes()).hexdigest()[:16]
        times = collections.Counter()
        for point in found[name]:
            for change in point.changes:
                number += 1
                if point.left_out:
                    continue
                same = (point.function, point.kind, point.text, change)
                rows.append({"number": number, "key": points.key_of(point, change, times[same]),
                             "file": name, "content": content, "function": point.function, "line": point.line,
                             "kind": point.kind, "text": point.text, "change": change, "ordinal": times[same]})
                times[same] += 1
    return rows


def write(root, tree, found):
    """The mutated text of each file into tree."""
    number = 1
    for name in sorted(found):
        text, number = points.rewrite((pathlib.Path(root) / name).read_bytes(), found[name], number)
        path = pathlib.Path(tree) / name
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
