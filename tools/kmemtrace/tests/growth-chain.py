#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""growth-chain.py I SHIFT: print trace I of a chain, from 0, as kmemtrace-asm reads it.

A trace begins I hours after the first one and lasts half an hour. All have a baseline. Live at
the end of trace I are

	leak	2 * (I + 1) objects of 64 bytes: the traces differ by 128 bytes
	saw	8 + I objects of 128 bytes if I is even, else 3
	flat	3 objects of 128 bytes
	gone	5 objects of 64 bytes in trace 0, then none
	step	4 objects of 64 bytes from trace 1 on
	pages	I + 1 pages, which are neighbours
	area	I // 2 vmalloc areas of 8192 bytes, whose baseline has call sites
	percpu	I + 1 objects of 64 bytes
	hidden	I objects of 96 bytes, which are allocated between the traces: more likely to go on
		growing than saw, though slower

SHIFT is added to the addresses of the call sites.
"""

import sys

HOUR = 3600 * 10**9
SITES = {name: 0xffffffff81001010 + int(sys.argv[2]) + 0x100 * i for i, name in enumerate(
    ("leak", "saw", "flat", "gone", "step", "pages", "area", "percpu"))}
CACHES = {64: 0xffff888000100000, 128: 0xffff888000100100, 96: 0xffff888000100200}
SLABS = {"leak": 0xffff888000010000, "saw": 0xffff888000020000, "flat": 0xffff888000030000,
         "gone": 0xffff888000040000, "step": 0xffff888000050000, "hidden": 0xffff888000060000}
SIZES = {"leak": 64, "saw": 128, "flat": 128, "gone": 64, "step": 64, "hidden": 96}
PAGES = 0xffff888000200000
AREAS = 0xffffc90000000000


def live(name, i):
    """Return the number of live objects of a site at the end of trace I."""
    return {"leak": 2 * (i + 1), "saw": 3 if i % 2 else 8 + i, "flat": 3, "gone": 0 if i else 5,
            "step": 4 if i else 0, "pages": i + 1, "area": i // 2, "percpu": i + 1,
            "hidden": i}[name] if i >= 0 else 0


def snapshot(i, time):
    """Print what is live at the begin of trace I."""
    for size, cache in CACHES.items():
        print(f'0 cache 0 88 1 0 {cache:#x} {size} {size} 0 {time} {size} "kmalloc-{size}"')
    for name, slab in SLABS.items():
        nr = live(name, i if name == "hidden" else i - 1)
        print(f"0 snapshot cache 64 0 {CACHES[SIZES[name]]:#x} {slab:#x} {SIZES[name]}"
              f" {SIZES[name]} 64 {time} {(1 << nr) - 1:#x}")
        print(f"0 snapshot pages 56 0 1 {slab:#x} 1 8192 0 {time}")
    if i:
        print(f"0 snapshot pages 56 0 1 {PAGES:#x} 1 {4096 * i} 0 {time}")
        for n in range(live("percpu", i - 1)):
            print(f"0 snapshot percpu 56 -1 0 {0x8000 + 16 * n:#x} 64 64 0 {time}")
        for n in range(live("area", i - 1)):
            print(f"0 snapshot vmalloc 56 -1 {SITES['area']:#x} {AREAS + 16384 * n:#x}"
                  f" 8192 8192 0 {time}")
    print(f"0 snapshot end 56 0 0 0 0 0 0 {time}")


def changes(i, time):
    """Print what is allocated and freed in trace I."""
    for name, slab in SLABS.items():
        before, after, size = live(name, i - 1), live(name, i), SIZES[name]
        if name == "hidden":
            continue
        for n in range(before, after):
            print(f"0 alloc kmalloc 64 -1 {SITES[name]:#x} {slab + size * n:#x} {size} {size}"
                  f" 0xcc0 {time} {CACHES[size]:#x}")
        for n in range(after, before):
            print(f"0 free kmalloc 56 -1 {SITES[name]:#x} {slab + size * n:#x} 0 0 0 {time}")
    print(f"0 alloc pages 56 -1 {SITES['pages']:#x} {PAGES + 4096 * i:#x} 4096 4096 0xcc0 {time}")
    print(f"0 alloc percpu 56 -1 {SITES['percpu']:#x} {0x8000 + 16 * i:#x} 64 64 0xcc0 {time}")
    for n in range(live("area", i - 1), live("area", i)):
        print(f"0 alloc vmalloc 56 -1 {SITES['area']:#x} {AREAS + 16384 * n:#x} 8192 8192"
              f" 0xcc0 {time}")


def main():
    i = int(sys.argv[1])
    begin = 10**9 + i * HOUR
    print(f"0 clock 0 56 0 {begin} 0 0 0 0 {begin}")
    snapshot(i, begin)
    changes(i, begin + HOUR // 2)


if __name__ == "__main__":
    main()
