# Each rule of the ABI, broken.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     0     kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     3     kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc 3       56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 64  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  -2   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  1024 0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  1023 0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000 # not broken
0     alloc kmalloc 56  -1   0                  0xffff888000001000 100  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001010 0                  100  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 0    128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 129  128   0xcc0 1000
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0x100000000 1000
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 999
0     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 -1
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000001800 4096 4096  0xcc0 1000
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000001000 4096 5000  0xcc0 1000
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000001000 4096 12288 0xcc0 1000
0     free  kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 0    0     0     1000 # not broken
0     free  kmalloc 56  0    0xffffffff81001010 0xffff888000001000 0    0     0     1000 # not broken
0     free  kmalloc 56  1234567 0xffffffff81001010 0xffff888000001000 0 0     0     1000 # not broken
0     free  kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 1    0     0     1000
0     free  kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 0    1     0     1000
0     free  kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 0    0     1     1000
0     free  pages   56  -1   0xffffffff81001010 0xffff888000001000 0    0     0     1000
0     free  pages   56  -1   0xffffffff81001010 0xffff888000001000 0    4096  0     1000 # not broken
0     raw 0102030405060708

# Findings of one rule beyond the first few are counted only.
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000
1     alloc kmalloc 56  -1   0xffffffff81001010 0 100  128   0xcc0 1000

# A size that ends the check.
2     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
2     alloc kmalloc 40  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
2     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000

# A record whose size exceeds the rest of the file.
3     alloc kmalloc 56  -1   0xffffffff81001010 0xffff888000001000 100  128   0xcc0 1000
3     raw 01000001ffffffff000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001

# A stream without findings.
4     alloc cache   56  -1   0xffffffff81001010 0xffff888000001000 100  100   0xcc0 0
4     alloc pages   56   0   0xffffffff81001010 0xffff888000010000 8192 8192  0xcc0 0
