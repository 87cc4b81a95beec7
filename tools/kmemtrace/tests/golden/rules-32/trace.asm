# Rules that depend on the machine: words of 32 bits, pages of 16 kB.
# CPU EVENT TYPE   SIZE NODE SITE       PTR         REQ   ALLOC GFP   TIME
0     alloc kmalloc 56  -1   0xc1001010  0xc8000000  100   128   0xcc0 1000 # not broken
0     alloc kmalloc 56  -1   0x1c1001010 0xc8000000  100   128   0xcc0 1000
0     alloc kmalloc 56  -1   0xc1001010  0x1c8000000 100   128   0xcc0 1000
0     alloc pages   56  -1   0xc1001010  0x1c8000000 16384 16384 0xcc0 1000 # not broken: high memory
0     alloc pages   56  -1   0xc1001010  0xc8001000  16384 16384 0xcc0 1000
0     alloc pages   56  -1   0xc1001010  0xc8000000  4096  4096  0xcc0 1000
