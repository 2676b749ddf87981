"""What ends the program with a message and status 1."""


class Failure(Exception):
    """Says what is wrong, where, and what to do; nothing of it is a mistake in the program."""
