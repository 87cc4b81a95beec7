# The load of golden/kernel-old on a new kernel with SLUB, on a big-endian machine: functions
# and caches have other names, and some take more bytes.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
# cache: TYPE op, NODE users, PTR cache, REQ object_size, ALLOC size; TAIL align, name
0     clock 0       56  0    1000               0                  0    0     0     1000
0     phase 1       56  0    0                  0                  0    0     0     1001
0     cache 0       88  1    0                  0x0000000001000000 64   64    0x2000 1010 64 "kmalloc-rnd-05-64"
0     cache 0       88  1    0                  0x0000000001000080 64   64    0x2000 1011 64 "kmalloc-cg-64"
0     cache 0       88  1    0                  0x0000000001000100 4096 4096  0x2000 1012 64 "names_cache"
0     cache 0       88  1    0                  0x0000000001000200 600  640   0x2000 1013 64 "cred"
0     cache 0       88  1    0                  0x0000000001000300 192  192   0x2000 1014 64 "only_new"
0     snapshot end  56  0    0                  0                  0    0     0     1020
0     alloc pages   56  -1   0x0000000000101010 0x0000000002000000 8192 8192  0xcc0 2000
0     alloc pages   56  -1   0x0000000000101020 0x0000000002010000 16384 16384 0xcc0 2001
0     alloc kmalloc 64  -1   0x0000000000101110 0x0000000002000000 50   64    0xcc0 2002 0x0000000001000000
0     alloc kmalloc 64  -1   0x0000000000101120 0x0000000002000040 50   64    0xcc0 2003 0x0000000001000080
0     alloc cache   64  -1   0x0000000000101210 0x0000000002010000 4096 4096  0xcc0 2004 0x0000000001000100
0     alloc cache   64  -1   0x0000000000101210 0x0000000002012000 4096 4096  0xcc0 2004 0x0000000001000100
0     alloc cache   64  -1   0x0000000000101310 0x0000000002000400 600  704   0xcc0 2005 0x0000000001000200
0     alloc cache   64  -1   0x0000000000101410 0x0000000002000c00 192  192   0xcc0 2006 0x0000000001000300
0     alloc vmalloc 56  -1   0x0000000000101510 0x0000000004000000 4096 4096  0xcc0 2007
