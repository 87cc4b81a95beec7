#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
faults.py FAULTY [NAME...]: let each write of programs go wrong in turn, see faulty.c.

The standard input has the programs: lines "OUTPUT COMMAND...", such as "page.html kmemtrace-report
--html -o page.html ../trace". OUTPUT is the file or folder that COMMAND writes in an empty working
directory, "stdout" its standard output; "replaces:OUTPUT" is there already, as the file "old". Whatever
goes wrong,

- COMMAND ends with a status of its manual, and after a failed write with a message that names
  the file and the reason;
- OUTPUT is whole, or as before; nothing else is left;
- short and interrupted writes change nothing.
"""
import concurrent.futures
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FAILED, SIGNALLED = 2, 128
TEXTS = {"EIO": "Input/output error", "ENOSPC": "No space left on device"}
SIGNALS = {"SIGTERM": 15, "SIGINT": 2, "SIGKILL": 9}
# So many writes are tried, then every fourth, eighth and so on.
MOST = 40


def state_of(path):
    """Return what a file or a folder has; None: there is none."""
    if os.path.isdir(path):
        return {name: state_of(os.path.join(path, name)) for name in os.listdir(path)}
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


class Run:
    """A run of a command in a directory of its own."""

    def __init__(self, case, kind, number):
        self.case, self.kind, self.number = case, kind, number
        self.dir = tempfile.mkdtemp(dir=".")
        os.mkdir(f"{self.dir}/spool")
        os.mkdir(f"{self.dir}/work")
        self.output = f"{self.dir}/" + ("stdout" if case.output == "stdout" else
                                        f"work/{case.output}")
        if case.replaces:
            shutil.copy("old", self.output)
        with open(f"{self.dir}/stdout", "wb") as out, open(f"{self.dir}/stderr", "wb") as err, \
                open(case.input, "rb") as source:
            self.status = subprocess.run(
                [sys.argv[1], "../report", kind, str(number), *case.command],
                cwd=f"{self.dir}/work", env={**os.environ, "TMPDIR": f"{os.getcwd()}/{self.dir}/spool"},
                stdin=source, stdout=out, stderr=err, timeout=60, check=False).returncode
        self.write = state_of(f"{self.dir}/report").decode(errors="replace").strip()
        self.said = state_of(f"{self.dir}/stderr").decode(errors="replace")
        self.state = state_of(self.output)
        self.left = [name for name in os.listdir(f"{self.dir}/work") if name != case.output]
        self.left += os.listdir(f"{self.dir}/spool")
        shutil.rmtree(self.dir)

    def names_file(self):
        """Return whether the message names the file of the write."""
        if "/spool" in self.write and "temporary" in self.said:
            return True
        name = "standard output" if self.write.endswith("/stdout") else self.case.output
        return name in self.said

    def is_hidden(self, names):
        """Return whether the names are that of the output before it is whole."""
        return len(names) == 1 and re.fullmatch(rf"{self.case.output}\.\d+\.new", names[0])

    def complaint(self):
        """Return what is wrong with the run, or None."""
        is_whole = self.state == self.case.whole
        whole = is_whole and self.status == self.case.status
        before = state_of("old") if self.case.replaces else None
        if self.left and not (self.kind == "SIGKILL" and self.is_hidden(self.left)):
            return f"leaves {self.left}"
        if self.kind == "rough":
            return None if whole else "the output differs"
        if whole:
            return None
        is_before = self.state == before
        if self.case.output == "stdout":
            is_before = self.case.whole.startswith(self.state)
        elif self.kind == "SIGKILL" and self.case.is_unusable(self.state):
            is_before = True
        elif is_whole:
            # It was written before.
            is_before = self.kind in SIGNALS or self.write.endswith("/stdout")
        if not is_before:
            return "a part of the output is left"
        if self.kind in SIGNALS:
            # A process that has been killed may have been that which reads for another one.
            is_reader = self.kind == "SIGKILL" and self.status == FAILED
            return None if is_reader or self.status == SIGNALLED + SIGNALS[self.kind] else \
                "the status"
        if self.status != FAILED:
            return "the status"
        if TEXTS[self.kind] not in self.said:
            return "no reason"
        return None if self.names_file() else "the file has no name"


class Case:
    """A command, and what it writes."""

    def __init__(self, line):
        self.output, *self.command = shlex.split(line)
        self.replaces = self.output.startswith("replaces:")
        self.output = self.output.removeprefix("replaces:")
        self.line = line.strip()
        self.input = "/dev/null"
        if "<" in self.command:
            *self.command, _, self.input = self.command
        first = Run(self, "rough", 10**9)
        self.whole, self.status, self.said = first.state, first.status, first.said

    def is_unusable(self, state):
        """Return whether a folder is no trace: the metadata, which come last, are missing."""
        return isinstance(state, dict) and "metadata" not in state and \
            not any(name.endswith(".parquet") for name in state)

    def complaints(self):
        """Let each write go wrong, in each way, until one has a consequence that it may not have."""
        if not self.whole:
            yield f"{self.line}: exit status {self.status}: {self.said}"
            return
        tried = 0
        for kind in ["rough", "EIO", "ENOSPC", *SIGNALS]:
            number, step = 1, 1
            while (run := Run(self, kind, number)).write:
                tried += 1
                problem = run.complaint()
                if problem:
                    yield (f"{self.line}: {kind} at write {number} ({run.write}): {problem}; "
                           f"exit status {run.status}: {run.said}")
                if problem or kind == "rough":
                    break
                step += 4 * (number >= MOST)
                number += step
        print(f"{tried} faults: {self.line}")


def complaints(line):
    return list(Case(line).complaints())


def main():
    lines = [line for line in sys.stdin if line.strip()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(itertools.chain.from_iterable(pool.map(complaints, lines)))
    for text in found:
        print("FAIL:", text)
    sys.exit(bool(found))


main()
