# A trace of a module, whose snapshot has pages only: what is older is known of pages, and not
# of slab objects. 0x1b are the types kmalloc, cache, percpu and vmalloc.
# CPU EVENT    TYPE    SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
0     clock    0       56  0    9000               0                  2000 0     0     1000
0     free     kmalloc 56  -1   0xffffffff81001310 0xffff888000004040 0    0     0     1100
0     free     pages   56  -1   0xffffffff81001310 0xffff888000009000 0    4096  0     1110
0     snapshot pages   56  0    1                  0xffff888000010000 1    8192  0     1200
0     snapshot end     56  0    0                  0                  0x1b 0     0     1300
0     free     cache   56  -1   0xffffffff81001310 0xffff888000004080 0    0     0     1400
0     free     pages   56  -1   0xffffffff81001310 0xffff888000010000 0    4096  0     1500
0     free     vmalloc 56  -1   0xffffffff81001310 0xffffc90000010000 0    0     0     1600
# neither allocated nor live when tracing began
0     free     pages   56  -1   0xffffffff81001310 0xffff888000020000 0    4096  0     1700
0     alloc    pages   56  -1   0xffffffff81001010 0xffff888000020000 4096 4096  0xcc0 2000
