# What kmemtrace itself allocates: the recorder marks it, or its task has such a name.
# CPU EVENT TYPE  SIZE NODE SITE               PTR                REQ    ALLOC  GFP   TIME TAIL
0 clock    0       56   0   5000               0                  0      0      0     1000
1 clock    0       56   1   5000               0                  0      0      0     1000

# Without a record of a task. In an interrupt of such a task, it is nobody's.
0 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000001000 100    128    0xcc0 1100 0
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001080 100    128    0xcc0 1200 0 0x300000000
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001100 100    128    0xcc0 1210 0 0x300000000
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001180 60     64     0xcc0 1220 0 0x100000000
0 alloc    pages   72   -1  0xffffffff81001210 0xffff888000010000 16384  16384  0xcc0 1300 0 0x300000000
0 alloc    percpu  72   -1  0xffffffff81001110 0x1000             16     16     0xcc0 1310 0 0x300000000
0 alloc    vmalloc 72   -1  0xffffffff81001110 0xffffc90000001000 4096   4096   0xcc0 1320 0 0x300000000
0 alloc    pages   56   -1  0xffffffff81001210 0xffff888000020000 8192   8192   0xcc0 1400

# Others free it, and it frees what others allocated.
1 free     kmalloc 56   -1  0xffffffff81002010 0xffff888000001080 0      0      0     1500
1 free     pages   56   -1  0xffffffff81002010 0xffff888000010000 0      4096   0     1510
0 free     kmalloc 56   -1  0xffffffff81002010 0xffff888000001000 0      0      0     1520

# By the name of its task, also where the recorder does not mark it; and one that is marked and known.
1 task     0       72   10  10                 500                0      0      0     1600 "kmemtraced"
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002000 1000   1024   0xcc0 1610 0 0
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002400 1000   1024   0xcc0 1620 0 0x300000000
1 task     0       72   11  11                 600                0      0      0     1700 "kmemload"
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002800 500    512    0xcc0 1710 0 0

# Its pages are moved, and charged.
0 alloc    pages   56   -1  0xffffffff81001210 0xffff888000030000 4096   4096   0xcc0 1800
0 move     pages   56   -1  0                  0xffff888000030000 0xffff888000011000 4096 0 1810
0 free     pages   56   -1  0xffffffff81002010 0xffff888000011000 0      4096   0     1820
0 cgroup   0       64   0   1                  0                  0      0      0     1900 "/"
0 charge   kmalloc 56   -1  1                  0xffff888000002400 0      0      0     1910

# The most that others have is live here, and then more of its own.
0 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000003000 4000   4096   0xcc0 2000 0
0 free     kmalloc 56   -1  0xffffffff81002010 0xffff888000003000 0      0      0     2010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004000 8000   8192   0xcc0 2100 0 0x300000000
