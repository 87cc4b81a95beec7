# One of 4 slab objects below a page. The snapshot has all of them: 3 of 16 are in the sample.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
0     clock 0       56  0    1000               0                  100  0     0     1000
1     clock 0       56  1    1000               0                  100  0     0     1000
0     cache 0       88  1    0                  0xffff888000100000 64   64    0     2000 64 "kmalloc-64"
0     cache 0       88  1    0                  0xffff888000100100 4096 4096  0     2001 64 "kmalloc-4k"
0     snapshot cache 64 0    0xffff888000100000 0xffff888000002000 64   64    16    3000 0xffff
0     snapshot cache 64 0    0xffff888000100100 0xffff888000010000 4096 4096  8     3001 0x7
0     snapshot pages 56 0    1                  0xffff888000002000 1    24576 0     3002
0     snapshot pages 56 0    1                  0xffff888000010000 1    65536 0     3003
0     snapshot pages 56 1    2                  0xffff888000020000 1    65536 0     3004
0     snapshot end  56  0    0                  0                  0    0     0     3005

# Sampled objects.
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004180 50   64    0xcc0 4000 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004380 60   64    0xcc0 4010 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff8880000044c0 50   64    0xcc0 4020 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004500 60   64    0xcc0 4030 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004600 50   64    0xcc0 4040 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004640 60   64    0xcc0 4050 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff8880000046c0 50   64    0xcc0 4060 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff8880000047c0 60   64    0xcc0 4070 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004880 50   64    0xcc0 4080 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004900 60   64    0xcc0 4090 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004940 50   64    0xcc0 4100 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004a00 60   64    0xcc0 4110 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000004a40 50   64    0xcc0 4120 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000004d80 60   64    0xcc0 4130 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000004dc0 50   64    0xcc0 4140 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000005140 60   64    0xcc0 4150 0xffff888000100000

# Memory of which the trace has everything.
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000013000 4000 4096  0xcc0 4160 0xffff888000100100
0     alloc kmalloc 64  -1   0xffffffff81001110 0xffff888000018000 9000 16384 0xcc0 4170 0
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000020000 8192 8192  0xcc0 4180
1     alloc percpu  56  -1   0xffffffff81001010 0x8000             64   64    0xcc0 4190

# Frees: two on the CPU of the allocation, two on another one; an older object; a large one.
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000004180 0    0     0     4200
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000004380 0    0     0     4210
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff8880000044c0 0    0     0     2004220
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000004500 0    0     0     2004230
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000002080 0    0     0     2004240
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000011000 0    0     0     2004250
