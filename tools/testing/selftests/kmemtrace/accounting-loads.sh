# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The loads, sourced by accounting.sh. A load is a function load_NAME and a row: the
# name, the code path that it exercises, and counters with their least growth. This
# growth proves that the load took the path.
#
# These counters exist: vm.X of /proc/vmstat, stat.X of /proc/stat, module.X of
# kmemtrace_load, slab.CACHE.X of SLUB's statistics, percpu.X of the per-CPU
# allocator's, memory.X of the events of the memory cgroup. The load itself counts
# seen.X, with "saw".

# shellcheck disable=SC2154 # the sourcing script sets work and here
module=/sys/kernel/debug/kmemtrace_load
tags=/sys/kernel/debug/kmemtrace_tags
cgroup=$work/cgroup/accounting
disk=$work/disk
huge_kib=$(awk '/^Hugepagesize/ { print $2 }' /proc/meminfo)
pool=/sys/kernel/mm/hugepages/hugepages-${huge_kib}kB
gigantic=/sys/kernel/mm/hugepages/hugepages-1048576kB
memory=/sys/devices/system/memory

# row NAME SENTENCE COUNTER=N...: define a load.
row() {
	rows="$rows$1|$2|"
	shift 2
	rows="$rows$*
"
}

# column N NAME: print this column of the load's row.
column() {
	echo "$rows" | awk -F '|' -v column="$1" -v name="$2" '$1 == name { print $column }'
}

# loads: print the names of those that this kernel and machine can run. SLOB neither fails on
# request nor charges memory cgroups; only SLUB takes slabs of a lower order if there are no
# others. Only newer kernels allocate without locks. An emulated s390x has no huge pages. The
# memory of the boot can't go offline on arm64.
loads() {
	for name in $(echo "$rows" | sed -n 's/|.*//p'); do
		case $name in
		failslab|memcg)	[ -e /sys/kernel/debug/failslab ] || continue ;;
		failorder)	[ -e /sys/kernel/slab/kmalloc-64 ] || continue ;;
		huge)		[ -e /sys/kernel/mm/transparent_hugepage ] || continue ;;
		hugetlb)	[ "$huge_kib" ] || continue ;;
		demote)		[ -e $gigantic/demote ] || continue ;;
		nolock)		grep -q 'kmalloc_nolock_noprof$' /proc/kallsyms || continue ;;
		move)		[ -e /sys/devices/system/node/node1 ] || continue ;;
		poison)		[ -e $memory/hard_offline_page ] || continue ;;
		memory)		[ -e $memory/block_size_bytes ] &&
					[ "$(uname -m)" != aarch64 ] || continue ;;
		# see scripts/check.d/moves
		compactions | balloons | plugs) continue ;;
		esac
		echo "$name"
	done
}

# ---- counters ----

# sum FILE...: print the sum of the first number of each file; a missing file counts 0.
sum() {
	cat "$@" 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

# slab_sum CACHES FILES: print the sum over these files of these caches; both are
# patterns.
slab_sum() {
	# shellcheck disable=SC2086 # patterns
	sum /sys/kernel/slab/$1/$2
}

# counter NAME: print its value.
counter() {
	rest=${1#*.}
	case $1 in
	*+*)	echo $(($(counter "${1%%+*}") + $(counter "${1#*+}"))) ;;
	vm.*)	awk -v key="$rest" '$1 == key { print $2 }' /proc/vmstat ;;
	stat.*)	awk -v key="$rest" '$1 == key { print $2 }' /proc/stat ;;
	module.*) awk -v key="$rest" '$1 == key { print $2 }' $module/counts ;;
	slab.*)	slab_sum "${rest%.*}" "${rest##*.}" ;;
	percpu.*) awk -v key="$rest" '$1 == key && $2 == ":" { print $3; exit }' \
			/sys/kernel/debug/percpu_stats ;;
	memory.*) awk -v key="$rest" '$1 == key { print $2 }' "$cgroup/memory.events" ;;
	seen.*)	sum "$work/seen.$rest" ;;
	esac
}

# saw NAME NUMBER: add NUMBER to the counter seen.NAME.
saw() {
	echo "$2" >>"$work/seen.$1"
}

