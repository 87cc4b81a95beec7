# The newest events of two CPUs: CPU 0 has its own from 5000 on, CPU 1 from 3000 on. What CPU 1
# has before that is left out: the free of 0x4040 by CPU 0 was overwritten, so that another
# allocation would seem to be its second one. The snapshot comes last.
# CPU EVENT    TYPE    SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
1     clock    0       56  1    3000               3                  2000 0     0     3000
1     alloc    kmalloc 64  -1   0xffffffff81001010 0xffff888000004040 64   64    0xcc0 4000 0xffff888000001000
0     clock    0       56  0    5000               5                  2000 0     0     5000
0     alloc    kmalloc 64  -1   0xffffffff81001010 0xffff888000004040 64   64    0xcc0 6000 0xffff888000001000
# allocated and freed in the trace
1     alloc    pages   56  -1   0xffffffff81001010 0xffff888000020000 8192 8192  0xcc0 6100
1     free     pages   56  -1   0xffffffff81001310 0xffff888000020000 0    8192  0     6200
# older than the first event
0     free     kmalloc 56  -1   0xffffffff81001310 0xffff888000004080 0    0     0     6300
0     cache    0       88  1    0                  0xffff888000001000 64   64    0x2000 9000 64 "kmalloc-64"
# live at the end: 0x4040, by its event, and 0x40c0, by the snapshot alone
1     snapshot cache   64  0    0xffff888000001000 0xffff888000004000 64   64    64    9100 0xa
0     snapshot pages   56  0    1                  0xffff888000004000 1    4096  0     9200
1     snapshot end     56  1    0                  0                  0    300000 8500 9300
