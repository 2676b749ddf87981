"""A JSON file as checked parts: whoever takes a value says of what type it must be, and a wrong one is named."""

import json
import sys

import words
from failure import Failure

REMEDY = "write the file again with this version of wavefold"
# Of what is measured: beyond these, ratios of two and what a plot makes of them are no numbers any more.
LEAST, MOST = 1e-30, 1e30
MOST_COUNT = 2**64 - 1


def refuse_constant(text):
    raise ValueError(f"has the number {text}, which is no JSON")


def refuse_twice(pairs):
    """Of two values under one key a parser keeps the last: which one was meant cannot be known."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"has the key '{next(key for key in keys if keys.count(key) > 1)}' twice in one object")
    half = next((key for key in found if not is_text(key)), None)
    if half is not None:
        raise ValueError(f"has the key '{half}' with half a character")
    return found


def is_text(value):
    """JSON can write half of a pair of surrogates, which no encoding of text has."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def read_bytes(path):
    if path == "-":
        if sys.stdin is None:
            raise Failure("cannot read standard input: it is closed")
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def read(path):
    """The whole document. "-" is standard input."""
    name = "standard input" if path == "-" else words.name(path)
    try:
        value = json.loads(
            read_bytes(path).decode("utf-8-sig"), parse_constant=refuse_constant, object_pairs_hook=refuse_twice
        )
    except OSError as error:
        raise Failure(f"cannot read '{name}': {error.strerror}") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Failure(f"'{name}' is no JSON: {where}: {error.msg}; is it cut off, or not a result?") from error
    except UnicodeDecodeError as error:
        raise Failure(f"'{name}' is no JSON: byte {error.start} is not UTF-8; is it a result?") from error
    except RecursionError as error:
        raise Failure(f"'{name}' is nested too deeply to be a result") from error
    except ValueError as error:
        raise Failure(f"'{name}' {error}; {REMEDY}") from error
    return Part(name, "", value)


class Part:
    """A value of a document, and the way to it."""

    def __init__(self, file, where, value):
        self.file, self.where, self.value = file, where, value

    def fail(self, what, remedy=REMEDY):
        raise Failure(f"'{self.file}': {self.where or 'the document'} {what}; {remedy}")

    def has(self, key):
        return isinstance(self.value, dict) and key in self.value

    def get(self, key):
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        part = Part(self.file, f"{self.where}.{key}" if self.where else key, self.value.get(key))
        if key not in self.value:
            part.fail("is missing")
        return part

    def object(self, key):
        part = self.get(key)
        if not isinstance(part.value, dict):
            part.fail("must be an object")
        return part

    def members(self):
        """(key, part) of an object."""
        return [(key, self.get(key)) for key in self.value]

    def filled_list(self, key):
        found = self.list(key)
        if not found:
            self.get(key).fail("is empty")
        return found

    def list(self, key):
        part = self.get(key)
        if not isinstance(part.value, list):
            part.fail("must be an array")
        return [Part(self.file, f"{part.where}[{i}]", value) for i, value in enumerate(part.value)]

    def text(self, key):
        return self.get(key).as_text()

    def as_text(self):
        if not isinstance(self.value, str):
            self.fail("must be a text")
        if not is_text(self.value):
            self.fail("has half a character")
        return self.value

    def flag(self, key):
        part = self.get(key)
        if not isinstance(part.value, bool):
            part.fail("must be true or false")
        return part.value

    def number(self, key):
        return self.get(key).as_number()

    def as_number(self):
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            self.fail("must be a number")
        if abs(self.value) > MOST:  # an integer of hundreds of digits, which is no float, and 1e999, which is infinite
            self.fail(f"is beyond {MOST:g}, the most that can be shown")
        return self.value

    def count(self, key):
        part = self.get(key)
        if not isinstance(part.as_number(), int) or not 0 <= part.value <= MOST_COUNT:
            part.fail("must be a whole number from 0 to 2^64 - 1")
        return part.value

    def known(self, key, take):
        """What take finds under the key, or None where that is null or missing."""
        return None if not self.has(key) or self.value[key] is None else take(self, key)

    def finite(self, key):
        """A measure, None where it is null or, as wavefold writes what JSON has no number for, "inf" or "nan"."""
        if self.get(key).value in (None, "inf", "-inf", "nan"):
            return None
        if self.number(key) != 0 and self.value[key] < LEAST:
            self.get(key).fail(f"must be 0, or from {LEAST:g} to {MOST:g}")
        return self.value[key]

    def samples(self, key):
        """Seconds of repeated runs."""
        found = [part.as_number() for part in self.list(key)]
        if not found or not 1e-15 <= min(found) <= max(found) <= 1e15:  # so that ratios are numbers, too
            self.get(key).fail("must be an array of times in seconds, of 1e-15 to 1e15 each")
        return found
