#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the hooks in a patched kernel tree with the kernel's table of hooks.

A hook is a site of a marker, marker_call(NAME, ...), or a call of kmemtrace_NAME(), in a
file that the kernel has without the series. The table is kernels/VERSION/hooks, with the
columns file, function, hook, count.

Usage: hooks.py check TREE	exit 1 if the tree and the table differ
       hooks.py print TREE	print the table of the tree
       hooks.py path TREE	print the path of the table
"""

import collections
import difflib
import os
import re
import sys

from overlay import OverlayError, edits_of, git, read

HOOK = re.compile(r"\b(?:marker_call\s*\(\s*|(?=kmemtrace_\w+\s*\())(\w+)")
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*"
                      r'|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])+'", re.S)
BODY = re.compile(r"^\{.*\n(?:(?![{}]).*\n)*\}", re.M)
CPP_LINE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.M)
CALL = re.compile(r"(\w+)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
ATTRIBUTES = re.compile(r"(\s*__\w+(\s*\([^()]*\))?)*\s*")


def function_name(head):
    """Return the name of the function whose definition begins at the end of @head.

    The name is before the parameters; attributes may follow these.
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
    """Return the rows for @tree, from the kernel's files in the work tree."""
    files = git(tree, "diff", "--name-only", "--diff-filter=M", "base", "HEAD",
                "--", "*.[ch]").split()
    return [f"{file}\t{function}\t{hook}\t{count}" for file in files
            for (function, hook), count in
            sorted(find_hooks(read(f"{tree}/{file}")).items())]


def table_path(tree):
    """Return the path of the table for the kernel of @tree."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    return os.path.normpath(f"{top}/kernels/{edits_of(tree)}/hooks")


def difference(tree):
    """Return the difference between the table and the hooks in @tree, or ''."""
    path = table_path(tree)
    if not os.path.exists(path):
        return f"{path}: missing; 'scripts/series/hooks.py print {tree}' writes it"
    return "\n".join(difflib.unified_diff(
        read(path).splitlines(), table(tree),
        path, f"hooks.py print {tree}", n=0, lineterm=""))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    command, tree = sys.argv[1:]
    try:
        if command == "check":
            sys.exit(difference(tree) or 0)
        elif command == "print":
            print("\n".join(table(tree)))
        elif command == "path":
            print(table_path(tree))
        else:
            sys.exit(__doc__)
    except OverlayError as error:
        sys.exit(f"hooks.py: {error}")


if __name__ == "__main__":
    main()
