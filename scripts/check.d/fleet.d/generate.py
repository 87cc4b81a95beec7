#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""generate.py SEED MACHINES DIR: write MACHINES small traces, as text for kmemtrace-asm, with the
files beside them, into DIR/NAME each. Half of the machines run an older kernel.

Three regressions are planted: nf_conntrack_alloc has 40 % more live memory on the newer kernel;
on each 20th machine, ebitmap_set_bit allocates during the whole trace and never frees; and on one
machine, kvm_mmu_topup has 60 times the usual memory."""

import os
import random
import sys

# Functions, the bytes of an object, and how many are usually live.
FUNCTIONS = {
    "d_alloc": (192, 60), "alloc_inode": (1024, 40), "sock_alloc": (768, 20),
    "skb_clone": (256, 30), "vm_area_dup": (256, 50), "copy_process": (4096, 12),
    "getname_flags": (4096, 6), "ext4_alloc_inode": (1152, 30), "seq_open": (128, 15),
    "nf_conntrack_alloc": (512, 50), "ebitmap_set_bit": (1024, 12), "kvm_mmu_topup": (2048, 8),
}
KERNELS = ["6.12.80", "6.12.81"]
DURATION = 10**9
# All machines boot at different addresses.
TEXT = 0xffffffff81000000


def events_of(rng, machine, kernel):
    """Return (time, what, function, address, bytes) of each event of a machine."""
    events, address = [], 0xffff888000010000
    load = rng.lognormvariate(0, 0.25)
    for function, (size, usual) in FUNCTIONS.items():
        live = max(1, round(usual * load * rng.uniform(0.85, 1.15)))
        span = DURATION // 5
        if function == "nf_conntrack_alloc" and kernel == KERNELS[1]:
            live = round(1.4 * live)
        if function == "ebitmap_set_bit" and machine % 20 == 3:
            live, span = 8 * usual, DURATION
        if function == "kvm_mmu_topup" and machine == 777:
            live = 60 * usual
        # What stays is allocated in the first fifth; the rest lives briefly, all the time.
        for i in range(live):
            events.append((span * (i + 1) // (live + 1), "alloc", function, address, size))
            address += 4096
        for _ in range(live):
            time = rng.randrange(DURATION * 9 // 10)
            events.append((time, "alloc", function, address, size))
            events.append((time + rng.randrange(1, DURATION // 20), "free", function, address,
                           size))
            address += 4096
    return sorted(events)


def write_machine(rng, machine, path):
    kernel = KERNELS[machine % 2]
    slide = rng.randrange(512) << 21
    sites = {function: TEXT + slide + 4096 * i for i, function in enumerate(FUNCTIONS)}
    os.makedirs(path)
    with open(f"{path}/kallsyms", "w", encoding="ascii") as file:
        for function, at in sites.items():
            file.write(f"{at:016x} T {function}\n")
    with open(f"{path}/metadata", "w", encoding="ascii") as file:
        file.write(f"abi_version: 2\nbyte_order: little\nword_bits: 64\npage_size: 4096\n"
                   f"clock: local_clock\nkernel_release: {kernel}\nmachine: x86_64\n"
                   f"host: m{machine:04}\nboot_id: {rng.getrandbits(128):032x}\ncpus: 0\n"
                   f"overruns.cpu0: 0\nlost.cpu0: 0\ntotal_overruns: 0\nstate: complete\n")
    with open(f"{path}/trace.asm", "w", encoding="ascii") as file:
        file.write("0 clock 0 56 0 0 0 0 0 0 1000\n")
        for time, what, function, address, size in events_of(rng, machine, kernel):
            sizes = f"{size} {size} 0xcc0" if what == "alloc" else "0 0 0"
            file.write(f"0 {what} kmalloc 56 -1 {sites[function] + 16:#x} {address:#x} {sizes} "
                       f"{2000 + time}\n")


def main():
    rng = random.Random(int(sys.argv[1]))
    for machine in range(int(sys.argv[2])):
        write_machine(rng, machine, f"{sys.argv[3]}/m{machine:04}")


if __name__ == "__main__":
    main()
