# SPDX-License-Identifier: GPL-2.0
#
# Print a trace of 1,000 steps of a millisecond, for kmemtrace-asm: memory that is kept in several ways.

function alloc(site, kind, at, bytes, gfp, cache) {
	printf "0 alloc %s %d -1 0xffffffff8100%s 0x%x %d %d %s %d %s\n", kind,
		kind == "pages" || kind == "kmalloc" ? 56 : 64, site, at, bytes, bytes, gfp, now, cache
}
function free(site, kind, at, bytes) {
	printf "0 free %s 56 -1 0xffffffff8100%s 0x%x 0 %d 0 %d\n", kind, site, at, bytes, now
}
BEGIN {
	print "0 clock 0 56 0 1000000 0 0 0 0 1000000"
	print "0 snapshot end 56 0 0 0 0 0 0 1000000"
	for (step = 0; step < 1000; step++) {
		now = 1000000 + step * 1000000
		# 9 of 10 are freed after a step.
		alloc("1010", "kmalloc", 1048576 + step * 64, 64, "0xcc0")
		if (step && (step - 1) % 10)
			free("2010", "kmalloc", 1048576 + (step - 1) * 64, 0)
		# All are freed.
		alloc("1110", "kmalloc", 2097152 + step * 64, 64, "0xcc0")
		if (step)
			free("2110", "kmalloc", 2097152 + (step - 1) * 64, 0)
		# Kept, and allocated at once.
		if (step < 20)
			for (i = 0; i < 10; i++)
				alloc("1210", "kmalloc", 3145728 + (step * 10 + i) * 64, 64, "0xcc0")
		# Kept all the time, a few.
		if (step % 50 == 0)
			alloc("1310", "kmalloc", 4194304 + step * 64, 64, "0xcc0")
		# Reclaimable, movable, and freed later.
		if (step % 4 == 0) {
			alloc("1410", "pages", 16777216 + step * 4096, 4096, "0xcd0")
			alloc("1510", "pages", 33554432 + step * 4096, 4096, "0xcc8")
			alloc("1610", "kmalloc", 5242880 + step * 64, 64, "0xcc0")
		}
	}
}
