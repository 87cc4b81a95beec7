# An area with fewer bytes than were requested: the record is told, and its life is like it.
0 alloc vmalloc 56 -1 0xffffffff81001110 0xffffc90000000000 16782216 262144 0xcc0 1000
