# The kernel allocates on behalf of a module: call sites are in the kernel, a caller is in the module.
# CPU EVENT TYPE  SIZE NODE SITE               PTR                REQ   ALLOC GFP   TIME TAIL
0 clock    0       56   0   5000               0                  0     0     0     1000
1 clock    0       56   1   5000               0                  0     0     0     1000
0 task     0       72   0   0                  0                  0     0     0     1000 "swapper/0"

# cpu1 uses the call path before cpu0 says what it is.
1 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001000 584   1024  0xcc0 1100 0 1
0 stack    0       88   4   1                  0                  0     0     0     1200 0xffffffff81001010 0xffffffff81002110 0xffffffffc0200010 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001400 136   192   0xcc0 1310 0 1

# The same call site on behalf of no module.
0 stack    0       80   3   2                  0                  0     0     0     1320 0xffffffff81001010 0xffffffff81002210 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001600 60    64    0xcc0 1330 0 2
0 free     kmalloc 72   -1  0xffffffff81002310 0xffff888000001600 0     0     0     1400 0 2

# The module itself; a path that nobody knows; the kernel frees for the module.
0 stack    0       80   3   3                  0                  0     0     0     1500 0xffffffffc0200110 0xffffffffc0200020 0xffffffff81003010
0 alloc    kmalloc 72   -1  0xffffffffc0200110 0xffff888000002000 20    32    0xcc0 1510 0 3
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002100 8     8     0xcc0 1520 0 0
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002200 90    96    0xcc0 1530 0 1
0 stack    0       80   3   4                  0                  0     0     0     1540 0xffffffff81002310 0xffffffffc0200130 0xffffffff81003010
0 free     kmalloc 72   -1  0xffffffff81002310 0xffff888000002200 0     0     0     1550 0 4
