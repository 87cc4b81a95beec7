# Two CPUs, each kind of argument, two sub-buffers of CPU 0. The comments have the formats.
#   clock SEQUENCE EVENTS TIMESTAMP MONOTONIC
0 clock 0 0 1000000 5000000
# open: "open name %s flags=%#x mode %o"
0 event 16 0 "/etc/passwd" i:0x8000 i:0644
0 event 16 250 "" i:0 i:0
# sched_switch: "prev %-8s next:%.3s state %c (%ld) prev"
0 event 17 1500 "swapper/0" "kworker" i:0x52 w:-1
# free: "at %pS, bytes %zu of %5d%%"
0 event 18 2000 w:0xc1000010 w:4096 i:-7
0 event 18 2010 w:0xc1000200 w:0 i:100
0 event 18 2020 w:0xd0000004 w:1 i:0
# empty: "nothing to say\n"
0 event 19 2500
0 pad 64
0 clock 1 7 1004000 5004000
0 event 16 0 "a\09b\22c\5cd\ff" i:-1 i:-1
# wide: "%lld %llu %hd %hhu %+i % d|%08lx|%-6x|%.4u"
0 event 20 10 q:-9000000000 q:0xffffffffffffffff i:0xfffe8000 i:0x1ff i:5 i:6 w:0xbeef i:0xab i:42
1 clock 0 0 1000100 5000100 error:20 uncertainty:150
1 event 19 0
1 event 17 900 "x" "y" i:7 w:-2147483648
1 event 19 3000000
