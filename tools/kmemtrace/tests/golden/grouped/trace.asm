# Call sites that share a function or a module, or only seem to.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME
# Two in a function, and one in a part that the compiler split from it.
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001020 0xffff888000001080 100  128   0xcc0 1001
0     alloc kmalloc 56  -1   0xffffffff81001110 0xffff888000001100 100  128   0xcc0 1002
# Two static functions of one name.
0     alloc kmalloc 56  -1   0xffffffff81001210 0xffff888000002000 50   64    0xcc0 1003
0     alloc kmalloc 56  -1   0xffffffff81001310 0xffff888000002040 50   64    0xcc0 1004
# Modules have functions of the same name, and functions without one.
0     alloc kmalloc 56  -1   0xffffffffc0001010 0xffff888000003000 30   32    0xcc0 1005
0     alloc kmalloc 56  -1   0xffffffffc0001110 0xffff888000003020 30   32    0xcc0 1006
0     alloc kmalloc 56  -1   0xffffffffc0002010 0xffff888000003040 30   32    0xcc0 1007
0     alloc kmalloc 56  -1   0xffffffffc0004010 0xffff888000004000 10   16    0xcc0 1008
0     alloc kmalloc 56  -1   0xffffffffc0004020 0xffff888000004010 10   16    0xcc0 1009
# A call site without a symbol.
0     alloc kmalloc 56  -1   0xffffffffd0000010 0xffff888000005000 8    8     0xcc0 1010
# All freed: the call site stays in the list, for its allocations.
0     alloc kmalloc 56  -1   0xffffffffc0001110 0xffff888000006000 30   32    0xcc0 1011
0     free  kmalloc 56  -1   0xffffffff81001410 0xffff888000006000 0    0     0     1012
