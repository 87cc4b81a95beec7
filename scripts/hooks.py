#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the hooks in a patched kernel tree with the table of hooks.

A hook is, in a file of the kernel, a site of a marker, marker_call(NAME, ...),
or a call of kmemtrace_NAME(). A row of the table is: file, function, hook, count.

Usage: hooks.py check TREE	exit 1 where tree and scripts/hooks-VERSION differ
       hooks.py print TREE	print the table TREE would need
"""

import collections
import difflib
import os
import re
import sys

from overlay import git, kernel_version, read

HOOK = re.compile(r"\b(?:marker_call\s*\(\s*|(?=kmemtrace_\w+\s*\())(\w+)")
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*"
                      r'|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])+'", re.S)
BODY = re.compile(r"^\{.*\n(?:(?![{}]).*\n)*\}", re.M)
CPP_LINE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.M)
CALL = re.compile(r"(\w+)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
ATTRIBUTES = re.compile(r"(\s*__\w+(\s*\([^()]*\))?)*\s*")


def function_name(head):
    """The name of the function whose definition begins at the end of @head.

    It is the name before the parameters: what follows those are attributes.
    """
    head = CPP_LINE.sub("", head)
    for call in CALL.finditer(head):
        if ATTRIBUTES.fullmatch(head[call.end():]):
            return call[1]
    return "?"


def find_hooks(source):
    """Count the (function, hook) pairs in the text of a C file."""
    code = NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), source)
    found = collections.Counter()
    end = 0
    for body in BODY.finditer(code):
        hooks = HOOK.findall(body[0])
        if hooks:
            name = function_name(code[end:body.start()])
            found.update((name, hook) for hook in hooks)
        end = body.end()
    return found


def table(tree):
    """The rows for @tree: its base's files, as they are in the work tree."""
    files = git(tree, "diff", "--name-only", "--diff-filter=M", "base", "HEAD",
                "--", "*.[ch]").split()
    return [f"{file}\t{function}\t{hook}\t{count}" for file in files
            for (function, hook), count in
            sorted(find_hooks(read(f"{tree}/{file}")).items())]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "print"):
        sys.exit(__doc__)
    command, tree = sys.argv[1:]
    rows = table(tree)
    if command == "print":
        print("\n".join(rows))
        return
    path = f"{os.path.dirname(__file__)}/hooks-{kernel_version(tree)}"
    wanted = read(path).splitlines()
    if wanted != rows:
        sys.exit("\n".join(difflib.unified_diff(
            wanted, rows, path, f"hooks.py print {tree}", n=0, lineterm="")))


if __name__ == "__main__":
    main()
