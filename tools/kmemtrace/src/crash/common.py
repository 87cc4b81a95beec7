# SPDX-License-Identifier: GPL-2.0
"""Messages, and what goes wrong with a dump."""
import sys


class Visible:
    """
    A stream that prints what is no visible character as an escape sequence, such as "\\x1b". What a
    dump says, and the name of a file, must not control a terminal, also where Python prints an
    exception.
    """

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        return self.stream.write("".join(
            c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text))

    def flush(self):
        self.stream.flush()


sys.stdout, sys.stderr = Visible(sys.stdout), Visible(sys.stderr)

MAX_MESSAGES = 10


class Failure(BaseException):
    """
    Nothing can be written; the text says why, and what to do. It is no Exception: damaged memory
    may cause any of these, and the program goes on.
    """


class Damage(Exception):
    """A part of the dump makes no sense."""


def say(text):
    print(f"kmemtrace-crash: {' '.join(str(text).split())}", file=sys.stderr)


def count(number, noun):
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Doubts:
    """What is wrong with the trace; the first ones are printed."""

    def __init__(self):
        self.number = 0

    def add(self, text):
        self.number += 1
        if self.number <= MAX_MESSAGES:
            say(text)

    def end(self):
        if self.number > MAX_MESSAGES:
            say(f"and {count(self.number - MAX_MESSAGES, 'more problem')}")
