# A trace of ABI version 2 that began on a running machine, with all events that only the
# snapshot explains. The only finding is one that this kernel allows.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
# lost: SITE records, PTR bytes, REQ nested, ALLOC since; clock: PTR sequence, REQ uncertainty
0     clock 0       56  0    9000               0                  2000 0     0     1000
1     clock 0       56  1    9000               0                  1500 0     0     1000

# Freed before the snapshot reached it: an object, and one that isn't released yet.
1     free  cache   56  -1   0xffffffff81001210 0xffff888000005000 0    0     0     1100
1     free  kmalloc 56  -1   0xffffffff81001310 0xffff888000004040 0    0     0     1200

# cache: TYPE op, NODE users, PTR cache, REQ object_size, ALLOC size; TAIL align, name
0     cache 0       88  1    0                  0xffff888000100000 64   64    0x2000 20000 64 "kmalloc-64"
0     cache 0       80  3    0                  0xffff888000100100 120  128   0x4000 20001 8 "dentry"
0     cache 0       80  1    0                  0xffff888000100200 500  512   0     20002 8 "quiet"

# snapshot: SITE cache, REQ object_size, ALLOC size, GFP objects; TAIL a bit each
0     snapshot cache 64 0    0xffff888000100000 0xffff888000004000 64   64    8     300000 0x0f
0     snapshot cache 64 0    0xffff888000100100 0xffff888000006000 120  128   4     300001 0x5
# SITE state: 1 live, 2 free, 3 reserved, 4 kmemtrace's own; REQ found by the snapshot
0     snapshot pages 56 0    3                  0xffff888000000000 1    16384 0     300002
0     snapshot pages 56 0    1                  0xffff888000004000 1    16384 0     300003
0     snapshot pages 56 0    2                  0xffff888000008000 1    32768 0     300004
0     snapshot pages 56 0    1                  0xffff888000020000 1    16384 0     300005
0     snapshot pages 56 0    4                  0xffff888000020000 0    12288 0     300005
0     snapshot percpu  56 -1 0                  0x8000             64   64    0     300005
0     snapshot vmalloc 56 -1 0xffffffff81001010 0xffffc90000000000 8192 8192  0     300006
# Two slabs could not be examined.
0     snapshot end  56  0    2                  0                  0    0     0     300007

# An allocation that was under way.
1     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000004000 50   64    0xcc0 500000 0xffff888000100000
# Frees and allocations of memory older than the trace, by any API.
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000004080 0    0     0     500100
1     free  cache   56  -1   0xffffffff81001210 0xffff888000006000 0    0     0     500200
# A large kmalloc() from before, and its pages; then an object of an unsure slab.
1     free  kmalloc 56  -1   0xffffffff81001310 0xffff888000007000 0    0     0     500300
1     free  pages   56  -1   0xffffffff81001310 0xffff888000007000 0    4096  0     500400
1     free  cache   56  -1   0xffffffff81001210 0xffff888000005040 0    0     0     500500
# The boot releases pages.
1     free  pages   56  -1   0xffffffff81001210 0xffff888000000000 0    8192  0     500600
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000000000 4096 4096  0xcc0 500700
# A cache with a second name, and one of its objects, freed as this kernel allows.
0     cache 1       80  4    0xffffffff81001010 0xffff888000100100 120  128   0x4000 600000 8 "filp"
0     alloc cache   64  0    0xffffffff81001010 0xffff888000006080 120  128   0xcc0 600100 0xffff888000100100
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000006080 0    0     0     600200
# A cache that is created and destroyed.
0     cache 1       80  1    0xffffffff81001010 0xffff888000100300 32   32    0     600300 8 "brief"
0     alloc cache   64  0    0xffffffff81001010 0xffff888000004140 32   32    0xcc0 600400 0xffff888000100300
0     free  cache   56  -1   0xffffffff81001210 0xffff888000004140 0    0     0     600500
0     cache 2       80  0    0xffffffff81001010 0xffff888000100300 32   32    0     600600 8 "brief"
# percpu memory and vmalloc.
0     alloc percpu  56  -1   0xffffffff81001010 0x9000             48   64    0xcc0 700000
1     free  percpu  56  -1   0xffffffff81001210 0x8000             0    64    0     700100
0     alloc vmalloc 56  0    0xffffffff81001110 0xffffc90000010000 5000 8192  0xcc0 700200
1     free  vmalloc 56  -1   0xffffffff81001210 0xffffc90000010000 0    0     0     800000
# A large kmalloc() and failed allocations.
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000008000 16384 16384 0xcc0 890000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000008000 9000 16384 0xcc0 900000 0
# The buffer of a CPU that comes up.
0     alloc pages   56  -1   0xffffffff81001110 0xffff888000030000 8192 8192  0xdc0 900050
0     snapshot pages 56 0    4                  0xffff888000030000 0    8192  0     900051

0     failed pages  56  -1   0xffffffff81001110 0                  4194304 0 0xdc0 900100
0     failed pages  56  -1   0xffffffff81001110 0                  4194304 0 0xcc0 900200
0     failed kmalloc 56 -1   0xffffffff81001010 0                  64   0     0x820 900300
0     pad 64
1     pad 512
