# SPDX-License-Identifier: GPL-2.0
"""
unread.py COMMAND...: run COMMAND, whose standard error is a pipe that is full; send SIGTERM after some
seconds; print the exit status.
"""
import fcntl
import os
import subprocess
import sys
import time

source, pipe = os.pipe()
os.write(pipe, bytes(fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)))
process = subprocess.Popen(sys.argv[1:], stderr=pipe)
time.sleep(8)
process.terminate()
try:
    print("exit status", process.wait(20))
except subprocess.TimeoutExpired:
    process.kill()
    print("no exit status")
