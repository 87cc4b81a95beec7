# References to counted objects: who takes, drops and keeps them.
# CPU EVENT TYPE SIZE CHANGE SITE OBJECT COUNT WHO 0 TIME TAIL
0 clock 0 56 0 5000 0 0 0 0 1000
0 task 0 72 0 0 0 0 0 0 1000 "swapper/0"
1 clock 0 56 1 5000 0 0 0 0 1000
1 task 0 72 1 1 10 0 0 0 1000 "init" 0
0 stack     0    80   3    1                  0                  0                  0           0  1010  0xffffffff81001010 0xffffffff81001110 0xffffffff81002010
0 stack     0    96   5    2                  0                  0                  0           0  1020  0xffffffff81001210 0xffffffff81001310 0xffffffff81001410 0xffffffff81001510 0xffffffff81002010
0 stack     0    88   4    3                  0                  0                  0           0  1030  0xffffffff81001350 0xffffffff81001410 0xffffffff81001510 0xffffffff81002010
0 stack     0    80   3    4                  0                  0                  0           0  1040  0xffffffff81001610 0xffffffff81001710 0xffffffff81002010
0 stack     0    80   3    5                  0                  0                  0           0  1050  0xffffffff81001810 0xffffffff81001910 0xffffffff81002010
0 stack     0    80   3    6                  0                  0                  0           0  1060  0xffffffff81001a10 0xffffffff81001710 0xffffffff81002010
0 stack     0    72   2    7                  0                  0                  0           0  1070  0xffffffff81001b10 0xffffffff81002010
0 stack     0    80   3    8                  0                  0                  0           0  1080  0xffffffff81001c10 0xffffffff81001d10 0xffffffff81002010
0 stack     0    72   2    9                  0                  0                  0           0  1090  0xffffffff81001d50 0xffffffff81002010
0 stack     0    80   3    10                 0                  0                  0           0  1100  0xffffffff81001e10 0xffffffff81001710 0xffffffff81002010

# A namespace that is released: all that was taken was dropped.
0 reference 0    72   1    0xffffffff81001010 0xffff888000001000 1                  0x1         0  1110  "net" 0
0 reference 0    72   1    0xffffffff81001210 0xffff888000001000 2                  0x2         0  1120  "net" 0
0 reference 0    72   -1   0xffffffff81001350 0xffff888000001000 0xffffffffffffffff 0x3         0  1130  "net" 0
0 reference 0    72   -1   0xffffffff81001610 0xffff888000001000 0                  0x4         0  1140  "net" 0

# Two that rtnl_net_getid() keeps. A socket has a reference for a while, and none drops it under the
# same function.
0 reference 0    72   1    0xffffffff81001010 0xffff888000002000 1                  0x1         0  1150  "net" 0
0 reference 0    72   1    0xffffffff81001810 0xffff888000002000 2                  0x5         0  1160  "net" 0
0 reference 0    72   -1   0xffffffff81001a10 0xffff888000002000 0xffffffffffffffff 0x6         0  1170  "net" 0
0 reference 0    72   1    0xffffffff81001210 0xffff888000002000 2                  0x2         0  1180  "net" 0
1 reference 0    72   -1   0xffffffff81001610 0xffff888000002000 0xffffffffffffffff 0x4         0  1190  "net" 0
0 reference 0    72   1    0xffffffff81001010 0xffff888000003000 1                  0x1         0  1200  "net" 0
0 reference 0    72   1    0xffffffff81001810 0xffff888000003000 2                  0x5         0  1210  "net" 0
0 reference 0    72   -1   0xffffffff81001a10 0xffff888000003000 0xffffffffffffffff 0x6         0  1220  "net" 0
0 reference 0    72   1    0xffffffff81001210 0xffff888000003000 2                  0x2         0  1230  "net" 0
1 reference 0    72   -1   0xffffffff81001610 0xffff888000003000 0xffffffffffffffff 0x4         0  1240  "net" 0

# One that was there before: two of its four references are taken and dropped under one function.
1 reference 0    72   1    0xffffffff81001210 0xffff888000005000 5                  0x2         0  1250  "net" 0
1 reference 0    72   -1   0xffffffff81001350 0xffff888000005000 0xffffffffffffffff 0x3         0  1260  "net" 0
1 reference 0    72   -2   0xffffffff81001610 0xffff888000005000 2                  0x4         0  1270  "net" 0

# The last reference is dropped, and recorded, before another CPU records that it dropped one.
0 reference 0    72   1    0xffffffff81001010 0xffff888000006000 1                  0x1         0  1280  "net" 0
0 reference 0    72   1    0xffffffff81001810 0xffff888000006000 2                  0x5         0  1290  "net" 0
1 reference 0    72   -1   0xffffffff81001610 0xffff888000006000 0                  0x4         0  1300  "net" 0
0 reference 0    72   -1   0xffffffff81001a10 0xffff888000006000 0xffffffffffffffff 0x6         0  1310  "net" 0

# Pages: 16 references at once, 9 are dropped; one page is in use; an address is used again.
0 reference 0    72   1    0xffffffff81001b10 0xffff888000010000 1                  0x7         0  1320  "page" 0
0 reference 0    72   1    0xffffffff81001c10 0xffff888000010000 2                  0x8         0  1330  "page" 0
0 reference 0    72   1    0xffffffff81001b10 0xffff888000011000 1                  0x7         0  1340  "page" 0
0 reference 0    72   1    0xffffffff81001c10 0xffff888000011000 2                  0x8         0  1350  "page" 0
0 reference 0    72   1    0xffffffff81001b10 0xffff888000012000 1                  0x7         0  1360  "page" 0
0 reference 0    72   1    0xffffffff81001c10 0xffff888000012000 2                  0x8         0  1370  "page" 0
0 reference 0    72   -1   0xffffffff81001d50 0xffff888000012000 0xffffffffffffffff 0x9         0  1380  "page" 0
1 reference 0    72   1    0xffffffff81001b10 0xffff888000012000 1                  0x7         0  1390  "page" 0
0 reference 0    72   16   0xffffffff81001b10 0xffff888000020000 16                 0x7         0  1400  "page" 0
0 reference 0    72   -9   0xffffffff81001e10 0xffff888000020000 7                  0x10000000a 0  1410  "page" 0

# A page that kmemtraced holds.
1 task      0    72   50   50                 20                 0                  0           0  1420  "kmemtraced"
1 reference 0    72   1    0xffffffff81001c10 0xffff888000030000 1                  0x8         0  1430  "page" 0
