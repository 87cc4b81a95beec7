#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that each commit of the series uses only symbols that are defined by then.

A symbol counts if the series defines it: "config NAME" in a line that the series adds to
a Kconfig file. No commit before that one may add a line with CONFIG_NAME, or with NAME
in a Kconfig file. Print one TAP result for each symbol.

Usage: check_symbols.py TREE
"""

import re
import sys

from overlay import git

DEFINITION = re.compile(r"(?:menu)?config (\w+)$")
CONFIG_USE = re.compile(r"\bCONFIG_(\w+?)(?:_MODULE)?\b")
KCONFIG_USE = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
KCONFIG_CODE = re.compile(r"\s*(depends|select|imply|default|def_bool|if|visible|bool)\b")


def added_lines(diff):
    """Yield (file, line) for each line that @diff adds."""
    file = None
    for line in diff.split("\n"):
        if line.startswith("+++ "):
            file = line[4:].removeprefix("b/")
        elif line.startswith("+"):
            yield file, line[1:]


def symbols(diff):
    """Return the symbols that @diff defines, and {symbol: first file that uses it}."""
    defined, used = set(), {}
    for file, line in added_lines(diff):
        is_kconfig = "Kconfig" in file
        definition = is_kconfig and DEFINITION.match(line)
        if definition:
            defined.add(definition[1])
            continue
        names = CONFIG_USE.findall(line)
        if is_kconfig and KCONFIG_CODE.match(line):
            names += KCONFIG_USE.findall(re.sub(r'"[^"]*"', "", line))
        for name in names:
            used.setdefault(name, file)
    return defined, used


def too_early(commits):
    """Return {symbol: None, or its first use if that is before its definition}.

    @commits is [(subject, diff)], in the order of the series.
    """
    verdicts, first_use = {}, {}
    for subject, diff in commits:
        defined, used = symbols(diff)
        for name in defined:
            verdicts.setdefault(name, first_use.get(name))
        for name, file in used.items():
            first_use.setdefault(name, f"{file} in '{subject}'")
    return verdicts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = sys.argv[1]
    log = git(tree, "log", "--reverse", "--format=%H %s", "base..HEAD")
    commits = [(subject, git(tree, "show", "--format=", "-U0", commit,
                             "--", ":!Documentation", ":!tools/kmemtrace"))
               for commit, _, subject in
               (line.partition(" ") for line in log.split("\n"))]
    verdicts = too_early(commits)
    for name, use in sorted(verdicts.items()):
        if use:
            print(f"not ok - CONFIG_{name}: used before its definition: {use}")
        else:
            print(f"ok - CONFIG_{name} is defined before its first use")
    sys.exit(not verdicts or any(verdicts.values()))


if __name__ == "__main__":
    main()
