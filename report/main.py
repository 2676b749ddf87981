#!/usr/bin/env python3
"""What `wavefold report` runs: makes one HTML page from results of wavefold.

The program has checked the command line; its own path is given for what it says of the rungs.
"""

import argparse
import importlib.util
import json
import os
import signal
import sys

import words
from failure import Failure
from results import read_all
from whole_file import write_out, write_whole

DEBIAN = "/usr/bin/python3"  # the Python that Debian's packages are for
NOT_HTML = (".pdf", ".png", ".svg")


def lack_of(library):
    return Failure(f"the report needs {library}, which {sys.executable} does not have: install python3-jinja2 and "
                   "python3-matplotlib (Debian, Ubuntu)")


def require_libraries():
    """Where another Python comes first on PATH, Debian's may still have them."""
    for library in ("jinja2", "matplotlib"):
        if importlib.util.find_spec(library) is None:
            if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
                os.execv(DEBIAN, [DEBIAN, "-B", *sys.argv])
            raise lack_of(library)


def summary_of(results, arguments, text):
    return {"output": words.name(arguments.output), "bytes": len(text.encode()),
            "inputs": [{"file": file, "kind": kind} for file, kind, _ in results.inputs]}


def require_html(path):
    """Nobody could open what such a name would hold."""
    if path.lower().endswith(NOT_HTML):
        raise Failure(f"cannot write '{words.name(path)}': the report is one page of HTML; name it so, as page.html, "
                      "and print that from a browser")


def make(arguments):
    require_html(arguments.output)
    require_libraries()  # first: another Python could not read standard input again
    results = read_all(arguments.results)
    try:
        import page  # and with it the libraries, which take longer than the rest
    except ImportError as error:
        raise lack_of(error.name or f"Jinja2 and matplotlib ({error})") from error
    text = page.render(results, page.known_rungs(arguments.wavefold))
    write_whole(arguments.output, text)
    made = summary_of(results, arguments, text)
    if arguments.json is not None:
        write_whole(arguments.json, json.dumps(made, indent=2) + "\n")
    if not arguments.quiet and "-" not in (arguments.output, arguments.json):
        files = f"{len(made['inputs'])} file{'' if len(made['inputs']) == 1 else 's'}"
        # Not every terminal has every character of a name.
        write_out(f"{made['output']}: {made['bytes'] / 1e6:.2f} MB, from {files}\n",
                  lambda line: line.encode(sys.stdout.encoding, "replace"))


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as for the program's other commands: who read has had enough
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interruption ends it without a word, as any program
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--wavefold", required=True, help="the program")
    parser.add_argument("--json")
    parser.add_argument("--quiet", action="store_true")
    try:
        make(parser.parse_args())
    except Failure as failure:
        print(f"wavefold: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