# counters NAME: print those of a load that this kernel has, each with its least growth.
# Only SLUB has statistics; in 6.1 they don't count allocations in bulk. vmalloc() has no huge
# pages on i386.
counters() {
	for pair in $(column 3 "$1"); do
		case $pair in
		slab.skbuff_head_cache.*)
			case $(uname -r) in 6.1.*) continue ;; esac ;;
		module.vmalloc_huge*)
			zcat /proc/config.gz | grep -q HAVE_ARCH_HUGE_VMALLOC=y ||
				continue ;;
		esac
		case $pair in
		slab.*)	[ -e /sys/kernel/slab/kmalloc-64/alloc_fastpath ] || continue ;;
		esac
		echo "$pair"
	done
}

# count_now NAME: print the counters of a load.
count_now() {
	for pair in $(counters "$1"); do
		echo "$(counter "${pair%=*}") $pair"
	done
}

# path_taken BEFORE AFTER: print the growth of each counter between two results of
# count_now. Fail if one grew too little.
path_taken() {
	paste "$1" "$2" | awk '{
		split($2, pair, "=")
		grown = $3 - $1
		printf "%s%s %d", (NR > 1) ? ", " : "", pair[1], grown
		missed += grown < pair[2] || $3 == ""
		if (grown < pair[2])
			printf " instead of %d", pair[2]
	}
	END { print ""; exit missed > 0 || NR == 0 }'
}

# ---- the kernel's own figures ----

# what the kernel says of all allocated memory
allocated() {
	[ -e /proc/allocinfo ] && echo /proc/allocinfo || echo $module/pages
}

# snap FILE...: copy these files while kmemtraced, the parent process, is stopped, so
# that kmemtraced doesn't allocate. The buffers have room for the records until then.
snap() {
	kill -STOP $PPID
	ulimit -n 4096
	"$here/accounting_snap" "$@"
	result=$?
	kill -CONT $PPID
	return $result
}

# The numbers of sheaves: those of some caches are not charged. slabinfo counts the objects in
# them.
sheaves='/sys/kernel/slab/*/sheaf_alloc /sys/kernel/slab/*/sheaf_free'
sheaves="$sheaves /sys/kernel/slab/*/sheaf_capacity"

# the objects that belong to CPUs
objects_of_cpus=
for file in cpu_slabs slabs_cpu_partial sheaf_refill sheaf_flush alloc_fastpath \
		free_fastpath free_rcu_sheaf; do
	objects_of_cpus="$objects_of_cpus /sys/kernel/slab/*/$file"
done

# Before the boot, each figure is 0.
snap_before() {
	if [ "$1" = boot ]; then
		: >said/before
	else
		# shellcheck disable=SC2046 # the files that exist
		snap "$(allocated)" $(files "$sheaves") /proc/vmstat \
			>said/before
	fi
}

# files PATTERN...: print those that exist
files() {
	# shellcheck disable=SC2086 # patterns
	ls -d $* 2>/dev/null
}

shrink_caches() {
	for file in $(files "/sys/kernel/slab/*/shrink"); do
		echo 1 >"$file"
	done
}

# slabinfo counts the free objects in the slabs of a CPU as active. Shrinking the
# caches first leaves few of these slabs.
snap_after() {
	[ "$1" != boot ] || ! [ -e $tags ] || cat $tags >said/tags
	cut -d ' ' -f 1 /proc/uptime >said/shrunk
	shrink_caches
	# shellcheck disable=SC2046 # the files that exist
	snap "$(allocated)" $(files "$sheaves") /proc/vmstat \
		$(files /proc/slabinfo "$objects_of_cpus" "$sheaves") \
		$(files "$gigantic/nr_hugepages") >said/after
}

# ---- the loads ----

run_module() {
	echo "$2" >"$module/run/$1"
}

run_user() {
	"$here/accounting_load" "$@"
}

row boot 'all events since boot' \
	stat.processes=1
load_boot() {
	run_user maps 1
}

row maps 'fork() of many areas: bulk allocation of maple nodes, page tables, tasks' \
	slab.maple_node.alloc_slab=1 stat.processes=40
load_maps() {
	run_user maps 40
}

datagrams() {
	awk '$1 == "Udp:" { n = $2 } END { print n }' /proc/net/snmp
}

