# A block of so many chunks of frames that no batch was believed to have room for it.
0 alloc pages 56 -1 0x1010 0x40000000 0x40000000 0x40000000 0xcc0 1000
0 free  pages 56 -1 0x1020 0x40000000 0          0x40000000 0     1001
