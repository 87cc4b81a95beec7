# The rules of ABI version 2: cpu0 breaks none of them, each other CPU breaks some.
# CPU EVENT TYPE  SIZE NODE SITE               PTR                REQ   ALLOC GFP   TIME TAIL

# lost and clock: the columns are the fields of the structures.
0 clock    0       56   0   50                 0                  0     0     0     1000
0 cache    0       88   1   0                  0xffff888000100000 192   256   0x2000 1000 64 "kmalloc-192"
0 cache    0       80   3   0                  0xffff888000100100 8     8     0      1000 8  "task"
0 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 192   256   16    1001 0x8001
0 snapshot cache   72   0   0xffff888000100100 0xffff888000002000 8     8     65    1001 0xffffffffffffffff 1
0 snapshot cache   64   0   0xffff888000100100 0xffff888000003000 8     8     64    1001 0x8000000000000000
0 snapshot pages   56   0   1                  0xffff888000001000 0     12288 0     1001
0 snapshot pages   56   1023 2                 0xffff888000004000 0     4096  0     1001
0 snapshot pages   56   0   3                  0                  0     4096  0     1001
0 snapshot percpu  56   -1  0                  0xffffe8ffffc00000 16    64    0     1001
0 snapshot vmalloc 56   0   0xffffffff81001010 0xffffc90000001000 5000  8192  0xcc0 1001
0 snapshot end     56   0   2                  0                  0     0     0     1002
0 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1003 0xffff888000100000
0 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000020000 65536 65536 0xcc0 1003 0
0 alloc    cache   64   1   0xffffffff81001010 0xffff888000002008 8     8     0xcc0 1003 0xffff888000100100
0 alloc    pages   56   -1  0xffffffff81001010 0xffff888000008000 8192  8192  0xcc0 1003
0 alloc    percpu  56   -1  0xffffffff81001010 0xffffe8ffffc00040 12    48    0xcc0 1003
0 alloc    vmalloc 56   0   0xffffffff81001010 0xffffc90000004000 9000  12288 0xcc0 1003
0 free     kmalloc 56   -1  0xffffffff81001110 0xffff888000001000 0     0     0     1004
0 free     pages   56   -1  0xffffffff81001110 0xffff888000008000 0     4096  0     1004
0 free     percpu  56   -1  0xffffffff81001110 0xffffe8ffffc00040 0     48    0     1004
0 free     vmalloc 56   -1  0xffffffff81001110 0xffffc90000004000 0     0     0     1004
0 failed   kmalloc 56   -1  0xffffffff81001010 0                  100   0     0xcc0 1005
0 failed   vmalloc 56   2   0xffffffff81001010 0                  100   0     0xcc0 1005
0 phase    1       56   0   0                  0                  0     0     0     1006
0 phase    3       56   0   0                  0                  0     0     0     1006
0 pad 8
0 pad 4096
0 clock    0       56   0   2000               1                  4000000 0   0     2000
0 lost     0       56   0   3                  184                0     1500  0     2000
0 lost     0       56   0   1                  64                 1     0     0     2000
0 cache    1       80   4   0xffffffff81001010 0xffff888000100100 8     8     0     2001 8 "alias"
0 cache    2       80   0   0xffffffff81001010 0xffff888000100100 8     8     0     2001 8 "task"

# Records that can't begin a sub-buffer, before and after a pad.
1 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1000 0
1 clock    0       56   1   50                 0                  0     0     0     1000
1 pad 16
1 free     kmalloc 56   -1  0xffffffff81001110 0xffff888000001000 0     0     0     1004

# Clocks: zeros, another CPU, missing or repeated sub-buffers.
2 clock    0       56   2   50                 7                  0     0     0     1000 # from the middle on
2 clock    2       56   2   50                 8                  0     2     3     1001
2 clock    0       56   1   50                 9                  0     2     0     1002
2 clock    1       64   2   50                 10                 0     0     0     1003
2 clock    0       56   2   50                 14                 0     0     0     1004
2 clock    0       56   2   50                 14                 0     0     0     1005
2 clock    0       56   2   50                 15                 0     0     0     1004

