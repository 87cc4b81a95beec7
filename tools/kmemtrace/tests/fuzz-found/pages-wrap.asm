# Blocks of a size, the second of which ends behind the last of all addresses.
0 alloc pages 56 -1 0x1010 0xffffffffffffe000 8192 8192 0xcc0 1000
0 alloc pages 56 -1 0x1010 0xfffffffffffff000 8192 8192 0xcc0 1001
