# The rules of records that say who allocated: cpu0 breaks none of them, each other CPU some.
# CPU EVENT TYPE  SIZE NODE SITE               PTR                REQ   ALLOC GFP   TIME TAIL

# task: NODE is the pid, SITE the tgid, PTR the start. stack: NODE is the depth, SITE the
# number, PTR is_cut. cgroup: TYPE is the op, NODE is_removed, SITE the number, PTR the parent.
0 clock    0       56   0   50                 0                  0     0     0     1000
0 task     0       72   0   0                  0                  0     0     0     1000 "swapper/0"
0 cgroup   0       64   0   1                  0                  0     0     0     1000 "/"
0 cgroup   0       72   1   7                  1                  0     0     0     1000 "/old/one"
0 cgroup   1       64   0   8                  1                  0     0     0     1001 "/b\ffd"
0 stack    0       72   2   1                  0                  0     0     0     1002 0xffffffff81001010 0xffffffff81002010
0 stack    0       64   1   0xffffffff         1                  0     0     0     1002 0xffffffff81001010
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1003 0 1
0 alloc    pages   72   -1  0xffffffff81001010 0xffff888000008000 8192  8192  0xcc0 1003 0 0x1ffffffff
0 alloc    percpu  72   -1  0xffffffff81001010 0xffffe8ffffc00040 12    48    0xcc0 1003 0 0x200000000
0 alloc    vmalloc 80   0   0xffffffff81001010 0xffffc90000004000 9000  12288 0xcc0 1003 0 2 5
0 charge   pages   56   -1  8                  0xffff888000008000 0     4096  0     1004
0 charge   kmalloc 56   -1  7                  0xffff888000001000 0     0     0     1004
0 task     0       72   12  10                 50                 0     0     0     1005 "fifteen-letters"
0 reference 0      72   1   0xffffffff81001010 0xffff888000001000 1     1     0     1005 "net" 0
0 reference 0      72   -1  0xffffffff81001110 0xffff888000001000 0xffffffffffffffff 0x100000000 0 1005 "net" 0
0 reference 0      72   -1  0                  0xffff888000001000 0     0     0     1005 "fifteen-letters"
0 failed   kmalloc 72   -1  0xffffffff81001010 0                  100   0     0xcc0 1005 0 1
0 free     kmalloc 56   -1  0xffffffff81001110 0xffff888000001000 0     0     0     1006
0 stack    0       72   2   1                  0                  0     0     0     1006 0xffffffff81001010 0xffffffff81002010
0 cgroup   2       64   1   8                  1                  0     0     0     1007 "/b\ffd"
0 cgroup   3       64   1   8                  1                  0     0     0     1008 "/b\ffd"
0 pad 16
0 clock    0       56   0   2000               1                  0     0     0     2000
0 task     0       80   12  10                 50                 0     0     0     2000 "sh" 0 5
0 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 2003 0 0

# Another CPU names the paths of cpu0's events. Switched on again, numbers mean something else.
1 clock    0       56   1   50                 0                  0     0     0     1000
1 stack    0       64   1   2                  0                  0     0     0     1002 0xffffffff81001010
1 pad 8
1 clock    0       56   1   50                 0                  0     0     0     3000 # a finding
1 stack    0       64   1   2                  0                  0     0     0     3002 0xffffffff81001210

# Events: too short, a cache where there is none, no such context, no task, no such path.
2 clock    0       56   2   50                 0                  0     0     0     1000
2 alloc    kmalloc 64   -1  0xffffffff81001010 0xffff888000001000 100   192   0xcc0 1003 0
2 failed   pages   56   -1  0xffffffff81001010 0                  4096  0     0xcc0 1003
2 alloc    pages   72   -1  0xffffffff81001010 0xffff888000008000 8192  8192  0xcc0 1003 1 0x100000001
2 failed   cache   72   -1  0xffffffff81001010 0                  8     0     0xcc0 1003 1 0x100000001
2 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000002000 100   192   0xcc0 1003 0 0x400000001
2 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000003000 100   192   0xcc0 1003 0 0x10100000001
2 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000004000 100   192   0xcc0 1003 0 1
2 alloc    kmalloc 72   -1  0xffffffff81001010 0xffff888000005000 100   192   0xcc0 1003 0 77

