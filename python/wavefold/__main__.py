"""`python -m wavefold ARGUMENT...` is the program `wavefold`."""
import os
import sys

from wavefold import _program


def main():
    program = _program.path()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
