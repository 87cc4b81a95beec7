# The events of golden/grouped, from another build on another machine.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME
# The same bytes of one function, from other call sites in it.
0     alloc kmalloc 56  -1   0xffff800080011020 0xffff000000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffff800080011110 0xffff000000001080 100  128   0xcc0 1001
0     alloc kmalloc 56  -1   0xffff800080011120 0xffff000000001100 100  128   0xcc0 1002
# More of the second function, less of the third, and a new one.
0     alloc kmalloc 56  -1   0xffff800080011310 0xffff000000002000 50   64    0xcc0 1003
0     alloc kmalloc 56  -1   0xffff800080011310 0xffff000000002040 50   64    0xcc0 1004
0     alloc kmalloc 56  -1   0xffff800080011310 0xffff000000002080 50   64    0xcc0 1005
0     alloc kmalloc 56  -1   0xffff80007a001010 0xffff000000003000 30   32    0xcc0 1006
0     free  kmalloc 56  -1   0xffff800080011410 0xffff000000003000 0    0     0     1007
0     alloc kmalloc 56  -1   0xffff80007a001210 0xffff000000003020 30   32    0xcc0 1008
0     alloc pages   56  -1   0xffff800080011510 0xffff000000100000 65536 65536 0xcc0 1009