# Lost.
3 clock    0       56   3   1000               0                  0     0     0     1000
3 lost     1       56   3   1                  56                 0     1000  0     1000
3 lost     0       56   0   1                  56                 0     1000  0     1000
3 lost     0       56   3   0                  0                  0     0     0     1000
3 lost     0       56   3   2                  111                0     1000  0     1000
3 lost     0       56   3   1                  56                 2     1000  0     1000
3 lost     0       56   3   1                  56                 0     0     0     1000
3 lost     0       56   3   1                  56                 1     1000  0     1000
3 lost     0       56   3   1                  56                 0     1001  0     1000
3 lost     0       56   3   1                  56                 0     1000  1     1000

# Caches.
4 clock    0       56   4   50                 0                  0     0     0     1000
4 cache    3       80   1   0xffffffff81001010 0xffff888000100000 8     8     0     1000 8 "name"
4 cache    0       80   0   0                  0xffff888000100000 8     8     0     1000 8 "name"
4 cache    2       80   -1  0xffffffff81001010 0xffff888000100000 8     8     0     1000 8 "name"
4 cache    0       80   1   0xffffffff81001010 0xffff888000100000 8     8     0     1000 8 "name"
4 cache    1       80   1   0                  0xffff888000100000 8     8     0     1000 8 "name"
4 cache    0       80   1   0                  0                  8     8     0     1000 8 "name"
4 cache    0       80   1   0                  0xffff888000100000 0     8     0     1000 8 "name"
4 cache    0       80   1   0                  0xffff888000100000 9     8     0     1000 8 "name"
4 cache    0       80   1   0                  0xffff888000100000 8     8     0x100000000 1000 8 "name"
4 cache    0       80   1   0                  0xffff888000100000 8     8     0     1000 0 "name"
4 cache    0       64   1   0                  0xffff888000100000 8     8     0     1000 8
4 cache    0       72   1   0                  0xffff888000100000 8     8     0     1000 8 0x6161616161616161
4 cache    0       72   1   0                  0xffff888000100000 8     8     0     1000 8 ""
4 cache    0       72   1   0                  0xffff888000100000 8     8     0     1000 8 "a\1b"
4 cache    0       72   1   0                  0xffff888000100000 8     8     0     1000 8 "aa\00a"

# Snapshots.
5 clock    0       56   5   50                 0                  0     0     0     1000
5 snapshot kmalloc 56   0   0                  0                  0     0     0     1000
5 snapshot cache   64   -1  0xffff888000100000 0xffff888000001000 8     8     64    1000 1
5 snapshot cache   64   0   0                  0xffff888000001000 8     8     64    1000 1
5 snapshot cache   64   0   0xffff888000100000 0                  8     8     64    1000 1
5 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 0     8     64    1000 1
5 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 9     8     64    1000 1
5 snapshot cache   56   0   0xffff888000100000 0xffff888000001000 8     8     0     1000
5 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 8     8     65    1000 1
5 snapshot cache   72   0   0xffff888000100000 0xffff888000001000 8     8     64    1000 1 1
5 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 8     8     0xffffffffffffffff 1000 1
5 snapshot cache   64   0   0xffff888000100000 0xffff888000001000 8     8     3     1000 9
5 snapshot end     56   5   0                  0                  0     0     1     1000
5 snapshot end     56   0   0                  0                  0     0     0     1000
6 clock    0       56   6   50                 0                  0     0     0     1000
6 snapshot pages   56   -1  1                  0xffff888000001000 0     4096  0     1000
6 snapshot pages   56   0   0                  0xffff888000001000 0     4096  0     1000
6 snapshot pages   56   0   5                  0xffff888000001000 0     4096  0     1000
6 snapshot pages   56   0   1                  0xffff888000001800 0     4096  0     1000
6 snapshot pages   56   0   1                  0xffff888000001000 2     4096  0     1000
6 snapshot pages   56   0   1                  0xffff888000001000 0     0     0     1000
6 snapshot pages   56   0   1                  0xffff888000001000 0     5000  0     1000
6 snapshot pages   56   0   1                  0xffff888000001000 0     4096  1     1000
6 snapshot pages   64   0   1                  0xffff888000001000 0     4096  0     1000
6 snapshot percpu  56   -1  0                  0                  8     8     0     1000
6 snapshot vmalloc 56   -1  0                  0xffffc90000001800 8     4096  0     1000

