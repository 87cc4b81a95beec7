#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# import-kmem.py REPORT KMEM: compare kmemtrace-report --json of an imported perf.data with
# "perf kmem --slab --page --caller --raw-ip stat" of the same file: allocations and bytes of each
# call site of the slab allocator, and the totals of pages.
#
# perf kmem counts a large kmalloc() twice where the kernel reports it twice. Then it has call
# sites in kmalloc() itself, which kmemtrace-report does not have.

import json
import re
import sys

ROW = re.compile(r' (0x[0-9a-f]+) *\| *(\d+)/\d+ *\| *(\d+)/\d+ *\| *(\d+) *\|')
PAGES = re.compile(r'Total (allocation|free) requests *: *(\d+) *\[ *(\d+) KB \]')
MIN_SITES = 20


def main():
    report = json.load(open(sys.argv[1], encoding='ascii'))
    text = open(sys.argv[2], encoding='ascii').read()
    ours = {int(s['address'], 16): (s['bytes'], s['bytes_req'], s['allocs'])
            for s in report['sites'] if s['allocator'] == 'slab' and s['allocs']}
    theirs = {int(site, 16): tuple(map(int, figures))
              for site, *figures in ROW.findall(text)}
    bad = [f'{site:#x}: {ours.get(site)}, perf kmem has {theirs[site]}'
           for site in theirs if ours.get(site) != theirs[site]]
    bad += [f'{site:#x}: {ours[site]}, perf kmem does not have it'
            for site in ours.keys() - theirs.keys()]
    pages, = (row for row in report['totals'] if row['allocator'] == 'pages')
    found = {kind: (int(nr), int(kib)) for kind, nr, kib in PAGES.findall(text)}
    if found['allocation'] != (pages['allocs'], pages['bytes'] // 1024):
        bad.append(f'pages: {pages}, perf kmem has {found["allocation"]}')
    if found['free'][0] != pages['free_calls']:
        bad.append(f'frees of pages: {pages}, perf kmem has {found["free"]}')
    if len(theirs) < MIN_SITES:
        bad.append(f'perf kmem has {len(theirs)} call sites, expected {MIN_SITES} and more')
    for line in bad:
        print(f'FAIL: {line}')
    print(f'{len(theirs)} call sites, {sum(t[2] for t in theirs.values())} allocations, '
          f'{found["allocation"][0]} of pages')
    return bool(bad)


sys.exit(main())
