# SPDX-License-Identifier: GPL-2.0
#
# Do the phases, the peak and the totals of a report in JSON agree? Prints the names of
# the phases, and what is wrong; exit status 1 if anything is.

BEGIN					{ FS = "[\":, ]+" }
/^  "/					{ part = $2 }
/"(slab|pages|percpu|vmalloc)":/	{ space = $2; spaces[space] }
part == "phases" && /"name":/		{ names = names " " $3 }
part == "phases" && /"live_bytes_alloc":/	{ last[space] = $3 }
part == "phases" && /"most_bytes_alloc":/ && $3 > most[space] { most[space] = $3 + 0 }
part == "totals" && /"live_bytes_alloc":/	{ live[space] = $3 }
part == "peak" && /"bytes":/ && !(space in peak) { peak[space] = $3 }

END {
	print substr(names, 2)
	for (space in spaces)
		if (most[space] + 0 != peak[space] + 0 || last[space] + 0 != live[space] + 0) {
			print space ": at most " most[space] " of " peak[space] \
				", at the end " last[space] " of " live[space]
			failed = 1
		}
	exit failed
}
