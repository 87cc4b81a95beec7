#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The events of each group are compared with a ledger: counters of the kernel in /proc, or the
# results of a program's calls. The test reads the ledger before and after it switches
# recording on, and before and after it switches it off. The number of events must lie
# between the smaller and the larger difference.
#
# The test of block devices needs a disk whose driver has requests: LOAD_DISK, or
# /dev/vda. It only reads from it.

# shellcheck disable=SC2016 # the programs are those of awk
# shellcheck source=tools/testing/selftests/ktrace/ktrace-lib.sh
. "$(dirname "$0")/ktrace-lib.sh"
LOAD_DISK=${LOAD_DISK:-/dev/vda}
export LOAD_DISK
disk=${LOAD_DISK##*/}

load() {
	"$here/ktrace_load" "$@"
}

# address SYMBOL: print the address of a function, as %lx does
address() {
	awk -v name="$1" '$3 == name { sub(/^0+/, "", $1); print $1; exit }' /proc/kallsyms
}

# record EVENTS LEDGER LOAD...: record these events (their names, separated by commas) during
# the load. Print them to the file "events", the output of the load to "output", and the
# readings of the ledger to before1, before2, after1 and after2.
record() {
	names=$1 ledger=$2
	shift 2
	rm -f before? after?
	echo "$names" >$ktrace/select || return 1
	$ledger >before1
	echo 1 >$ktrace/enabled || return 1
	$ledger >before2
	"$@" >output 2>>log
	status=$?
	$ledger >after1
	echo 0 >$ktrace/enabled
	$ledger >after2
	# shellcheck disable=SC2046 # a word for each id
	"$here/ktrace_read" -p $ktrace/info $ktrace/buffers \
		$(echo "$names" | tr , '\n' | while read -r name; do id "$name"; done) \
		>all 2>>log || return 1
	grep '=' all >events
	grep -v '=' all >figures
	[ $status -eq 0 ] && [ "$(missing)" -eq 0 ] && [ -s events ]
}

# count PROGRAM: print "KEY NUMBER" for each key that the awk program counts in n[KEY], from
# the arguments of the events in v[WORD]
count() {
	awk "{
		split(\"\", v)
		for (i = 2; i <= NF; i++) {
			at = index(\$i, \"=\")
			v[substr(\$i, 1, at - 1)] = substr(\$i, at + 1)
		}
	}
	$1
	END { for (key in n) printf \"%s %d\n\", key, n[key] }" events >counts
}

# between MINIMUM: each number in the file "counts" is between the differences of the ledger,
# which has nothing else, and the sum of all is at least MINIMUM.
between() {
	awk -v minimum="$1" '
		FILENAME == "counts"	{ n[$1] = $2; sum += $2; next }
					{ seen[$1]; reading[FILENAME, $1] = $2 }
		END {
			for (key in n)
				seen[key]
			for (key in seen) {
				low = reading["after1", key] - reading["before2", key]
				high = reading["after2", key] - reading["before1", key]
				wrong = n[key] + 0 < low || n[key] + 0 > high
				bad += wrong
				if (wrong || high)
					print key ": " n[key] + 0 " of " low " to " high \
						(wrong ? " WRONG" : "")
			}
			print sum + 0 " of at least " minimum
			exit bad || sum + 0 < minimum
		}' counts before1 before2 after1 after2 >>log
}

# pairs ENTRY EXIT: there is an exit for each entry, but for those that run while recording is
# switched on or off: at most one for each CPU
pairs() {
	awk -v entry="$1" -v end="$2" -v cpus="$(nproc)" '
		$1 == entry	{ entries++ }
		$1 == end	{ exits++ }
		END {
			print entries + 0 " " entry ", " exits + 0 " " end
			apart = entries - exits
			exit !entries || apart > cpus || -apart > cpus
		}' events >>log
}

# value WORD: print the number behind it in the output of the load
value() {
	awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) print $(i + 1) }' output
}

# is KEY NUMBER: the file "counts" has this number for the key
is() {
	got=$(awk -v key="$1" '$1 == key { print $2 }' counts)
	echo "$1: ${got:-0}, expected $2" >>log
	[ "${got:-0}" -eq "$2" ]
}

nothing() {
	:
}

# ---- the scheduler ----

switches_and_forks() {
	awk '$1 == "ctxt" || $1 == "processes" { print $1, $2 }' /proc/stat
}

run_programs() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo | cat >/dev/null
		sleep 0.01
	done
}

sched() {
	record sched_switch,process_fork switches_and_forks run_programs &&
		count '
			$1 == "sched_switch" { n["ctxt"]++ }
			$1 == "process_fork" { n["processes"]++ }' &&
		between 50
}

# ---- interrupts ----

# The sums of all CPUs, of interrupts with one handler. The first line names the CPUs.
interrupts() {
	awk '
		NR == 1			{ cpus = NF; next }
		$1 ~ /^[0-9]+:$/ && !/,/ {
			sum = 0
			for (i = 2; i <= cpus + 1; i++)
				sum += $i
			print $1 + 0, sum
		}' /proc/interrupts
}

read_disk() {
	load block 300
}

irqs() {
	record irq_handler_entry,irq_handler_exit interrupts read_disk &&
		count '
			BEGIN {
				while ((getline line <"before1") > 0) {
					split(line, words)
					known[words[1]]
				}
			}
			$1 == "irq_handler_entry" && v["irq"] in known { n[v["irq"]]++ }' &&
		between 100 && pairs irq_handler_entry irq_handler_exit
}

# The lines are in the order of the vectors.
softirq_counters() {
	awk 'NR > 1 {
		sum = 0
		for (i = 2; i <= NF; i++)
			sum += $i
		print NR - 2, sum
	}' /proc/softirqs
}

