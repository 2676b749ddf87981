"""Trivial compiler equivalence: a mutant of which the compiler makes the same code in every unit is no mutant.

After Papadakis, Jia, Harman and Le Traon (2015). Each unit that has the file is compiled with the one mutant fixed, and
with none; what differs, differs mostly in the first.
"""
import hashlib
import json
import pathlib
import re
import shlex
import subprocess

TARGETS = ("wavefold-objects", "wavefold-emulated", "wavefold-host", "wavefold-native-plain", "wavefold-native-avx2",
           "wavefold-native-avx512")


class Compiler:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.built = self.folder / "build"
        self.units = {}
        commands = {}
        for entry in json.loads((self.built / "compile_commands.json").read_text()):
            commands[re.search(r" -o (\S+)", entry["command"]).group(1)] = entry["command"]
        deps = subprocess.run(["ninja", "-C", self.built, "-t", "deps"], check=True, capture_output=True, text=True)
        tree = str(self.folder / "tree") + "/"
        for block in deps.stdout.split("\n\n"):
            head, *names = block.strip().splitlines() or [""]
            output = head.split(": #deps")[0]
            target = re.match(r"CMakeFiles/([\w-]+)\.dir/", output)
            if target is None or target.group(1) not in TARGETS or output not in commands:
                continue
            for name in names:
                name = name.strip()
                if name.startswith(tree):
                    self.units.setdefault(name[len(tree):], []).append(commands[output])
        self.plain = {}

    def code(self, command, mutant):
        words = [word for word in shlex.split(command)]
        out = words.index("-o")
        del words[out:out + 2]
        made = subprocess.run([*words, "-O2", "-S", "-o", "-", f"-DWFM_FIXED={mutant}u"], cwd=self.built, check=True,
                              capture_output=True)
        return hashlib.sha256(made.stdout).digest()

    def same(self, row):
        commands = sorted(self.units.get(row["file"], []), key=lambda command: (
            "/" + pathlib.Path(row["file"]).stem not in command, "ladder_i32" not in command,
            "reduce_floats" not in command, ".cpp" in command))
        for command in commands:
            if command not in self.plain:
                self.plain[command] = self.code(command, 0)
            if self.code(command, row["number"]) != self.plain[command]:
                return False
        return bool(commands)
