# A trace of another source than a kernel with the patches. What its metadata has as unseen
# explains the free of an older object, and is missing in other records.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
0     clock 0       56  0    9000               0                  2000 0     0     1000
0     free  kmalloc 56  -1   0xffffffff81001310 0xffff888000004040 0    0     0     1200
# no caller
0     alloc pages   56  -1   0                  0xffff888000010000 4096 4096  0xcc0 2000
0     free  pages   56  -1   0                  0xffff888000010000 0    4096  0     2100
# no cache
0     alloc cache   64  -1   0xffffffff81001010 0xffff888000005000 64   64    0xcc0 2200 0
# the free has neither bytes nor a caller
0     alloc percpu  56  -1   0xffffffff81001010 0x8000             64   64    0xcc0 2300
0     free  percpu  56  -1   0                  0x8000             0    0     0     2400
