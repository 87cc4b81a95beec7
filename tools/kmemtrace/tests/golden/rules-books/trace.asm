# The rules of the file of the books, common/booksfile.h: what CPU 0 has becomes that file.
# CPU EVENT TYPE    SIZE NODE SITE               PTR                REQ  ALLOC GFP   TIME TAIL
0 clock    0       56   0    50                 0                  0    0     0     1000
# No rule is broken.
0 snapshot 254     56   0    3                  7                  1    64    0     1000
0 snapshot 253     56   0    100                200                0    0     0     1000
0 snapshot 252     72   7    3                  4000               50   0     0     1000 "task" 0
0 snapshot pages   64   0    1                  0xffff888000001000 0    4096  0     900  0xffffffff81001010
0 snapshot kmalloc 64   -1   0xffffffff81001010 0xffff888000002000 50   64    0xcc0 900  0xffff888000100000
0 snapshot kmalloc 64   -1   0                  0xffff888000002100 50   64    0xcc0 900  0
0 snapshot percpu  56   -1   0xffffffff81001010 0xffffe8ffffc00040 12   48    0xcc0 900
# The head: what must be 0, samples.
0 snapshot 254     56   1    3                  7                  1    64    0     1000
0 snapshot 254     56   0    3                  7                  1    64    1     1000
0 snapshot 254     56   0    3                  7                  1    3     0     1000
0 snapshot 254     56   0    3                  7                  1    131072 0    1000
# A stream: more bytes than it has, what must be 0.
0 snapshot 253     56   0    200                200                0    0     0     1000
0 snapshot 253     56   0    201                200                0    0     0     1000
0 snapshot 253     56   0    100                200                1    0     0     1000
0 snapshot 253     56   0    100                200                0    1     0     1000
0 snapshot 253     56   0    100                200                0    0     1     1000
# A task: too short, a number that is none, what must be 0.
0 snapshot 252     56   7    3                  4000               50   0     0     1000
0 snapshot 252     72   7    2                  4000               50   0     0     1000 "task" 0
0 snapshot 252     72   7    3                  4000               50   1     0     1000 "task" 0
0 snapshot 252     72   7    3                  4000               50   0     1     1000 "task" 0
# Objects: too short, no address, an impossible size. An unknown type.
0 snapshot kmalloc 56   -1   0xffffffff81001010 0xffff888000002000 50   64    0xcc0 900
0 snapshot kmalloc 64   -1   0xffffffff81001010 0                  50   64    0xcc0 900  0
0 snapshot kmalloc 64   -1   0xffffffff81001010 0xffff888000002000 65   64    0xcc0 900  0
0 snapshot 251     56   0    1                  0xffff888000001000 0    4096  0     900
1 clock    0       56   1    50                 0                  0    0     0     1000
