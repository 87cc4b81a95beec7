# SPDX-License-Identifier: GPL-2.0
"""Messages, and what goes wrong with a dump."""
import sys

MAX_MESSAGES = 10


class Failure(Exception):
    """Nothing can be written; the text says why, and what to do."""


class Damage(Exception):
    """A part of the dump makes no sense."""


def say(text):
    print(f"kmemtrace-crash: {' '.join(str(text).split())}", file=sys.stderr)


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
            say(f"and {self.number - MAX_MESSAGES} more problems")
