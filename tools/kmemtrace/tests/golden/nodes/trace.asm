# Two CPUs and two nodes of 16 pages each; the snapshot reports them after some events.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
0     clock 0       56  0    9000               0                  100  0     0     1000
1     clock 0       56  1    9000               0                  100  0     0     1000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000000000 16   16    0xcc0 2000 0
0     snapshot pages 56 0    1                  0xffff888000000000 0    8192  0     3000
0     snapshot pages 56 0    2                  0xffff888000002000 0    57344 0     3001
0     snapshot pages 56 1    2                  0xffff888000010000 0    65536 0     3002
0     snapshot end  56  0    0                  0                  0    0     0     3003

# Pages on this CPU's node, on the other node, and on no node of the snapshot.
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000002000 8192 8192  0xcc0 4000
1     alloc pages   56  -1   0xffffffff81001010 0xffff888000010000 4096 4096  0xcc0 4010
1     alloc pages   56  -1   0xffffffff81001010 0xffff888000004000 4096 4096  0xcc0 4020
1     alloc pages   56  -1   0xffffffff81001010 0xffff888000100000 4096 4096  0xcc0 4030
# Any node; a requested node, with memory on that node or on the other one.
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000002040 60   64    0xcc0 5000 0
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000010080 60   64    0xcc0 5010 0
0     alloc kmalloc 64  1    0xffffffff81001010 0xffff8880000100c0 60   64    0xcc0 5020 0
0     alloc kmalloc 64  1    0xffffffff81001010 0xffff888000002080 60   64    0xcc0 5030 0
1     alloc kmalloc 64  0    0xffffffff81001010 0xffff8880000020c0 60   64    0xcc0 5040 0
# Virtual addresses.
1     alloc vmalloc 56  1    0xffffffff81001010 0xffffc90000000000 4096 4096  0xcc0 5050
1     alloc percpu  56  -1   0xffffffff81001010 0x8000             64   64    0xcc0 5060
# Frees on both nodes.
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000010080 0    0     0     6000
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000002040 0    0     0     6010
1     free  pages   56  -1   0xffffffff81001210 0xffff888000002000 0    8192  0     6020
