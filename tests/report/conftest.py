"""Makes importable what is tested here, report/, scripts/ and bench/, and what the tests of the program share."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [*(str(TESTS.parent / name) for name in ("report", "scripts", "bench")), str(TESTS / "cli")]
