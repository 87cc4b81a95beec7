# The newest events replaced 1000 of CPU 0 and 50 of CPU 1.
0 clock 40 1000 5000 1005000
0 event 16 0 i:1
0 event 16 10 i:2
1 clock 2 50 5005 1005005
1 event 16 0 i:3
