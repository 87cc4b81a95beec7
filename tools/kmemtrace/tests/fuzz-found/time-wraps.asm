# The second allocation comes a nanosecond after the end of all time.
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8 0xcc0 0x7fffffffffffffff
0 alloc kmalloc 56 -1 0x1010 0x20000 8 8 0xcc0 0x8000000000000000