busy_softirqs() {
	load net 100 && load block 100 && load timers 20
}

softirqs() {
	record softirq_entry,softirq_exit softirq_counters busy_softirqs &&
		count '$1 == "softirq_entry" { n[v["vector"]]++ }' &&
		between 100 && pairs softirq_entry softirq_exit
}

# ---- page faults ----

fault_counter() {
	awk '$1 == "pgfault" { print }' /proc/vmstat
}

# The kernel counts a fault when it is complete: without VM_FAULT_RETRY, 0x400.
faults() {
	record page_fault,page_fault_exit fault_counter load faults 1000 &&
		count '$1 == "page_fault_exit" && v["result"] !~ /[4-7c-f]..$/ {
			n["pgfault"]++
		}' &&
		between 1000 && pairs page_fault page_fault_exit
}

# ---- the network ----

# What the loopback device sends, it receives.
loopback() {
	awk '{ sub(/:/, " ") }
		$1 == "lo" {
			print "received_bytes", $2
			print "received", $3
			print "polled", $3
			print "sent_bytes", $10
			print "sent", $11
		}' /proc/net/dev
}

# The loopback device counts bytes without the header of the link, which has 14.
packets() {
	record net_transmit,net_receive,napi_poll loopback load net 500 &&
		count '
			$1 == "net_transmit" && v["name"] == "lo" && v["ret"] == 0 {
				n["sent"]++
				n["sent_bytes"] += v["len"] - 14
			}
			$1 == "net_receive" && v["name"] == "lo" {
				n["received"]++
				n["received_bytes"] += v["len"]
			}
			$1 == "napi_poll" && v["name"] == "(null)" { n["polled"] += v["work"] }' &&
		between 1500
}

# AF_INET and SOCK_DGRAM are 2, IPPROTO_UDP is 17.
sockets() {
	record socket_send,socket_receive nothing load net 500 &&
		count 'v["family"] == 2 && v["type"] == 2 && v["protocol"] == 17 {
			n[$1]++
			n[$1 "_bytes"] += v["ret"]
		}' &&
		is socket_send 500 && is socket_send_bytes 50000 &&
		is socket_receive 500 && is socket_receive_bytes 50000
}

# ---- block devices ----

# A sector has 512 bytes.
disk_counters() {
	awk -v disk="$disk" '$3 == disk {
		print "reads", $4
		print "completed", $6 * 512
		print "issued", $6 * 512
	}' /proc/diskstats
}

# REQ_OP_READ is 0.
block() {
	[ -b "$LOAD_DISK" ] || { echo "no $LOAD_DISK" >>log; return 1; }
	number=$(awk -v disk="$disk" '$3 == disk { print $1 ":" $2 }' /proc/diskstats)
	record block_issue,block_complete disk_counters load block 300 &&
		count "
			v[\"op\"] != 0 || (v[\"major\"] \":\" v[\"minor\"]) != \"$number\" { next }
			\$1 == \"block_issue\" {
				n[\"reads\"]++
				n[\"issued\"] += v[\"bytes\"]
			}
			\$1 == \"block_complete\" && v[\"error\"] == 0 {
				n[\"completed\"] += v[\"bytes\"]
			}" &&
		between $((300 * 4096 * 2))
}

# ---- files ----

files() {
	record file_read,file_write nothing load files 50 &&
		count "
			v[\"major\"] == $(value major) && v[\"minor\"] == $(value minor) &&
			(v[\"ino\"] == $(value a) || v[\"ino\"] == $(value b)) {
				n[\$1] += v[\"ret\"]
			}
			v[\"ino\"] == $(value folder) && v[\"ret\"] == -21 { n[\"EISDIR\"]++ }" &&
		is file_read "$(value rchar)" && is file_write "$(value wchar)" && is EISDIR 50
}

# ---- system calls ----

# 123456 is 1e240, EINVAL is 22.
syscalls() {
	record syscall_entry,syscall_exit nothing load syscalls 1000 &&
		count "
			v[\"nr\"] != $(value nr) { next }
			\$1 == \"syscall_entry\" && v[\"arg0\"] == \"1e240\" { n[\"entries\"]++ }
			\$1 == \"syscall_exit\" && v[\"ret\"] == -22 { n[\"exits\"]++ }" &&
		is entries 1000 && is exits 1000
}

# ---- timers ----

# at_least KEY NUMBER: the file "counts" has this number for the key or a larger one
at_least() {
	got=$(awk -v key="$1" '$1 == key { print $2 }' counts)
	echo "$1: ${got:-0}, expected at least $2" >>log
	[ "${got:-0}" -ge "$2" ]
}

# No timer expires that was not set, but for those that were set before.
timers() {
	record timer_set,timer_expire,hrtimer_set,hrtimer_expire nothing load timers 50 &&
		count "
			v[\"function\"] == \"$(address process_timeout)\" && \$1 ~ /^timer/ ||
			v[\"function\"] == \"$(address hrtimer_wakeup)\" && \$1 ~ /^hrtimer/ {
				n[\$1]++
			}" &&
		at_least timer_set 50 && at_least timer_expire 50 &&
		at_least hrtimer_set 50 && at_least hrtimer_expire 50
}

begin 10
sched
result "switches and forks are those of /proc/stat"
irqs
result "handlers of interrupts run as often as in /proc/interrupts"
softirqs
result "softirqs run as often as in /proc/softirqs"
faults
result "page faults are those of /proc/vmstat"
packets
result "packets and bytes of the loopback device are those of /proc/net/dev"
sockets
result "each message through a socket has an event"
block
result "reads of a disk are those of /proc/diskstats"
files
result "bytes read and written are those of /proc/PID/io"
syscalls
result "each system call has an entry and an exit"
timers
result "timers are set and expire"
ktap_finished