# Events.
7 clock    0       56   7   50                 0                  0     0     0     1000
7 8        0       56   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1000
7 alloc    kmalloc 56   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1000
7 alloc    cache   64   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1000 0
7 alloc    pages   64   -1  0xffffffff81001010 0xffff888000001000 4096  4096  0xcc0 1000 0
7 alloc    pages   56   0   0xffffffff81001010 0xffff888000001000 4096  4096  0xcc0 1000
7 alloc    5       56   -1  0xffffffff81001010 0xffff888000001000 4096  4096  0xcc0 1000
7 alloc    vmalloc 56   -1  0xffffffff81001010 0xffffc90000001800 4096  4096  0xcc0 1000
7 alloc    vmalloc 56   -1  0xffffffff81001010 0xffffc90000001000 4096  5000  0xcc0 1000
7 free     kmalloc 64   -1  0xffffffff81001010 0xffff888000001000 0     0     0     1000
7 free     percpu  56   -1  0xffffffff81001010 0xffffe8ffffc00040 0     0     0     1000
7 free     vmalloc 56   -1  0xffffffff81001010 0xffffc90000001000 0     4096  0     1000
7 free     kmalloc 56   0   0xffffffff81001010 0xffff888000001000 0     0     0     1000
7 failed   5       56   -1  0xffffffff81001010 0                  100   0     0xcc0 1000
7 failed   kmalloc 56   -1  0xffffffff81001010 1                  100   0     0xcc0 1000
7 failed   kmalloc 56   -1  0xffffffff81001010 0                  0     0     0xcc0 1000
7 failed   kmalloc 56   -1  0xffffffff81001010 0                  100   1     0xcc0 1000
7 failed   kmalloc 56   -1  0                  0                  100   0     0xcc0 1000

# Pads: a byte that isn't zero, and an odd size, after which records are unaligned.
8 clock    0       56   8   50                 0                  0     0     0     1000
8 pad 8 1
8 pad 8 4
8 pad 16 15
8 pad 12
8 clock    0       56   8   50                 1                  0     0     0     1001

# Phases: a repeated one, one in the wrong order, two unknown ones.
9 clock    0       56   9   50                 0                  0     0     0     1000
9 phase    2       56   9   0                  0                  0     0     0     1000
9 phase    2       56   9   0                  0                  0     0     0     1000
9 phase    1       56   9   0                  0                  0     0     0     1000
9 phase    0       56   9   0                  0                  0     0     0     1000
9 phase    6       56   9   0                  0                  0     0     0     1000
9 phase    3       56   8   1                  0                  0     0     2     1000
9 phase    4       64   9   0                  0                  0     0     0     1000

# Moves: of no pages, of none that are whole, of too many, of objects, to where they were.
10 clock   0       56   10  50                 0                  0     0     0     1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000002000 4096 0 1000
10 move    kmalloc 56   -1  0                  0xffff888000001000 0xffff888000002000 4096 0 1000
10 move    pages   56   0   0                  0xffff888000001000 0xffff888000002000 4096 0 1000
10 move    pages   56   -1  1                  0xffff888000001000 0xffff888000002000 4096 0 1000
10 move    pages   56   -1  0                  0                  0xffff888000002000 4096 0 1000
10 move    pages   56   -1  0                  0xffff888000001800 0xffff888000003000 4096 0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0                  4096 0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000003800 4096 0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000002000 0    0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000004000 5000 0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000002000 8192 0 1000
10 move    pages   56   -1  0                  0xffff888000000000 0xffff888001000000 4198400 0 1000
10 move    pages   56   -1  0                  0xffff888000001000 0xffff888000002000 4096 1 1000
10 move    pages   64   -1  0                  0xffff888000001000 0xffff888000002000 4096 0 1000
