# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Sourced by the tests of ktrace-report after lib.sh.

# shellcheck disable=SC2034 # the sourcing scripts use it
report=$program_dir/ktrace-report
traces=$(dirname "$golden")/ktrace

# setup NAME [ORDER [BITS]]: make the trace of ktrace/NAME in trace/, of such a machine.
setup()
{
	rm -rf trace
	"$here/ktrace-asm" --order "${2:-little}" --bits "${3:-64}" trace \
		<"$traces/$1/trace.asm" || exit 1
	for file in info metadata overflow kallsyms modules; do
		if [ -e "$traces/$1/$file" ]; then
			cp "$traces/$1/$file" trace/
		fi
	done
	set_key byte_order "${2:-little}"
	set_key word_bits "${3:-64}"
}

# assembled: make a complete trace in trace/ of the table on the standard input, with the
# files of ktrace/plain.
assembled()
{
	rm -rf trace
	"$here/ktrace-asm" trace || exit 1
	for file in info metadata kallsyms; do
		cp "$traces/plain/$file" trace/
	done
	: >trace/overflow
}

# generated EVENTS: make a trace of 3 CPUs with EVENTS events each, of all types of
# ktrace/plain, in sub-buffers of 100 events.
generated()
{
	awk -v nr="$1" 'BEGIN {
		for (i = 0; i < nr; i++)
			for (cpu = 0; cpu < 3; cpu++) {
				time = 1000 * i + 301 * cpu
				if (i % 100 == 0) {
					base = time
					print cpu, "clock", i / 100, i, time, 5000000 + time
				}
				delta = 1000 * (i % 100)
				head = cpu " event " 16 + i % 5 " " delta
				if (i % 5 == 0)
					print head, "\"/file/" i "\"", "i:" i, "i:" i % 512
				else if (i % 5 == 1)
					print head, "\"task_" i % 7 "\" \"\"", "i:65", "w:-" i
				else if (i % 5 == 2)
					print head, "w:0xc10000" 10 + i % 80, "w:" i, "i:-" i
				else if (i % 5 == 3)
					print head
				else
					print head, "q:-" i, "q:" i * i, "i:1 i:2 i:-3 i:4",
						"w:" i, "i:" i, "i:0"
			}
	}' | assembled
	printf "cpu%d $1 0 0\n" 0 1 2 >trace/overflow
}
