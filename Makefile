# SPDX-License-Identifier: GPL-2.0

# Variables of the command line are for the scripts alone, not for each make that they run.
MAKEOVERRIDES =

.PHONY: help demo check check-debug next reach allocators soak bugs mutants mutants-tools fuzz bench series tools \
	deb distcheck kernel clean

help:
	@echo 'demo         boot a traced kernel in a virtual machine, run a load, report'
	@echo 'check        every test that a change must pass'
	@echo 'check-debug  the live tests under KASAN with lockdep, and under KCSAN'
	@echo 'next         does the series fit another kernel, KERNEL_SRC=?'
	@echo 'reach        what check has no time for, and the live tests on all kernels'
	@echo 'allocators   the same loads on SLAB, SLOB and SLUB: tables and plots'
	@echo 'soak         markers and modules that come and go, 10 minutes on each kernel'
	@echo 'bugs         a kernel with bugs: in which row of the report is each guilty function?'
	@echo 'mutants      each hook wrong in turn: does the accounting test notice?'
	@echo 'mutants-tools the tools wrong in 60 ways, one at a time: do their tests notice?'
	@echo 'fuzz         whatever a trace or a vmlinux holds: do its readers survive it?'
	@echo '             MINUTES=60'
	@echo 'bench        what an event, a site and whole loads cost, beside its peers:'
	@echo '             an hour or two, into out/bench.txt'
	@echo 'series       the patches as git format-patch writes them, into out/series'
	@echo 'tools        build kmemtraced, kmemtrace-check and kmemtrace-report'
	@echo 'deb          build the Debian packages and check them with lintian, into out/deb'
	@echo 'distcheck    make the tarball of the tools; build, test and install it elsewhere'
	@echo 'kernel       build the patched kernel of the virtual machine'
	@echo 'clean        remove out/ (what is expensive stays in the cache)'
	@echo
	@echo 'KERNEL=          6.12 (default), 6.1 or 7.2, for demo, series and kernel'
	@echo 'ALLOCATOR=       slub (default); slab or slob with KERNEL=6.1'
	@echo 'ARCH=            x86_64 (default), i386, arm64, s390x or riscv64, with KERNEL=6.12'
	@echo 'KERNEL_SRC=      another source of that kernel: a tree or a tarball'
	@echo 'KMEMTRACE_CACHE= what is expensive to make (default: ~/.cache/kmemtrace)'

demo:
	scripts/demo

check:
	scripts/check

check-debug:
	scripts/check-debug

next:
	scripts/next

reach:
	scripts/reach

allocators:
	scripts/allocators

soak:
	scripts/soak

bugs:
	scripts/bugs

mutants:
	scripts/mutants

mutants-tools:
	scripts/stage packages scripts/deps check fleet
	scripts/mutants-tools

fuzz:
	scripts/stage packages scripts/deps check
	scripts/stage fuzz scripts/fuzz $(MINUTES)
	@grep ^note: out/log/fuzz.log

bench:
	scripts/bench

series:
	scripts/series/mkseries

tools:
	scripts/stage packages scripts/deps
	scripts/stage tools scripts/build-tools

deb:
	scripts/stage packages scripts/deps check deb
	scripts/stage deb scripts/debian/deb
	@ls out/deb/*.deb

distcheck:
	scripts/stage packages scripts/deps check fleet
	scripts/stage distcheck scripts/distcheck

kernel:
	scripts/stage packages scripts/deps
	scripts/stage kernel scripts/kernel/build-kernel test

clean:
	rm -rf out
