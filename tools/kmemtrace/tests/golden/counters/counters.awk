# SPDX-License-Identifier: GPL-2.0
#
# Print the text of counters.zst: a reading every minute, with call sites and caches that
# leak, rise once, come and go.

function noise(n) { return (n * 7919) % 13 }

# full: print all rows with new numbers
function full() {
	print "kmemtrace-counters 1"
	print "reading full " time " " 1764000000 + 60 * n
	print "allocinfo 0 " 1000 + 4096 * n, 1 + n " drivers/leak.c:10 [leaky] func:leak_one"
	print "allocinfo 1 " 80000 + 1000 * noise(n), 80 + noise(n) " fs/inode.c:20 func:alloc_inode"
	print "allocinfo 2 " (n < 60 ? 5000 : 905000), (n < 60 ? 5 : 905) " net/jump.c:30 func:jump"
	print "allocinfo 3 7777 7 mm/still.c:40 func:still"
	print "slabinfo 4 " 100 + 3 * n, 160 + 3 * n, 192, 8 " leaky_cache"
	print "slabinfo 5 500 512 64 8 still_cache"
	print "vmstat 6 " 90000 - n " nr_free_pages"
	print "meminfo 7 " 4096 * (90000 - n) " MemFree"
	print "meminfo 8 " 65536 + 4096 * int(n / 4) " Slab"
	if (n >= 100)
		print "allocinfo 9 4096 1 drivers/late.c:50 [late] func:late"
	print "end"
}

# changed: print the rows that changed
function changed() {
	print "reading delta " time " " 1764000000 + 60 * n
	print 0, 1000 + 4096 * n, 1 + n
	if (noise(n) != noise(n - 1))
		print 1, 80000 + 1000 * noise(n), 80 + noise(n)
	if (n == 60)
		print 2, 905000, 905
	if (n == 20)
		print "allocinfo 9 123456 3 drivers/gone.c:60 [gone] func:gone"
	if (n == 40)
		print "gone 9"
	print 4, 100 + 3 * n, 160 + 3 * n, 192, 8
	print 6, 90000 - n
	print 7, 4096 * (90000 - n)
	if (n % 4 == 0)
		print 8, 65536 + 4096 * int(n / 4)
	print "end"
}

BEGIN {
	for (n = 0; n < 200; n++) {
		time = sprintf("%d", 1000000 + 60 * n) "000000" 100 + noise(n)
		if (n % 50)
			changed()
		else
			full()
	}
}
