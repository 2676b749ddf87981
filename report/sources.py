"""The kernel of a rung, as it stands beside this folder in the source tree, or where both are installed."""

import pathlib
import re

HIP = pathlib.Path(__file__).resolve().parent.parent / "hip"
ELSEWHERE = {"wavefold": "reduce/reduce.hip", "exact": "reduce/exact/exact.hip"}  # what wf_reduce itself runs


def files():
    """{name of the rung that the file is called after: path}"""
    found = {re.sub(r"^\d+_", "", path.stem): path for path in sorted(HIP.glob("progression/*.hip"))}
    return found | {name: HIP / path for name, path in ELSEWHERE.items() if (HIP / path).is_file()}


def source_of(rung, found):
    """(the file's name, its lines), or None. wave_atomic_v4 is an instance of wave_atomic, and three_fields_apart
    stands beside three_fields: the longest name that a rung's name begins with has it."""
    names = [name for name in found if rung == name or rung.startswith(name + "_")]
    if not names:
        return None
    path = found[max(names, key=len)]
    return path.relative_to(HIP.parent).as_posix(), path.read_text(encoding="utf-8").splitlines()
