# A free at the last possible time is none of what never ends.
0 clock 0 56 0 0 0 0 0 0 10
0 alloc kmalloc 56 -1 0xffffffff81001010 0xffff888000001000 50 64 0xcc0 1000
0 free kmalloc 56 -1 0xffffffff81001210 0xffff888000001000 0 0 0 0x7fffffffffffffff
