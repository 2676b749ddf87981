"""The folder that a campaign runs in: a copy of the tree with every mutant in, built; and the list of them.

DIR/tree, DIR/build, DIR/mutants.json. It can be carried to another machine of the same kind, which needs no compiler.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

import mutants

TARGETS = ["wavefold", "wavefold-host", "wavefold-watched", "wrapped-host", "wrapped-watched", "broken-host",
           "broken-amd", "noting-nvidia", "test_api", "test_rungs", "test_reduce", "test_rows", "test_scans",
           "test_sorts",
           "test_tuning", "test_exact", "test_message", "test_orders", "test_launches", "test_pool", "test_exact_words",
           "test_exact_rounding", "test_exact_bins-plain", "test_exact_bins-avx512", "test_moments"]


def copy_tree(root, tree, mutated):
    """What git knows or does not ignore; unchanged files keep their times, so that they are not compiled again."""
    names = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], check=True,
                           capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = pathlib.Path(root) / name, pathlib.Path(tree) / name
        if not source.is_file() or (name in mutated and target.is_file()):
            continue
        if not target.is_file() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)


def refused(output, tree, found):
    """Leaves out the points on the lines at which the compiler stopped: what it needs to know when it compiles."""
    paths = {os.path.realpath(pathlib.Path(tree) / name): name for name in found}
    lines, looking = set(), False
    for text in output.splitlines():
        place = re.search(r"(/[^\s:]+):(\d+):\d+:", text)
        before, looking = looking, looking or " error: " in text
        if place is None or not looking:
            continue
        path = os.path.realpath(place.group(1))
        if path in paths:
            lines.add((paths[path], int(place.group(2))))
            looking = False
    stopped = [point for points in found.values() for point in points
               if (point.file, point.line) in lines and not point.left_out]
    for point in stopped:
        point.left_out = True
    return stopped


def names_of(point):
    return [point.file, point.function, point.kind, point.text]


def build(root, folder, wanted, jobs):
    root, folder = pathlib.Path(root).resolve(), pathlib.Path(folder).resolve()
    tree, built = folder / "tree", folder / "build"
    found = mutants.find(root, set(wanted))
    copy_tree(root, tree, found)
    switch = tree / "tests/mutation/mutation_switch.h"
    flags = f"-w -D_GNU_SOURCE= -include {switch}"
    kept = folder / "left_out.json"  # what stopped the compiler before will stop it again
    known = json.loads(kept.read_text()) if kept.is_file() else []
    for points in found.values():
        for point in points:
            point.left_out = names_of(point) in known
    while True:
        mutants.write(root, tree, found)
        rows = mutants.listed(root, found)
        (folder / "mutants.json").write_text(json.dumps(rows, indent=0) + "\n")
        subprocess.run(["cmake", "-S", tree, "-B", built, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DWF_HOST=ON",
                        "-DWF_NVIDIA=OFF", "-DWF_AMD=OFF", "-DWF_MPI=OFF", "-DWF_STATIC=OFF",
                        f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags} -fpermissive",
                        "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"],
                       check=True, stdout=subprocess.DEVNULL)
        made = subprocess.run(["ninja", "-C", built, "-j", str(jobs), "-k", "0", *TARGETS], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        (folder / "build.log").write_text(made.stdout)
        if made.returncode == 0:
            return rows
        dropped = refused(made.stdout, tree, found)
        known += [names_of(point) for point in dropped]
        kept.write_text(json.dumps(known, indent=0) + "\n")
        print(f"{len(dropped)} places that the compiler must know are left out", flush=True)
        if not dropped:
            raise SystemExit(f"the mutated sources do not compile: {folder}/build.log")
