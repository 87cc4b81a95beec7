# SPDX-License-Identifier: GPL-2.0
#
# Print a trace of 1,000 steps of 20 milliseconds, for kmemtrace-asm: memory that is kept in several
# ways. Each kind has a call path of its own, and all but three are called by work(). With -v boot=STEP
# the boot lasts until that step.

function path(number, site, outer,    list, nr, i) {
	nr = split(outer ? outer : "3010", list)
	printf "0 stack 0 %d %d %d 0 0 0 0 1000000 0xffffffff8100%s", 64 + nr * 8, nr + 1, number, site
	for (i = 1; i <= nr; i++)
		printf " 0xffffffff8100%s", list[i]
	print ""
	number_of[site] = number
}
function alloc(site, kind, at, bytes, gfp, request) {
	printf "0 alloc %s 72 -1 0xffffffff8100%s 0x%x %d %d %s %.0f 0 %d\n", kind, site, at,
		request ? request : bytes, bytes, gfp, now, number_of[site]
}
function free(site, kind, at) {
	printf "0 free %s 56 -1 0xffffffff8100%s 0x%x 0 0 0 %.0f\n", kind, site, at, now
}
BEGIN {
	print "0 clock 0 56 0 1000000 0 0 0 0 1000000"
	print "0 snapshot end 56 0 0 0 0 0 0 1000000"
	path(1, "1010")
	path(2, "1110")
	path(3, "1210", "3110")
	path(4, "1310")
	path(5, "1410")
	path(6, "1510")
	path(7, "1610")
	path(8, "1710")
	path(9, "1810")
	path(10, "1910", "3210")
	path(11, "4010", "3010 3310 3410 3510 3610")
	path(12, "4110")
	# What setup_net() and copy_net_ns() allocate for a network namespace, and a bug in unshare().
	for (i = 0; i < 15; i++)
		path(20 + i, sprintf("5%x10", i), (i % 2 ? "6010 6110" : "6150") " 6210 6310")
	path(35, "5f10", "6210 6310")
	for (step = 0; step < 1000; step++) {
		now = 1000000 + step * 20000000
		if (boot && step == boot)
			printf "0 phase 5 56 0 0 0 0 0 0 %.0f\n", now
		# 9 of 10 are freed after a step.
		alloc("1010", "kmalloc", 1048576 + step * 64, 64, "0xcc0")
		if (step && (step - 1) % 10)
			free("2010", "kmalloc", 1048576 + (step - 1) * 64)
		# All are freed.
		alloc("1110", "kmalloc", 2097152 + step * 64, 64, "0xcc0")
		if (step)
			free("2110", "kmalloc", 2097152 + (step - 1) * 64)
		# Kept, and allocated at once: by a module that is loaded, by a bug, and just now.
		if (step < 20)
			for (i = 0; i < 10; i++) {
				alloc("1210", "kmalloc", 3145728 + (step * 10 + i) * 64, 64, "0xcc0")
				alloc("1710", "kmalloc", 6291456 + (step * 10 + i) * 64, 64, "0xcc0")
			}
		if (step >= 980 && step % 2)
			alloc("1810", "kmalloc", 7340032 + step * 64, 64, "0xcc0")
		# Kept all the time, a few.
		if (step % 50 == 0)
			alloc("1310", "kmalloc", 4194304 + step * 64, 64, "0xcc0")
		# Reclaimable, movable, and freed later.
		if (step % 4 == 0) {
			alloc("1410", "pages", 16777216 + step * 4096, 4096, "0xcd0")
			alloc("1510", "pages", 33554432 + step * 4096, 4096, "0xcc8")
			alloc("1610", "kmalloc", 5242880 + step * 64, 64, "0xcc0")
		}
		# Areas of vmalloc(), half of which is waste, and their pages, which have the same call.
		if (step % 10 == 0) {
			alloc("4010", "vmalloc", 1073741824 + step * 16384, 8192, "0xcc0", 4096)
			alloc("4010", "pages", 67108864 + step * 8192, 4096, "0xcc0")
			alloc("4010", "pages", 67112960 + step * 8192, 4096, "0xcc0")
		}
		# 3 of 4 are freed, after two seconds.
		if (step % 2 == 0) {
			alloc("1910", "kmalloc", 8388608 + step * 64, 64, "0xcc0")
			if (step >= 100 && step % 8)
				free("2010", "kmalloc", 8388608 + (step - 100) * 64)
		}
		# Every other namespace is kept.
		if (owners && step >= 50 && step < 900 && step % 35 == 0)
			for (i = 0; i < 15; i++)
				for (j = 0; j <= i % 3; j++) {
					now += 10000
					at = 268435456 + ((step * 15 + i) * 3 + j) * 64
					alloc(sprintf("5%x10", i), i < 2 ? "percpu" : "kmalloc", at, 64, "0xcc0")
					if (step / 35 % 2)
						free("2010", i < 2 ? "percpu" : "kmalloc", at)
				}
		if (owners && step % 40 == 0)
			alloc("5f10", "kmalloc", 402653184 + step * 64, 64, "0xcc0")
		# Kept, and allocated within 4 milliseconds.
		if (step == 300)
			for (i = 0; i < 40; i++) {
				now += 100000
				alloc("4110", "kmalloc", 9437184 + i * 64, 64, "0xcc0")
			}
	}
}
