# Only streams: no metadata, no symbols.
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
2     free  kmalloc 56  -1   0xffffffff81001210 0xffff888000001000 0    0     0     3000
2     alloc pages   56  -1   0xffffffff81001010 0xffff888000010000 4096 4096  0xcc0 9000
