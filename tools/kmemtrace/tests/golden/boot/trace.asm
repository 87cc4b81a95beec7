# A boot of two CPUs. The record of its second phase was lost.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
# lost: SITE records, PTR bytes, REQ nested, ALLOC since; clock: PTR sequence
0     clock 0       56  0    1000000            0                  0    0     0     1000000
0     phase 1       56  0    0                  0                  0    0     0     1000010
0     cache 0       88  1    0                  0xffff888000100000 64   64    0x2000 1000020 64 "kmalloc-64"
# The boot CPU's buffer, before all other frames.
0     snapshot pages 56 0    4                  0xffff888000010000 0    65536 0     1000030
0     snapshot pages 56 0    3                  0xffff888000000000 0    16384 0     1000040
0     snapshot pages 56 0    1                  0xffff888000004000 0    49152 0     1000050
0     snapshot cache 64 0    0xffff888000100000 0xffff888000004000 64   64    8     1000060 0x0f
0     snapshot end  56  0    0                  0                  0    0     0     1000070
# The peak of slab in the boot.
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004100 50   64    0xcc0 2000000 0xffff888000100000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004140 50   64    0xcc0 2000100 0xffff888000100000
0     free  kmalloc 56  -1   0xffffffff81001110 0xffff888000004100 0    0     0     2000200
# The buffer of the other CPU. One of its pages belonged to another call site before;
# another page did, and still does.
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000041000 4096 4096  0xcc0 2000300
0     free  pages   56  -1   0xffffffff81001110 0xffff888000041000 0    4096  0     2000400
0     alloc pages   56  -1   0xffffffff81001110 0xffff888000041000 4096 4096  0xcc0 2000500
0     alloc pages   56  -1   0xffffffff81001110 0xffff888000042000 4096 4096  0xcc0 2000500
0     alloc pages   56  -1   0xffffffff81001110 0xffff888000040000 4096 4096  0xcc0 2000500
0     snapshot pages 56 0    4                  0xffff888000041000 0    4096  0     2000600
0     snapshot pages 56 0    4                  0xffff888000040000 0    4096  0     2000600
1     clock 0       56  1    3000000            0                  0    0     0     3000000
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000030000 8192 8192  0xcc0 3000100
1     free  pages   56  -1   0xffffffff81001210 0xffff888000030000 0    8192  0     3000200
0     pad 24
0     clock 0       56  0    3500000            1                  0    0     0     3500000
0     lost  0       56  0    1                  56                 0    3400000 0   3500000
# The remaining events are on the other CPU.
1     phase 3       56  1    0                  0                  0    0     0     4000000
1     alloc vmalloc 56  0    0xffffffff81001110 0xffffc90000010000 5000 8192  0xcc0 4000100
1     phase 4       56  1    0                  0                  0    0     0     4000200
1     free  pages   56  -1   0xffffffff81001210 0xffff888000000000 0    8192  0     4000300
1     free  vmalloc 56  -1   0xffffffff81001210 0xffffc90000010000 0    0     0     4000300
1     phase 5       56  1    0                  0                  0    0     0     4000400
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000004180 50   64    0xcc0 5000000 0xffff888000100000