row sockets 'sockets and skbs of three protocols' \
	slab.sock_inode_cache.alloc_*path=100 seen.datagrams=150
load_sockets() {
	before=$(datagrams)
	run_user sockets 50
	saw datagrams $(($(datagrams) - before))
}

row tap 'bulk allocation of skbs by NAPI, page fragments' \
	seen.frames=1000 slab.skbuff_head_cache.alloc_*path=400
load_tap() {
	frames=$(run_user tap 1000) && saw frames "$frames"
}

row files 'drop_caches frees files, dentries and inodes' \
	vm.slabs_scanned=100 vm.drop_slab=1 vm.drop_pagecache=1
load_files() {
	for folder in "$disk/files" "$work/files"; do
		mkdir "$folder" && (cd "$folder" && run_user files 1000) || return
	done
	sync
	echo 3 >/proc/sys/vm/drop_caches
	rm -r "$disk/files" "$work/files"
	echo 3 >/proc/sys/vm/drop_caches
}

free_mib() {
	awk '/^MemFree/ { print int($2 / 1024) }' /proc/meminfo
}

# leave_free MIB: the module holds the other free memory.
leave_free() {
	block=$(awk '$1 == "block_size" { print $2 / 1024 }' $module/constants)
	echo $((($(free_mib) - $1) * 1024 / block)) >$module/held
	[ "$(free_mib)" -lt 700 ] || { echo "$(free_mib) MiB are free"; return 1; }
}

row pressure 'reclaim under memory pressure' \
	vm.pgscan_direct+vm.pgscan_kswapd=1000 \
	vm.pgsteal_direct+vm.pgsteal_kswapd=500 vm.slabs_scanned=1
# Use more memory than is free, part of it for files, so that reclaim has work. It shrinks
# the caches of files at once.
load_pressure() {
	echo 100000 >/proc/sys/vm/vfs_cache_pressure
	leave_free 160 && mkdir "$disk/files" &&
		(cd "$disk/files" && run_user files 2000) && run_user eat $(($(free_mib) + 40))
	result=$?
	rm -r "$disk/files"
	echo 0 >$module/held
	echo 100 >/proc/sys/vm/vfs_cache_pressure
	return $result
}

row kfree_rcu 'kfree_rcu() of kmalloc objects, large ones too, and of cache objects' \
	module.rcu_objects=1000 module.rcu_large=100 module.rcu_cache=10000 \
	module.rcu_headless=100
# The module waits for these frees, where the kernel has a barrier for them. Without it, the
# last objects may wait for 5 seconds.
load_kfree_rcu() {
	run_module kfree_rcu 1000 || return 1
	grep -q ' kvfree_rcu_barrier$' /proc/kallsyms || sleep 6
}

row kvmalloc 'kvmalloc() from slab and from vmalloc' \
	module.kvmalloc_slab=100 module.kvmalloc_vmalloc=10
load_kvmalloc() {
	run_module kvmalloc 20
}

row large 'kmalloc() of whole pages' \
	module.large_kmalloc=1000 module.large_constant=200
load_large() {
	run_module kmalloc_large 200
}

row krealloc 'krealloc() and kvrealloc(), in place and moving' \
	module.krealloc_moved=1000 module.krealloc_stayed=100 \
	module.kvrealloc_moved=1000 module.kvrealloc_smaller=300
load_krealloc() {
	run_module krealloc 300
}

row nolock 'objects and pages for code that may take no lock' \
	module.nolock_objects=1000 module.nolock_pages=300 module.nolock_large=200 \
	module.nolock_order=200 module.nolock_refused=1 \
	module.nolock_charged_pages=10 module.nolock_charged=10
load_nolock() {
	run_module nolock 200 && in_cgroup 1M run_module nolock_charged 10 &&
		leave_free 160 && run_module nolock_pages 1
	result=$?
	echo 0 >$module/held
	return $result
}

row caches 'create and destroy slab caches, with bulk allocation' \
	module.caches_created=200 module.caches_alone=60 module.bulk_objects=10000
load_caches() {
	run_module caches 60
}

row irq 'allocate in interrupts' \
	module.irq_objects=1000
load_irq() {
	run_module irq 1000
}

row remote 'free objects of another CPU' \
	module.remote_frees=10000
load_remote() {
	run_module remote 500
}

