# A trace of ABI version 2 that lost records in all possible ways, and the findings that
# need a baseline, pages or caches.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
# CPU 0: another reader has sub-buffers 0 and 1.
0     clock 0       56  0    9000               2                  1000 0     0     1000
1     clock 0       56  1    9000               0                  1000 0     0     1000
0     cache 0       88  1    0                  0xffff888000100000 64   64    0x2000 2000 64 "kmalloc-64"
0     cache 0       80  1    0                  0xffff888000100100 120  128   0x4000 2001 8 "dentry"
0     snapshot cache 64 0    0xffff888000100000 0xffff888000004000 64   64    8     3000 0x03
0     snapshot pages 56 0    1                  0xffff888000004000 0    4096  0     3003
0     snapshot pages 56 0    2                  0xffff888000008000 0    32768 0     3004
0     snapshot end  56  0    0                  0                  0    0     0     3007
# LOST: SITE records, PTR bytes, REQ nested, ALLOC since
1     lost  0       56  1    12                 700                2    408000 0    450000
1     lost  0       56  1    1                  56                 1    0     0     460000
# Sub-buffers 1 to 3 are missing.
1     clock 0       56  1    9000               4                  500  0     0     470000
# Neither the snapshot nor an event has these.
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000004080 0    0     0     500000
0     free  vmalloc 56  -1   0xffffffff81001210 0xffffc90000000000 0    0     0     500100
# Pages with an object in them, and an object in free pages.
0     free  pages   56  -1   0xffffffff81001310 0xffff888000004000 0    4096  0     600000
1     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000009000 64   64    0xcc0 800000 0xffff888000100000
# kmem_cache_free() with an object of a kmalloc() cache.
1     free  cache   56  -1   0xffffffff81001210 0xffff888000009000 0    0     0     900000
# A cache is destroyed before its object, which is in unknown pages.
1     alloc cache   64  -1   0xffffffff81001110 0xffff888000020000 120  128   0xcc0 910000 0xffff888000100100
0     cache 2       80  0    0xffffffff81001210 0xffff888000100100 120  128   0     1500000 8 "dentry"
