"""Results as JSON, as `wavefold report` reads them: whatever a file has, it is read, or refused with a sentence.

Needs atheris, libFuzzer for Python. Of what is read, trees are drawn and tables asked, as the page does.
"""

import json
import os
import random
import sys
import tempfile

import atheris

with atheris.instrument_imports(include=["document", "results", "ladder_runs", "timings", "explanations",
                                         "instruction_mix", "tree", "words"]):
    import results
    import tree
    from failure import Failure


def ask(read):
    """What the page asks of results, but for pictures."""
    for ladder in read.ladders:
        assert ladder.runs and ladder.largest.rungs is not None and ladder.title
        for run in ladder.runs:
            for rung in run.rungs:
                assert rung.group in rung.kind
    for reduction in read.reductions:
        assert reduction.clock and reduction.title
        found = reduction.largest
        assert found is None or found.gb_per_s >= 0
    for timing in read.exact:
        assert timing.ratio > 0
    for explanation in read.explanations:
        assert explanation.title and explanation.total
        assert explanation.trace is None or tree.draw(explanation.trace)
    for mix in read.mixes:
        assert mix.total >= 0


ODD = (None, True, -1, 0, 0.5, 1e308, 10**400, "", "inf", "nan", "a" * 300, "\x1b[2J", "<b>", [], {}, [[]], [0], [-1.0])


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
