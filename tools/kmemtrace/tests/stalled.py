#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
stalled.py STREAM STEP SIGNAL COMMAND...: read what COMMAND sends up to a STEP, then nothing more;
send SIGNAL; print the exit status and the seconds until then.

STEP is "begin", or a name and a number: the middle of the packet of that number of a file. STREAM
is what COMMAND sends to a reader that does not stall.
"""
import fcntl
import os
import signal
import subprocess
import sys
import time

# No write of the collector is larger: the pipe is full after the next one.
PIPE = 4096


def packets(data):
    """Yield the name, the begin and the end of each packet."""
    at = data.index(b"\n") + 1
    while True:
        end = data.index(b"\n", at)
        name, *size = data[at:end].decode().split()
        if not size:
            return
        yield name, at, end + 1 + int(size[0])
        at = end + 1 + int(size[0])


def middle(data, step):
    name, number = step.split(":")
    found = [(begin, end) for file, begin, end in packets(data) if file == name]
    begin, end = found[int(number)]
    return (begin + end) // 2


def main():
    stream, step, name, *command = sys.argv[1:]
    source, pipe = os.pipe()
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
    left = 0
    if step == "begin":
        os.write(pipe, bytes(PIPE))
    else:
        with open(stream, "rb") as file:
            left = middle(file.read(), step)
    daemon = subprocess.Popen(command, stdout=pipe)
    os.close(pipe)
    while left:
        data = os.read(source, min(left, PIPE))
        if not data:
            sys.exit("the stream is too short")
        left -= len(data)
    # Let the main thread come to where it waits.
    time.sleep(2)
    begin = time.monotonic()
    daemon.send_signal(getattr(signal, "SIG" + name))
    try:
        status = daemon.wait(20)
    except subprocess.TimeoutExpired:
        status = "none"
        daemon.kill()
    print(f"exit status {status} after {time.monotonic() - begin:.1f} s")


main()
