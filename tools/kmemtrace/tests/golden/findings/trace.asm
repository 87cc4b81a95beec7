# One finding of each class, in a trace that lost events on CPU 1.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001110 0xffff888000001000 100  128   0xcc0 2000
0     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000001000 0    0     0     3000
0     free  kmalloc 56  -1   0xffffffff81001310 0xffff888000001000 0    0     0     4000
1     free  cache   56  -1   0xffffffff81001210 0xffff888000002000 0    0     0     4500
1     free  cache   56  -1   0xffffffff81001310 0xffff888000003000 0    0     0     4600
1     free  cache   56  -1   0xffffffff81001310 0xffff888000004000 0    0     0     4700
0     alloc cache   56  -1   0xffffffffc0001010 0xffff888000005000 200  256   0xcc0 5000
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000005000 0    0     0     6000
0     alloc kmalloc 56  -1   0xffffffffc0004010 0xffff888000006000 100  96    0xcc0 7000
0     alloc kmalloc 56  -1   0xffffffff81001010 0                  100  128   0xcc0 8000
0     alloc pages   56   0   0xffffffff81001010 0xffff888000010000 8192 8192  0xcc0 9000
0     free  pages   56  -1   0xffffffff81001210 0xffff888000011000 0    4096  0     9100
0     free  pages   56  -1   0xffffffff81001310 0xffff888000011000 0    4096  0     9200
1     free  pages   56  -1   0xffffffff81001310 0xffff888000080000 0    4096  0     9300
# A free that the clock reordered before its allocation: no finding.
1     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000007000 0    0     0     2000000
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000007000 8    8     0xcc0 2000100
