# SPDX-License-Identifier: GPL-2.0
"""
terminal.py PROGRAMS CRASH TRACE...: let each name in these traces, and in files for the importer,
control a terminal. Nothing that the programs in the folder PROGRAMS print of them, of a command line,
or of files with such names, may do so. CRASH is the folder of kmemtrace-crash.

A name in a text gets all that is forbidden. In binary files, letters of names become bytes that are
forbidden, so that each name keeps its length.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys

# Commands, as bytes and as characters of UTF-8, and what turns the direction of a text.
EVIL = b"\x1b]0;x\x07\x1b[2J\x9b31m\xc2\x9b2J\r\x08\x7f\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f"
SHORT = b"\x1b\x9b\r\x07\xc2\x9b\xe2\x80\xae\x7f"
FORBIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# The colours of a text, where they are asked for.
COLOURS = re.compile(r"\x1b\[(1|31)?m")
# A name in a binary file.
NAME = re.compile(rb"[A-Za-z_/\[][A-Za-z_0-9/.\[\]-]{3,}")
# Keys of the metadata whose values may be any text.
FREE = (b"kernel_release", b"machine", b"build_id", b"cmdline", b"state", b"source", b"missed",
        b"unseen")
SEEN, FAILED = {}, []


def run(program, *arguments, stdin=b"", env=None):
    """Run a program. What it prints must be safe."""
    command = [program if b"/" in os.fsencode(program) else f"{PROGRAMS}/{program}", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120,
                          env=env)
    for data in done.stdout, done.stderr:
        try:
            text = data.decode()
            if "always" in arguments:
                text = COLOURS.sub("", text)
            if not FORBIDDEN.search(text):
                continue
        except UnicodeDecodeError:
            pass
        FAILED.append(f"{command} prints {data[:1000]}")
    if done.returncode < 0 or done.returncode > 127:
        FAILED.append(f"{command}: status {done.returncode}")
    # "\x1b" as text: the name was there.
    SEEN[program] = SEEN.get(program, 0) + ((rb"\x1b" in done.stdout + done.stderr) or
                                            rb"\033" in done.stdout + done.stderr)
    return done


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def poison_words(data):
    """Append to each word of a text that begins with a letter."""
    return re.sub(rb"([A-Za-z_][\w.]+)(?=[ \t\n\]])", lambda m: m[1] + EVIL, data)


def poison_metadata(data):
    return b"".join(line[:-1] + EVIL + b"\n" if line.split(b":")[0] in FREE else line
                    for line in data.splitlines(keepends=True))


def shorten(match):
    name = match[0]
    return (SHORT * (len(name) // len(SHORT) + 1))[:len(name) - 1] + name[-1:]


def poison_names(data, only=NAME):
    return re.sub(only, shorten, data)


def poison_trace(trace):
    for name in os.listdir(trace):
        how = {"metadata": poison_metadata, "info": poison_words}.get(
            name, poison_words if "." not in name else poison_names)
        if not name.endswith(".zst"):
            write(f"{trace}/{name}", how(read(f"{trace}/{name}")))


def pack(trace):
    """Return the trace as kmemtraced -o - sends it."""
    data = b"kmemtrace-stream 1\n"
    for name in sorted(os.listdir(trace)):
        part = read(f"{trace}/{name}")
        data += f"{name} {len(part)}\n".encode() + part
    return data + b"end\n"


def views(program, option):
    """Return the names that an option lists."""
    text = run(program, option, "list").stdout.decode()
    return re.findall(r"^  ([a-z_]+) ", text, re.M)


def long_options(program):
    """Return the options with an argument."""
    return re.findall(r" (--[a-z-]+) [A-Z]", run(program, "--help").stdout.decode())


def read_trace(trace):
    """Let all readers of kmemtrace read a trace."""
    run("kmemtrace-report", "--color", "always", trace)
    run("kmemtrace-report", "--show", "all", "-n", "1000", trace)
    for group in ("function", "module", "stack", "task", "process", "cgroup", "cache", "site"):
        run("kmemtrace-report", "--group-by", group, trace)
    run("kmemtrace-report", "--folded", trace)
    run("kmemtrace-report", "--json", trace)
    run("kmemtrace-report", "--diff", trace, trace)
    run("kmemtrace-report", "--growth", trace, trace)
    for relation in views("kmemtrace-report", "--csv"):
        run("kmemtrace-report", "--csv", relation, trace)
    run("kmemtrace-report", "-", stdin=pack(trace))
    run("kmemtrace-top", "-b", "2", "-", stdin=pack(trace))
    for space in ("slab", "pages"):
        for group in ("cache", "task", "cgroup") if space == "slab" else ("task", "cgroup"):
            run("kmemtrace-top", "-b", "1", "-a", space, "-g", group, "-", stdin=pack(trace))
    run("kmemtrace-check", trace)
    for form in ("speedscope", "csv"):
        run("kmemtrace-export", form, "-o", "-", trace)


def read_metadata(reader, trace):
    """Let each line of the metadata have a wrong value, and a wrong key."""
    lines = read(f"{trace}/metadata").splitlines(keepends=True)
    for i, line in enumerate(lines):
        key, _, value = line.partition(b": ")
        for wrong in (key + b": " + EVIL + b"\n", key + EVIL + b": " + value, EVIL):
            write(f"{trace}/metadata", b"".join(lines[:i] + [wrong] + lines[i + 1:]))
            run(reader, trace)


def run_on_terminal(*arguments, stdin):
    """
    Run kmemtrace-top on a terminal, and press q. ncurses writes commands, but none of those that the
    names are; these are escaped once.
    """
    write("stream", stdin)
    pid, terminal = pty.fork()
    if not pid:
        os.dup2(os.open("stream", os.O_RDONLY), 0)
        os.execve(f"{PROGRAMS}/kmemtrace-top", ["kmemtrace-top", *arguments],
                  {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "LINES": "50", "COLUMNS": "200"})
    data, pressed = b"", False
    try:
        while select.select([terminal], [], [], 60)[0]:
            data += os.read(terminal, 65536)
            if not pressed and b"ENDED" in data:
                pressed = os.write(terminal, b"q")
    except OSError:
        # The program has ended.
        pass
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status or not pressed:
        FAILED.append(f"kmemtrace-top {arguments} on a terminal: status {status}: {data[-500:]}")
    for command in b"\x1b]", b"\x9b", b"\x07", b"\x7f", b"\xe2\x80\xae", b"\\x5c":
        if command in data:
            FAILED.append(f"kmemtrace-top {arguments} writes {command} to the terminal")
    return rb"\x1b" in data


def read_command_lines():
    """Operands, options and their arguments, and files of such names."""
    evil = os.fsdecode(EVIL)
    for program in sorted(os.listdir(PROGRAMS)):
        if not os.path.isfile(f"{PROGRAMS}/{program}") or \
           not re.fullmatch("k(mem)?trace(d|-[a-z]+)", program):
            continue
        for arguments in ([evil], [evil] * 2, [f"--{evil}"], ["-" + evil], ["-", evil]):
            run(program, *arguments, stdin=EVIL)
        if program == "kmemtrace-crash":
            continue
        for option in long_options(program):
            run(program, f"{option}={evil}")
            run(program, f"{option}={evil}", "trace")
    run("kmemtrace-report", "-k", evil, "trace")
    write(evil, EVIL)
    run("kmemtrace-report", "-k", evil, "trace")
    for program in "kmemtrace-report", "kmemtrace-check":
        run(program, evil)
        for data in (b"kmemtrace-stream 1\n" + EVIL + b" 5\n", b"kmemtrace-stream 1\nmetadata 9\n"):
            run(program, "-", stdin=data)
    os.unlink(evil)


def read_import():
    """Poison one name of a file at a time, then all of them."""
    for name in sorted(name for name in os.listdir(".") if name.startswith("import.")):
        data = read(name)
        words = sorted(set(NAME.findall(data)))
        for only in [*(re.compile(re.escape(word)) for word in words[::len(words) // 40 + 1]), NAME]:
            write("poisoned", poison_names(data, only))
            shutil.rmtree("imported", ignore_errors=True)
            run("kmemtrace-import", "poisoned", "imported")
            if os.path.exists("imported/metadata"):
                run("kmemtrace-report", "--show", "all", "imported")
        shutil.rmtree("imported", ignore_errors=True)


def read_crash(folder):
    """A message and an exception of kmemtrace-crash."""
    for line in "common.say(text)", "raise common.Damage(text)", "sys.exit(text)":
        run(sys.executable, "-c", "import os, sys; sys.path.insert(0, sys.argv[1]); import common; "
            f"text = sys.argv[2]; {line}", folder, EVIL)


def read_long():
    """A character stays whole, wherever a buffer ends."""
    for before in "", "a":
        text = before + "\u00e9" * 20000
        if text.encode() not in run("kmemtrace-top", text).stderr:
            FAILED.append("a character is in two parts")


def main():
    traces = sys.argv[3:]
    for trace in traces:
        poison_trace(trace)
        if os.path.exists(f"{trace}/overflow"):
            for options in [], ["-l"], ["-l", "--json"], ["--json"]:
                run("ktrace-report", *options, trace)
        else:
            read_trace(trace)
    for reader, trace in (("kmemtrace-report", "who"), ("ktrace-report", "ktrace")):
        if os.path.exists(trace):
            read_metadata(reader, trace)
    # The names of these rows came to the terminal.
    for group in "cache", "task", "cgroup", "process":
        if not run_on_terminal("-g", group, "-", stdin=pack("who")):
            FAILED.append(f"kmemtrace-top -g {group} shows no name that is escaped")
    read_command_lines()
    read_import()
    read_crash(sys.argv[2])
    read_long()
    for text in FAILED:
        print("FAIL:", text)
    for program, number in sorted(SEEN.items()):
        print(f"{program}: {number} outputs with a name that is escaped")
        # The shell script kmemtrace-crash prints no argument.
        if not number and program != "kmemtrace-crash":
            FAILED.append(program)
    return bool(FAILED)


PROGRAMS = sys.argv[1]
sys.exit(main())
