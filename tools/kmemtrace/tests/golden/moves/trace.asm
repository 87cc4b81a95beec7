# Pages whose contents are moved to others stay those of the code that allocated them:
# one() and what is older than the trace. two() is what moves them.
# CPU EVENT TYPE   SIZE NODE SITE               PTR                REQ  ALLOC   GFP   TIME TAIL
0     clock 0       56  0    9000               0                  100  0       0     1000
1     clock 0       56  1    9000               0                  100  0       0     1000
0     snapshot pages 56 0    1                  0xffff888000000000 0    8192    0     3000
0     snapshot pages 56 0    2                  0xffff888000002000 0    57344   0     3001
0     snapshot pages 56 1    2                  0xffff888000400000 0    4194304 0     3002
0     snapshot end  56  0    0                  0                  0    0       0     3003

# A page and a huge page move to the other node.
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000002000 4096 4096    0xcca 4000
0     alloc pages   56  -1   0xffffffff81001010 0xffff888000200000 2097152 2097152 0xcca 4010
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000400000 4096 4096    0xcca 5000
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000600000 2097152 2097152 0xcca 5010
1     move  pages   56  -1   0                  0xffff888000400000 0xffff888000002000 4096 0 5020
1     free  pages   56  -1   0xffffffff81001110 0xffff888000002000 0    4096    0     5030
1     move  pages   56  -1   0                  0xffff888000600000 0xffff888000200000 2097152 0 5040
1     free  pages   56  -1   0xffffffff81001110 0xffff888000200000 0    2097152 0     5050
# One that is older than the trace does, too.
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000401000 4096 4096    0xcca 6000
1     move  pages   56  -1   0                  0xffff888000401000 0xffff888000001000 4096 0 6010
1     free  pages   56  -1   0xffffffff81001110 0xffff888000001000 0    4096    0     6020
# A move that fails leaves no record.
1     alloc pages   56  -1   0xffffffff81001110 0xffff888000402000 4096 4096    0xcca 7000
1     free  pages   56  -1   0xffffffff81001110 0xffff888000402000 0    4096    0     7010
# The page is freed, after the time since it was allocated first.
0     free  pages   56  -1   0xffffffff81001210 0xffff888000400000 0    4096    0     1004000
