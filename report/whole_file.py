"""Writes a file that appears complete, or not at all."""

import os
import signal
import sys
import tempfile

import words
from failure import Failure


def write_whole(path, text):
    """"-" is standard output; a device or a pipe is written to as it is, and so is the file that standard output or
    standard error writes, behind what it has."""
    try:
        if path == "-":
            write_out(text)
        elif os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif stream_of(path) is not None:
            with open(os.dup(stream_of(path)), "w", encoding="utf-8") as file:
                file.write(text)
        else:
            replace(os.path.realpath(path), text)  # a link keeps linking
    except OSError as error:
        raise Failure(f"cannot write '{words.name(path)}': {error.strerror}") from error


def write_out(text, encode=str.encode):
    """To standard output, past Python's own buffer: that would try once more when the program ends, and say so."""
    if sys.stdout is None:
        raise Failure("cannot write standard output: it is closed")
    try:
        with open(os.dup(sys.stdout.fileno()), "wb") as file:
            file.write(encode(text))
    except OSError as error:
        raise Failure(f"cannot write standard output: {error.strerror}") from error


def stream_of(path):
    """The descriptor of the standard stream that writes to this file, or None. So does src/cli/output/output_file.c."""
    if not os.path.isfile(path):
        return None
    for descriptor in (1, 2):
        try:
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                return descriptor
        except OSError:  # a stream that is closed
            pass
    return None


def mode_of(path):
    """The permissions that the file has, or that a new one gets."""
    if os.path.exists(path):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def replace(path, text):
    """By a file beside it, because a file can be renamed only within its file system. It stays behind of no
    interruption: they wait until it has the name."""
    waiting = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP, signal.SIGINT, signal.SIGTERM})
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".wavefold.", dir=os.path.dirname(path))
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                os.fchmod(file.fileno(), mode_of(path))
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