# Call paths: no frames, too many, fewer than there should be, a NULL, no number, two meanings.
3 clock    0       56   3   50                 0                  0     0     0     1000
3 stack    0       56   0   3                  0                  0     0     0     1000
3 stack    0       56   33  4                  0                  0     0     0     1000
3 stack    0       64   2   5                  0                  0     0     0     1000 0xffffffff81001010
3 stack    0       64   -1  6                  0                  0     0     0     1000 0xffffffff81001010
3 stack    0       72   2   7                  0                  0     0     0     1000 0xffffffff81001010 0
3 stack    0       64   1   0                  0                  0     0     0     1000 0xffffffff81001010
3 stack    0       64   1   0x100000000        0                  0     0     0     1000 0xffffffff81001010
3 stack    0       64   1   1                  0                  0     0     0     1000 0xffffffff81001010
3 stack    0       64   1   8                  2                  0     0     0     1000 0xffffffff81001010
3 stack    1       64   1   9                  0                  0     0     3     1000 0xffffffff81001010

# Tasks.
4 clock    0       56   4   50                 0                  0     0     0     1000
4 task     0       64   1   1                  0                  0     0     0     1000 "init"
4 task     0       72   -1  1                  0                  0     0     0     1000 "init" 0
4 task     0       72   1   0                  0                  0     0     0     1000 "init" 0
4 task     0       72   0   1                  0                  0     0     0     1000 "init" 0
4 task     0       72   1   0x100000001        0                  0     0     0     1000 "init" 0
4 task     1       72   1   1                  0                  0     7     0     1000 "init" 0
4 task     0       72   1   1                  0                  0     0     0     1000 "0123456789abcde"
4 task     0       72   1   1                  0                  0     0     0     1000 0x6161616161616161 0x6161616161616161
4 task     0       72   1   1                  0                  0     0     0     1000 "init" 1

# Memory cgroups.
5 clock    0       56   5   50                 0                  0     0     0     1000
5 cgroup   4       64   0   9                  1                  0     0     0     1000 "/a"
5 cgroup   0       64   2   9                  1                  0     0     0     1000 "/a"
5 cgroup   1       64   1   9                  1                  0     0     0     1000 "/a"
5 cgroup   2       64   0   9                  1                  0     0     0     1000 "/a"
5 cgroup   0       64   0   0                  1                  0     0     0     1000 "/a"
5 cgroup   0       64   0   9                  9                  0     0     0     1000 "/a"
5 cgroup   0       64   0   9                  1                  1     0     0     1000 "/a"
5 cgroup   0       56   0   9                  1                  0     0     0     1000
5 cgroup   0       64   0   9                  1                  0     0     0     1000 0
5 cgroup   0       64   0   9                  1                  0     0     0     1000 0x6161616161616161
5 cgroup   0       64   0   9                  1                  0     0     0     1000 "a\00b"

# Charges.
6 clock    0       56   6   50                 0                  0     0     0     1000
6 charge   5       56   -1  1                  0xffff888000001000 0     0     0     1000
6 charge   kmalloc 56   0   1                  0xffff888000001000 0     0     0     1000
6 charge   kmalloc 56   -1  0                  0xffff888000001000 0     0     0     1000
6 charge   kmalloc 56   -1  1                  0                  0     0     0     1000
6 charge   kmalloc 56   -1  1                  0xffff888000001000 1     0     0     1000
6 charge   kmalloc 56   -1  1                  0xffff888000001000 0     8     0     1000
6 charge   pages   56   -1  1                  0xffff888000001008 0     0     0     1000
6 charge   pages   56   -1  99                 0xffff888000001000 0     4096  1     1000

# References: NODE is the change, REQ the count, ALLOC the path and the context. Too short, no
# change, fewer than were taken, no object, no kind, no such context, no such path, zeros.
7 clock    0       56   7   50                 0                  0     0     0     1000
7 task     0       72   1   1                  0                  0     0     0     1000 "init" 0
7 reference 0      64   1   0xffffffff81001010 0xffff888000001000 1     1     0     1000 "net"
7 reference 0      72   0   0xffffffff81001010 0xffff888000001000 1     1     0     1000 "net" 0
7 reference 0      72   2   0xffffffff81001010 0xffff888000001000 1     1     0     1000 "net" 0
7 reference 0      72   1   0xffffffff81001010 0                  1     1     0     1000 "net" 0
7 reference 0      72   1   0xffffffff81001010 0xffff888000001000 1     1     0     1000 0 0
7 reference 0      72   1   0xffffffff81001010 0xffff888000001000 1     0x400000001 0 1000 "net" 0
7 reference 0      72   1   0xffffffff81001010 0xffff888000001000 1     78    0     1000 "net" 0
7 reference 1      72   1   0xffffffff81001010 0xffff888000001000 1     1     5     1000 "net" 0
7 reference 0      72   1   0xffffffff81001010 0xffff888000001000 1     1     0     1000 0x6161616161616161 0x6161616161616161
