#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# import-hostile.py IMPORT CHECK FILE...: run kmemtrace-import on damaged copies of each FILE: cut
# short, with sizes, offsets and counts that lie, with changed bytes. It has to end soon, within
# little memory, with a trace that kmemtrace-check can read or with an error and no trace. What
# this project reads itself must not crash.

import os
import random
import resource
import shutil
import struct
import subprocess
import sys

SECONDS = 100
# The limit of each process is 64 MB and a part for the file; the program itself has the rest.
MAX_RSS_KIB = 80 << 10
LIES = (0, 1, 7, 0xffff, 0x7fffffff, 0xffffffff, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
RANDOM = 40
CUTS = 32


def words_of(data):
    """Return offsets of numbers: all of the head, and those of a perf.data's sections."""
    places = list(range(8, min(len(data), 112), 8))
    if data.startswith(b'PERFILE2') and data[8] > 16:
        attrs, attrs_size, records, records_size = struct.unpack_from('<4Q', data, 24)
        places += range(attrs, attrs + min(attrs_size, 160), 8)
        places += range(records, records + min(records_size, 400), 8)
        end = records + records_size
        places += range(end, min(end + 160, len(data) - 8), 8)
        tracing = struct.unpack_from('<Q', data, end)[0]
        places += range(tracing, min(tracing + 600, len(data) - 8), 8)
    elif data.startswith(b'\x17\x08\x44tracing7'):
        options = struct.unpack_from('<Q', data, data.index(b'\0', 12) + 20)[0]
        places += range(options, min(options + 400, len(data) - 8), 8)
    else:
        places += range(112, min(len(data) - 8, 4096), 64)
    return [place for place in places if 0 <= place <= len(data) - 8]


def mutants(data):
    """Generate damaged copies, each with a text that describes it."""
    for i in range(CUTS):
        size = len(data) * i // CUTS
        yield f'cut to {size} bytes', data[:size]
    rng = random.Random(1)
    for place in words_of(data):
        copy = bytearray(data)
        lie, form = rng.choice(LIES), rng.choice(('<I', '<Q'))
        struct.pack_into(form, copy, place, lie & (1 << 8 * struct.calcsize(form)) - 1)
        yield f'{form} {lie:#x} at {place}', copy
    for i in range(RANDOM):
        copy = bytearray(data)
        for _ in range(1 + i % 8):
            copy[rng.randrange(len(copy))] = rng.randrange(256)
        yield f'random {i}', copy


def judge(program, check, copy, is_own):
    """Return what is wrong with a run, or None."""
    with open('mutant', 'wb') as file:
        file.write(copy)
    shutil.rmtree('imported', ignore_errors=True)
    try:
        run = subprocess.run([program, 'mutant', 'imported'], capture_output=True,
                             timeout=SECONDS, check=False)
        said = run.stderr.decode(errors='replace')
        if run.returncode not in (0, 2) or not said:
            return f'exit status {run.returncode}: {said}'
        if is_own and ('crashed' in said or 'it failed' in said or 'it stopped' in said):
            return said
        if run.returncode == 2:
            left = os.listdir('imported') if os.path.exists('imported') else []
            return f'{left} stays' if left else None
        run = subprocess.run([check, 'imported'], capture_output=True, timeout=SECONDS,
                             check=False)
    except subprocess.TimeoutExpired:
        return f'more than {SECONDS} s'
    if run.returncode not in (0, 1):
        return f'kmemtrace-check: {run.returncode}: {run.stderr.decode(errors="replace")}'
    return None


def main():
    program, check, *files = sys.argv[1:]
    bad = total = read = 0
    for path in files:
        with open(path, 'rb') as file:
            data = file.read()
        is_own = data.startswith(b'PERFILE2')
        for text, copy in mutants(data):
            wrong = judge(program, check, copy, is_own)
            total += 1
            read += os.path.exists('imported/metadata')
            if wrong:
                bad += 1
                print(f'FAIL: {path}, {text}: {wrong}')
    rss = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if rss > MAX_RSS_KIB and 'ASAN_OPTIONS' not in os.environ:
        bad += 1
        print(f'FAIL: a process had {rss} KiB of memory')
    print(f'{total} damaged files, {read} of which were read; at most {rss} KiB of memory')
    return bool(bad) or total < 100


sys.exit(main())
