"""What ends the program with a message and status 1."""


class Failure(Exception):
    """Says what is wrong, where, and what to do; nothing of it is a mistake in the program. What files have in it must
    not steer the terminal."""

    def __init__(self, message):
        super().__init__("".join(c if c.isprintable() else "?" for c in message))
