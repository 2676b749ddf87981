#!/usr/bin/env python3
"""Whether the tree is as CONTRIBUTING.md says: no two files of one name, no circles.

    scripts/check_structure.py [BUILD]

Circles among files that include each other; and, with a folder in which the host side was built, among the files of the
library, the oracle and the program that call each other, as nm reads their objects. A file and its header are one.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOTS = [ROOT / "src", ROOT / "hip", ROOT / "include"]
SOURCES = {".c", ".h", ".cpp", ".hpp", ".hip"}
RUNG = re.compile(r"\d\d_")  # a rung may be called like the header that it stands on


def files():
    return [path for root in ROOTS for path in sorted(root.rglob("*")) if path.suffix in SOURCES]


def unit(path):
    return str(path.relative_to(ROOT).with_suffix(""))


def circles(graph):
    """The strongly connected parts of more than one node (Tarjan 1972)."""
    number, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        on_stack.add(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on_stack.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in list(graph):
        if node not in number:
            visit(node)
    return found


def includes():
    graph = collections.defaultdict(set)
    for path in files():
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), flags=re.MULTILINE):
            for folder in [path.parent, *ROOTS]:
                target = (folder / name).resolve()
                if target.is_file():
                    graph[unit(path)].add(unit(target))
                    break
    return {node: others - {node} for node, others in graph.items()}


def calls(build):
    defines, needs, objects = {}, collections.defaultdict(set), {}
    for target in ("wavefold-objects", "wavefold-oracle", "wavefold-cli"):
        folder = build / "CMakeFiles" / f"{target}.dir"
        for obj in sorted(folder.rglob("*.c.o")):
            name = str(obj.relative_to(folder))[:-len(".c.o")]
            if (ROOT / f"{name}.c").exists():  # else it is left over from an earlier layout
                objects[str(obj)] = name
    listing = ""
    if objects:
        listing = subprocess.run(["nm", "-A", "-g", *objects], capture_output=True, text=True, check=True).stdout
    for obj, kind, symbol in re.findall(r"^(.*?):\S* +([A-Za-z]) (\S+)$", listing, flags=re.MULTILINE):
        if kind == "U":
            needs[objects[obj]].add(symbol)
        else:
            defines[symbol] = objects[obj]
    if not defines:
        raise SystemExit(f"{build} holds no objects of the host side: build it first")
    return {name: {defines[symbol] for symbol in symbols if symbol in defines} - {name}
            for name, symbols in needs.items()}


def main():
    findings = []
    names = collections.defaultdict(list)
    for path in files():
        if not RUNG.match(path.name):
            names[path.name].append(str(path.relative_to(ROOT)))
    findings += [f"files of one name: {', '.join(paths)}" for paths in names.values() if len(paths) > 1]
    findings += [f"include each other in a circle: {', '.join(part)}" for part in circles(includes())]
    if len(sys.argv) > 1:
        called = calls(pathlib.Path(sys.argv[1]))
        findings += [f"call each other in a circle: {', '.join(part)}" for part in circles(called)]
    print("\n".join(findings) or "no two files of one name, no circles")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
