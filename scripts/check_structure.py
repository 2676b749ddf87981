#!/usr/bin/env python3
"""Whether the tree is as CONTRIBUTING.md says: no two files of one name, no circles, a platform's code in its folder.

    scripts/check_structure.py [BUILD]

Circles among files that include each other; and, with a folder in which the host side was built, among the files of the
library, the oracle and the program that call each other, as nm reads their objects. A file and its header are one.

What joins ranks by an engine uses the library as any program does: it includes its own files, and public headers.

Outside the folders of platforms, what tells platforms apart may choose an #include, and nothing else; and no code there
says a vendor's names.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOTS = [ROOT / "src", ROOT / "hip", ROOT / "include"]
SOURCES = {".c", ".h", ".cpp", ".hpp", ".hip"}
RUNG = re.compile(r"\d\d_")  # a rung may be called like the header that it stands on
OF_EACH_ALGORITHM = {"request.h", "launch.hpp", "plan.h", "plan.c"}

# The folders of platforms, and whose names stand there.
PLATFORMS = {"hip/amd/": {"hip", "amd", "asm"}, "hip/nvidia/": {"hip", "nvidia", "asm"}, "hip/gpu/": {"hip"},
             "hip/host/try/": {"hip", "nvidia", "asm"}, "hip/host/": {"asm"}, "src/nccl/engine.h": {"hip", "nvidia"}}
ADAPTERS = ["src/mpi/", "src/nccl/"]  # of engines that join ranks
OVER_RANKS = ("src/mpi/", "src/mpi_cli/", "src/nccl/")  # what not every build has
CHOICE = {"else", "elif", "endif", "include", "error"}  # of what a choice of a platform consists
OF_THE_RUNTIME = {"hip/backend.hip", "hip/hold.hip", "hip/read_ceiling.hip"}  # for GPUs alone, in HIP's names
TELLS_PLATFORMS_APART = re.compile(
    r"\b(WF_(HOST|AMD|NVIDIA)_DEVICE|WF_WAVE_WIDTH|__CUDA\w*|__NVCC__|CUDART_VERSION|__HIP\w*|HIP_VERSION|__AMDGCN\w*"
    r"|__gfx\w*)\b")
NAMES = {
    "hip": r"hip[A-Z]\w*|HIP_[A-Z]\w*|threadIdx|blockIdx|blockDim|gridDim|__syncthreads\w*|__threadfence\w*"
           r"|atomic[A-Z]\w*|__shfl\w*|__ballot\w*|__clzll",
    "amd": r"__builtin_amdgcn_\w+|__hip_atomic_\w+|_Float16",
    "nvidia": r"cuda[A-Z]\w*|__\w+_sync|__syncwarp|__dp[24]a|__v(min|max)[su][24]"
              r"|__nanosleep|__trap|__ld[gc]\w+|__popc\w*|__activemask",
    "asm": r"asm|__asm(?:__)?",
}


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
    for target in ("wavefold-objects", "wavefold-oracle", "wavefold-cli-parts", "wavefold-cli", "wavefold-mpi",
                   "wavefold-mpi-cli", "wavefold-nccl", "wavefold-rccl"):
        folder = build / "CMakeFiles" / f"{target}.dir"
        for obj in sorted(folder.rglob("*.c.o")):
            name = str(obj.relative_to(folder))[:-len(".c.o")]
            if (ROOT / f"{name}.c").exists():  # else it is left over from an earlier layout
                objects[str(obj)] = name
    sources = {unit(path) for path in files() if path.suffix == ".c" and not unit(path).startswith(OVER_RANKS)}
    if missing := sorted(sources - set(objects.values())):
        raise SystemExit(f"{build} holds no objects of {len(missing)} files, such as {missing[0]}.c: build the host "
                         "side first; a target of another name belongs into scripts/check_structure.py")
    listing = subprocess.run(["nm", "-A", "-g", *objects], capture_output=True, text=True, check=True).stdout
    for obj, kind, symbol in re.findall(r"^(.*?):\S* +([A-Za-z]) (\S+)$", listing, flags=re.MULTILINE):
        if kind == "U":
            needs[objects[obj]].add(symbol)
        else:
            defines[symbol] = objects[obj]
    return {name: {defines[symbol] for symbol in symbols if symbol in defines} - {name}
            for name, symbols in needs.items()}


def without_comments(text):
    """Comments and strings become blanks; lines stay where they are."""
    blank = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', flags=re.DOTALL)
    return blank.sub(lambda found: '""' if found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0]), text)


def platform_of(name):
    return next((allowed for folder, allowed in PLATFORMS.items() if name.startswith(folder)), None)


def platform_findings():
    found = []
    for path in files():
        name = str(path.relative_to(ROOT))
        allowed = platform_of(name)
        lines = without_comments(path.read_text()).splitlines()
        choices = []  # the conditions around a line: whether each chooses a platform
        for number, line in enumerate(lines, 1):
            directive = re.match(r"\s*#\s*(\w+)", line)
            word = directive[1] if directive else ""
            if word == "endif":
                choices.pop()
            elif word in ("if", "ifdef", "ifndef"):
                choices.append(False)
            if word in ("if", "ifdef", "ifndef", "elif") and TELLS_PLATFORMS_APART.search(line):
                choices[-1] = True
            elif allowed is None and (macro := TELLS_PLATFORMS_APART.search(line)):
                found.append(f"{name}:{number}: {macro[0]} tells platforms apart, other than to choose an #include")
            elif allowed is None and any(choices) and line.strip() and word not in CHOICE:
                found.append(f"{name}:{number}: a platform's own code, which belongs into a file of the platform")
                choices = [False] * len(choices)  # told once
            for vendor, names in NAMES.items():
                here = vendor in (allowed or ()) or vendor == "hip" and name in OF_THE_RUNTIME
                if not here and (spelled := re.search(rf"\b({names})\b", line)):
                    found.append(f"{name}:{number}: {spelled[0]} belongs into a file of the platform")
    return found


def adapter_findings():
    """Quoted includes that are not of the adapter's own folder, in which they would be found first."""
    return [f"{path.relative_to(ROOT)} includes {name}, which is not its own: an adapter uses public headers alone"
            for folder in ADAPTERS for path in sorted((ROOT / folder).iterdir())
            for name in re.findall(r'^#include "([^"]+)"', path.read_text(), flags=re.MULTILINE)
            if not (path.parent / name).is_file()]


def is_of_vendor(path):
    """A header in place of a vendor's, with the vendor's name."""
    return path.is_relative_to(ROOT / "hip/host/try") and path.suffix == ".h"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    asked = parser.parse_args()
    findings = platform_findings() + adapter_findings()
    names = collections.defaultdict(list)
    for path in files():
        if not RUNG.match(path.name) and path.name not in OF_EACH_ALGORITHM and not is_of_vendor(path):
            names[path.name].append(str(path.relative_to(ROOT)))
    findings += [f"files of one name: {', '.join(paths)}" for paths in names.values() if len(paths) > 1]
    findings += [f"include each other in a circle: {', '.join(part)}" for part in circles(includes())]
    if asked.build is not None:
        called = calls(asked.build)
        findings += [f"call each other in a circle: {', '.join(part)}" for part in circles(called)]
    print("\n".join(findings) or "no two files of one name, no circles, platforms in their folders")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