row percpu 'per-CPU memory, also failed allocations' \
	module.percpu_objects=1000 module.percpu_atomic=10 \
	module.percpu_refused=10 module.percpu_illegal=10 percpu.nr_dealloc=1000
load_percpu() {
	run_module percpu 100
}

row bpf 'BPF maps' \
	percpu.nr_alloc=10 slab.kmalloc-64.alloc_*path=1
load_bpf() {
	run_user bpf 10
}

row netns 'create and destroy network namespaces' \
	percpu.nr_alloc=100 percpu.nr_dealloc=100 seen.namespaces=20
# A worker destroys the namespaces, so wait until it has freed their memory.
load_netns() {
	before=$(counter percpu.nr_cur_alloc)
	mine=$(readlink /proc/self/ns/net)
	for _ in $(seq 20); do
		# shellcheck disable=SC2016 # the inner shell expands it
		unshare -n sh -c 'ip link set lo up
			[ "$(readlink /proc/self/ns/net)" != "$0" ]' "$mine" &&
			saw namespaces 1
	done
	for _ in $(seq 50); do
		[ "$(counter percpu.nr_cur_alloc)" -le "$before" ] && return
		sleep 0.1
	done
	return 1
}

row vmalloc 'vmalloc() of small and huge pages, failing vmalloc(), vfree() by a worker' \
	module.vmalloc_small=50 module.vmalloc_huge=10 \
	module.vmalloc_refused=50 module.vfree_atomic=50
load_vmalloc() {
	run_module vmalloc 50
}

row pages 'pages: split, exact size, bulk, fragments, freed in parts' \
	module.pages_split=100 module.pages_exact=100 module.pages_tail=100 \
	module.pages_bulk=3200 module.page_fragments=3200 module.pages_refused=100 \
	module.ranges_refused=100 module.flags_refused=100 module.contig_refused=100
load_pages() {
	run_module split 100 && run_module bulk_pages 100 && run_module fragments 100
}

row contig 'alloc_contig_range() that migrates pages' \
	module.contig_ranges=5 vm.pgmigrate_success=1
load_contig() {
	holding 120 take_ranges
}

# Allocate the ranges that hold the holder's pages. Some pages can't be migrated.
take_ranges() {
	while read -r frame; do
		echo "$frame" >$module/contig
	done <ready
}

# migrated: wait until no page is migrated any more. kcompactd goes on in the background, and
# the kernel counts pages as migrated that their owner frees meanwhile.
migrated() {
	until [ "$(counter vm.pgmigrate_success)" -eq \
		"$(sleep 1; counter vm.pgmigrate_success)" ]; do :; done
}

# holding MIB COMMAND...: run COMMAND while a process has MIB of fragmented memory, which
# kcompactd doesn't compact on its own account.
holding() {
	mkfifo hold
	proactiveness=$(cat /proc/sys/vm/compaction_proactiveness)
	echo 0 >/proc/sys/vm/compaction_proactiveness
	run_user fragment "$1" <hold >ready &
	holder=$!
	exec 9>hold
	until [ "$(wc -l <ready)" -eq "$1" ] || ! [ -e /proc/$holder ]; do
		sleep 0.2
	done
	shift
	"$@"
	result=$?
	migrated
	exec 9>&-
	wait $holder || result=1
	echo "$proactiveness" >/proc/sys/vm/compaction_proactiveness
	rm hold ready
	return $result
}

row zram 'migrate pages of zsmalloc, which belong to no process and no file' \
	seen.stored=20 module.contig_ranges=5 vm.pgmigrate_success=1000
# The compressed data fills the holes of the fragmented memory, whose ranges are then
# taken. Memory is short, so that some pages of files are freed while they are migrated.
load_zram() {
	echo 95 >said/migrates
	echo 32M >/sys/block/zram0/disksize && leave_free 160 && holding 120 store_and_take
	result=$?
	echo 0 >$module/held
	echo 1 >/sys/block/zram0/reset
	return $result
}

# Write data that is not all alike until the disk is full.
store_and_take() {
	while cat /proc/self/exe; do :; done >/dev/zram0 2>/dev/null
	saw stored $(($(awk '{ print $1 }' /sys/block/zram0/mm_stat) / 1048576))
	echo 0 >$module/held
	take_ranges
}

