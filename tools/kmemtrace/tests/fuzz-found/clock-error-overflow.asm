# No pair of times is as good as it has to be, when twice the smallest error is 0.
0 clock 1       56 0  1000   0       0 1000000000 0x8000000000000000 1000
0 alloc kmalloc 56 -1 0x1010 0x10000 8 8          0xcc0              1001
# The second one would be earlier than the first, but for an overflow.
1 clock 1       56 1  -1     0       0 1000000000 -1                 1000
1 clock 1       56 1  5      1       0 1000000000 -1                 1000000000
