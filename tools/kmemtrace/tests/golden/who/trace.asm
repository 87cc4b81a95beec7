# Who allocates: call paths, tasks and memory cgroups.
# CPU EVENT TYPE  SIZE NODE SITE               PTR                REQ   ALLOC GFP   TIME TAIL
0 clock    0       56   0   5000               0                  0     0     0     1000
0 task     0       72   0   0                  0                  0     0     0     1000 "swapper/0"
1 clock    0       56   1   5000               0                  0     0     0     1000
1 task     0       72   1   1                  10                 0     0     0     1000 "init" 0

# The root cgroup, one that was there, one that was removed before tracing began.
0 cgroup   0       64   0   1                  0                  0     0     0     1100 "/"
0 cgroup   0       64   0   7                  1                  0     0     0     1100 "/web"
0 cgroup   0       72   1   8                  1                  0     0     0     1100 "/old.scope"
0 cgroup   1       72   0   9                  7                  0     0     0     1200 "/web/worker"

# cpu1 uses a call path before cpu0 says what it is.
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001000 100   128   0xcc0 1300 0 1
0 task     0       72   100 100                500                0     0     0     1400 "shell" 0
0 stack    0       80   3   1                  0                  0     0     0     1500 0xffffffff81001010 0xffffffff81002110 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001080 100   128   0xcc0 1510 0 1
0 stack    0       80   3   2                  0                  0     0     0     1520 0xffffffff81001010 0xffffffff81002210 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001100 60    64    0xcc0 1530 0 2

# The same functions by another way, and a path that the kernel cut.
0 stack    0       80   3   3                  0                  0     0     0     1540 0xffffffff81001020 0xffffffff81002110 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffff81001020 0xffff888000001140 60    64    0xcc0 1550 0 3
0 stack    0       72   2   4                  1                  0     0     0     1560 0xffffffff81001110 0xffffffff81002010
0 alloc    kmalloc 72   -1  0xffffffff81001110 0xffff888000001180 1000  1024  0xcc0 1570 0 4

# The process executes another program; a thread of it; its number is used again.
0 task     0       72   100 100                500                0     0     0     1600 "server" 0
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001580 100   128   0xcc0 1610 0 2
0 task     0       72   101 100                700                0     0     0     1620 "server-thread"
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001600 200   256   0xcc0 1630 0 1
0 task     0       72   100 100                900                0     0     0     1640 "shell" 0
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001700 30    32    0xcc0 1650 0 1

# Interrupts, whichever task runs; a path without a record; no path.
0 stack    0       72   2   5                  0                  0     0     0     1700 0xffffffffc0200010 0xffffffff81003210
0 alloc    kmalloc 72   -1  0xffffffffc0200010 0xffff888000002000 2000  2048  0x820 1710 0 0x100000005
0 alloc    kmalloc 72   -1  0xffffffffc0200010 0xffff888000002800 2000  2048  0x820 1720 0 0x200000005
0 alloc    kmalloc 72   -1  0xffffffffc0200010 0xffff888000003000 500   512   0x820 1730 0 0x100000063
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000003200 8     8     0xcc0 1740 0 0
0 failed   kmalloc 72   -1  0xffffffff81001010 0                  5000  0     0xcc0 1750 0 1

# Charges of objects: before the allocation, after it, and to another cgroup.
1 charge   kmalloc 56   -1  7                  0xffff888000004000 0     0     0     2000
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004000 400   512   0xcc0 2010 0 2
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004200 400   512   0xcc0 2020 0 2
1 charge   kmalloc 56   -1  9                  0xffff888000004200 0     0     0     2030
1 charge   kmalloc 56   -1  9                  0xffff888000004400 0     0     0     2040
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004400 400   512   0xcc0 2050 0 2
1 charge   kmalloc 56   -1  7                  0xffff888000004400 0     0     0     2060
1 charge   kmalloc 56   -1  9                  0xffff888000004600 0     0     0     2070
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004600 400   512   0xcc0 2080 0 2
1 free     kmalloc 56   -1  0xffffffff81001030 0xffff888000004600 0     0     0     2090

# Charges of pages: all of a block, before and after; a part of one.
1 stack    0       80   3   6                  0                  0     0     0     2100 0xffffffff81001210 0xffffffff81002110 0xffffffff81003010
1 alloc    pages   72   -1  0xffffffff81001210 0xffff888000010000 16384 16384 0xcc0 2110 0 6
1 charge   pages   56   -1  9                  0xffff888000010000 0     16384 0     2120
1 charge   pages   56   -1  7                  0xffff888000020000 0     8192  0     2130
1 alloc    pages   72   -1  0xffffffff81001210 0xffff888000020000 8192  8192  0xcc0 2140 0 6
1 alloc    pages   72   -1  0xffffffff81001210 0xffff888000030000 8192  8192  0xcc0 2150 0 6
1 charge   pages   56   -1  9                  0xffff888000031000 0     4096  0     2160
1 free     pages   56   -1  0xffffffff81001230 0xffff888000010000 0     4096  0     2170
1 alloc    vmalloc 72   -1  0xffffffff81001110 0xffffc90000001000 5000  8192  0xcc0 2180 0 4
1 alloc    percpu  72   -1  0xffffffff81001110 0xffffe8ffffc00040 12    48    0xcc0 2190 0 4

# The cgroup is removed: its memory keeps it. Another one is released.
1 cgroup   2       72   1   9                  7                  0     0     0     3000 "/web/worker"
1 cgroup   3       56   1   8                  1                  0     0     0     3100
0 task     0       72   0   0                  0                  0     0     0     3200 "swapper/0"