row cma 'allocate from CMA areas' \
	vm.cma_alloc_success=10 seen.cma_released=1000
load_cma() {
	for area in /sys/kernel/debug/cma/*; do
		for pages in 1 7 64 512 1000; do
			echo $pages >"$area/alloc" && echo $pages >"$area/alloc" || continue
			before=$(cat "$area/used")
			echo $pages >"$area/free" && echo $pages >"$area/free" &&
				saw cma_released $((before - $(cat "$area/used")))
		done
	done
}

# in_cgroup LIMIT COMMAND...: run COMMAND in a memory cgroup with this limit.
in_cgroup() {
	echo "$1" >"$cgroup/memory.max"
	shift
	(echo 0 >"$cgroup/cgroup.procs" && "$@")
	result=$?
	echo max >"$cgroup/memory.max"
	return $result
}

row memcg 'allocations that exceed the limit of a memory cgroup' \
	module.memcg_single=10 module.memcg_bulk=10 module.memcg_large=10 \
	module.memcg_pages=10 module.memcg_percpu=10 module.memcg_vmalloc=10 \
	memory.max=10
load_memcg() {
	in_cgroup 1M run_module memcg 20
}

# inject CAPABILITY SETTING... -- COMMAND...: inject allocation failures into COMMAND
# alone, as the settings say. The kernel counts "times" down.
inject() {
	capability=$1
	attr=/sys/kernel/debug/$1
	for setting in verbose=0 interval=1 times=1000000 space=0 task-filter=Y \
		ignore-gfp-wait=N; do
		echo "${setting#*=}" >"$attr/${setting%=*}" || return
	done
	shift
	while [ "$1" != -- ]; do
		echo "${1#*=}" >"$attr/${1%=*}" || return
		shift
	done
	shift
	"$@"
	result=$?
	echo 0 >"$attr/probability"
	saw "$capability" $((1000000 - $(cat "$attr/times")))
	return $result
}

# Open the file before failures are injected: open() allocates.
run_module_failing() {
	(exec 7>"$module/run/$1" && echo 1 >/proc/self/make-it-fail && echo "$2" >&7)
}

row failslab 'injected failures of slab allocation' \
	module.failed_slab=50 seen.failslab=50
# Leave out the caches of object extension vectors: the kernel warns if their
# allocation fails. Linux 6.1 can't select caches at run time, and has no such vectors.
load_failslab() {
	filter=Y
	for cache in kmemtrace_load kmalloc-4k kmalloc-8k; do
		echo 1 >/sys/kernel/slab/$cache/failslab || filter=N
	done
	inject failslab probability=20 cache-filter=$filter -- run_module_failing failslab 100
}

row failpages 'injected failures of page allocation' \
	module.failed_pages=50 module.failed_vmalloc=5 module.failed_refill=20 \
	module.failed_percpu=50 seen.fail_page_alloc=50
load_failpages() {
	run_module vmalloc 2
	inject fail_page_alloc probability=20 min-order=0 ignore-gfp-highmem=N -- \
		run_failpages
}

run_failpages() {
	run_module_failing failpages 400 && run_module_failing failpercpu 1
}

row failorder 'slabs of a lower order, after injected failures of higher ones' \
	seen.fail_page_alloc=50 slab.*.order_fallback=10
# Orders 0 and 1 still succeed: with KASAN the largest objects need two pages. The
# caches are shrunk first, so that they must allocate slabs.
load_failorder() {
	shrink_caches
	mkdir "$disk/files"
	(cd "$disk/files" && inject fail_page_alloc probability=100 min-order=2 \
		ignore-gfp-highmem=N -- run_user -f files 2000)
	result=$?
	rm -r "$disk/files"
	return $result
}

row huge 'transparent huge pages: fault, split, collapse' \
	vm.thp_fault_alloc=10 vm.thp_split_page=5 vm.thp_collapse_alloc=5 \
	vm.thp_split_pmd=5
load_huge() {
	run_user huge 5
}

row hugetlb 'hugetlb pages from the page allocator, and their free' \
	vm.htlb_buddy_alloc_success=10 seen.hugetlb_freed=10
load_hugetlb() {
	echo 40 >$pool/nr_hugepages
	run_user hugetlb "$(cat $pool/free_hugepages)" || return
	before=$(cat $pool/nr_hugepages)
	echo 0 >$pool/nr_hugepages
	saw hugetlb_freed $((before - $(cat $pool/nr_hugepages)))
}

row demote 'demote a gigantic hugetlb page of the boot, and free its parts' \
	seen.demoted=500
load_demote() {
	before=$(cat $pool/nr_hugepages)
	echo "${huge_kib}kB" >$gigantic/demote_size
	echo 1 >$gigantic/demote
	saw demoted $(($(cat $pool/nr_hugepages) - before))
	echo 0 >$pool/nr_hugepages
}

row move 'migrate pages to another node' \
	vm.numa_pages_migrated+vm.pgmigrate_success=1000
load_move() {
	run_user move 5
}

row compact 'compaction' \
	vm.compact_isolated=1000 vm.compact_stall=1 vm.compact_success=1 \
	module.blocks_refused=1
# Fragment the free memory, then allocate whole page blocks. Compaction succeeds or
# fails by the position of the fragments, so each round has other ones.
load_compact() {
	for mib in 300 340 380 420 460 500 540 580 620 660; do
		before=$(counter vm.compact_success)
		leave_free $mib &&
			holding $(($(free_mib) * 2 / 3)) run_module blocks 1 || return
		echo 0 >$module/held
		[ "$(counter vm.compact_success)" -eq "$before" ] || return 0
	done
}

row swap 'swap pages out and in' \
	vm.pswpout=2000 vm.pswpin=2000
load_swap() {
	in_cgroup 24M run_user swap 48
}

corrupted() {
	awk '/^HardwareCorrupted/ { print $2 / 4 }' /proc/meminfo
}

row poison 'soft and hard offlining of pages' \
	seen.offlined=5 seen.corrupted=5
load_poison() {
	before=$(corrupted)
	run_user offline 5
	offlined=$(($(corrupted) - before))
	echo $offlined >said/offlined
	saw offlined $offlined
	run_user poison 5
	saw corrupted $(($(corrupted) - before - offlined))
}

row cpu 'a CPU goes offline and online' \
	seen.cpu_gone=3
load_cpu() {
	cpu1=/sys/devices/system/cpu/cpu1/online
	for _ in 1 2 3; do
		echo 0 >$cpu1 && [ "$(cat $cpu1)" = 0 ] && saw cpu_gone 1
		ls -lR /sys/module >/dev/null
		echo 1 >$cpu1
	done
}

row memory 'a memory block goes offline and online' \
	seen.memory_gone=1
# The tables of page_ext that the boot allocated may have no tag: theirs came later. A table
# that replaces one in the trace has a tag, so replace the boot's before.
prepare_memory() {
	replug
}

load_memory() {
	! replug || saw memory_gone 1
}

# replug: take one memory block offline and online
replug() {
	for block in $memory/memory[0-9]*; do
		echo offline >"$block/state" 2>/dev/null || continue
		state=$(cat "$block/state")
		echo online >"$block/state"
		[ "$state" = offline ]
		return
	done
	return 1
}

row modules 'load and unload modules' \
	seen.modules=10
load_modules() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		modprobe dummy numdummies=4 && grep -q '^dummy ' /proc/modules &&
			rmmod dummy && ! grep -q '^dummy ' /proc/modules &&
			saw modules 1
	done
}

# Loads that repeat TIMES times what moves memory, or takes it away. The host helps.
times=${TIMES:-100}

row compactions 'memory with gaps is compacted again and again' \
	vm.pgmigrate_success=$((times * 4)) vm.compact_isolated=$((times * 10))
load_compactions() {
	echo 95 >said/migrates
	run_user compact "$times"
}

# ask WISH: the host of the virtual machine does it so many times
ask() {
	rm -f /share/granted
	echo "$1 $times" >/share/wish
	until [ -e /share/granted ]; do sleep 1; done
}

row balloons 'a balloon takes a MiB of memory and gives it back' \
	vm.balloon_inflate=$((times * 256)) vm.balloon_deflate=$((times * 256))
load_balloons() {
	ask balloon
}

row plugs 'memory is plugged in, and unplugged' \
	seen.plugged=$times
load_plugs() {
	ask plug && saw plugged "$(cat /share/granted)"
}
