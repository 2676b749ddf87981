"""Results as JSON, as `wavefold report` reads them: whatever a file has, it is read, or refused with a sentence.

Needs atheris, libFuzzer for Python, and Jinja2. What is read becomes a page, without pictures: matplotlib would take
longer than all the rest, and is not needed.
"""

import json
import math
import os
import random
import sys
import tempfile
from unittest.mock import MagicMock

import atheris

for module in ("matplotlib", "matplotlib.figure", "matplotlib.patches", "matplotlib.ticker"):
    sys.modules[module] = MagicMock()
with atheris.instrument_imports(include=["document", "results", "ladder_runs", "timings", "explanations",
                                         "instruction_mix", "tree", "words", "seeds", "page"]):
    import page
    import results
    from failure import Failure

page.plots_of = lambda draw, name: {"wide": "", "narrow": ""}


def ask(read):
    """The page, and what its pictures ask of results."""
    for ladder in read.ladders:
        assert all(page.ladder_plot.COLOURS[rung.group] for run in ladder.runs for rung in run.rungs)
    for steps in page.seeds.lecture_steps(read.ladders):
        assert all(math.isfinite(times or 0) for times in steps.times)
    assert all(0 < timing.ratio < math.inf for timing in read.exact)
    text = page.render(read, {})
    assert text.endswith("</html>\n") and text.encode()


ODD = (None, True, -1, 0, 0.5, 1e-320, 1e308, 10**400, "", "\ud800", "_", "scans", "WRONG", "inf", "nan", "a" * 300,
       "\x1b[2J", "<b>", [], {}, [[]], [0], [-1.0])


def parts_of(value, found):
    """(container, key) of every value inside."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            parts_of(value[key], found)
    return found


def change_tree(data, choose):
    """Another document: a value is replaced, left out, or put where another one is."""
    document = json.loads(data)
    parts = parts_of(document, [])
    container, key = choose.choice(parts)
    kind = choose.randrange(3)
    if kind == 0:
        container[key] = choose.choice(ODD)
    elif kind == 1:
        del container[key]
    else:
        other, place = choose.choice(parts)
        container[key] = json.loads(json.dumps(other[place]))
    return json.dumps(document).encode()


def mutate(data, most, seed):
    choose = random.Random(seed)
    if choose.randrange(4) != 0:
        try:
            changed = change_tree(data, choose)
            if len(changed) <= most:
                return changed
        except (ValueError, TypeError, IndexError, RecursionError):
            pass  # no document any more: its bytes are changed
    return atheris.Mutate(data, most)


def try_one(data):
    descriptor, path = tempfile.mkstemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        os.write(descriptor, data)
        os.close(descriptor)
        ask(results.read_all([path]))
    except Failure as failure:
        message = str(failure)
        assert message and message.isprintable(), message
    finally:
        os.unlink(path)


atheris.Setup(sys.argv, try_one, custom_mutator=mutate)
atheris.Fuzz()
