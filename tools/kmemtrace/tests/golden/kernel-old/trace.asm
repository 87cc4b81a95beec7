# An old kernel with SLAB. golden/kernel-new has the same load on a new kernel with SLUB.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
# cache: TYPE op, NODE users, PTR cache, REQ object_size, ALLOC size; TAIL align, name
0     clock 0       56  0    1000               0                  0    0     0     1000
0     phase 1       56  0    0                  0                  0    0     0     1001
0     cache 0       88  1    0                  0xffff888000100000 64   64    0x2000 1010 64 "kmalloc-64"
0     cache 0       88  1    0                  0xffff888000100100 4096 4096  0x2000 1011 64 "names_cache"
0     cache 0       88  1    0                  0xffff888000100200 600  640   0x2000 1012 64 "cred_jar"
0     cache 0       88  1    0                  0xffff888000100300 256  256   0x2000 1013 64 "only_old"
0     snapshot end  56  0    0                  0                  0    0     0     1020
# The pages of the caches.
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000200000 8192 8192  0xcc0 2000
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000210000 8192 8192  0xcc0 2001
# Of functions and caches that both kernels have, and of one that the new kernel lacks.
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000200000 50   64    0xcc0 2002 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001120 0xffff888000200040 50   64    0xcc0 2003 0xffff888000100000
0     alloc cache   64  -1   0xffffffff81001210 0xffff888000210000 4096 4096  0xcc0 2004 0xffff888000100100
0     alloc cache   64  -1   0xffffffff81001310 0xffff888000200400 600  640   0xcc0 2005 0xffff888000100200
0     alloc cache   64  -1   0xffffffff81001410 0xffff888000200c00 256  256   0xcc0 2006 0xffff888000100300
0     alloc vmalloc 56  -1   0xffffffff81001510 0xffffc90000000000 4096 4096  0xcc0 2007
