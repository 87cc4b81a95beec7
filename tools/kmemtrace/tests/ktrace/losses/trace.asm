# Losses at the begin, within a sub-buffer, between sub-buffers, and at the end.
# The first 3 events of CPU 0 were lost.
0 clock 0 3 1000 1001000
0 event 16 0 i:1
0 event 16 100 i:2
# Within a sub-buffer: 4 events lost.
0 clock 0 9 2000 1002000
0 event 16 0 i:3
0 pad 40
# Sub-buffers 1 and 2 are missing, with 10 events.
0 clock 3 20 9000 1009000
0 event 16 0 i:4
# An unknown type, one that is too short, one whose format can't be read, and a record that
# is no event.
0 event 99 10 i:5
0 event 16 20
0 event 18 30 i:6
0 event 3 0 i:7
0 event 16 40 i:8
# Cycles: two of a nanosecond. CPU 1 ends with losses, and CPU 2 has no stream.
1 clock 0 0 2000000 1001000 clock:1 frequency:2000000000
1 event 17 20 "last"
