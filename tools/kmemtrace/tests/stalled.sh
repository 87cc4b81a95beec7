#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kmemtraced -o - ends after one signal although its reader takes nothing more, whatever it
# sends at that moment. Each case waits for the reader: they run at the same time.
#
# stalled.sh STATUS STATE STEP SIGNAL OPTION...: the exit status; tracing is on or off before; see
# stalled.py

if [ $# -eq 0 ]; then
	pids=
	while read -r case; do
		# shellcheck disable=SC2086 # words
		unshare -m env own_mounts=1 "$0" $case &
		pids="$pids $!"
	done <<-END
		1 no begin INT -r 0
		1 no kallsyms:0 TERM -r 0
		1 no cpu0.out:0 INT -r 0
		1 no metadata:-1 TERM -r 0
		1 yes metadata:0 TERM -r 0
		1 yes cpu0.out:0 INT -r 0
		1 yes cpu0.out:0 TERM -r 0
		1 yes kallsyms:0 INT -r 0
		1 yes metadata:-1 INT -r 0
		1 yes cpu0.out.zst:0 TERM -r 0 -z
		1 yes cpu0.out:0 TERM -r 0 -- ./stubborn
		2 no metadata:0 INT --counters 0.5
		2 no counters.zst:0 TERM --counters 0.5
		1 no counters.zst:2 INT --counters 0.5
	END
	status=0
	for pid in $pids; do
		wait "$pid" || status=$?
	done
	exit $status
fi

# shellcheck source=tools/kmemtrace/tests/debugfs.sh
. "${srcdir:-.}/debugfs.sh"
status=$1 state=$2 step=$3 signal=$4
shift 4

# A command that no signal but SIGKILL ends
printf '%s\n' '#!/bin/sh' 'trap "" INT TERM' 'exec sleep 30' >stubborn
chmod +x stubborn

# The stream is longer than what the pipe holds.
for _ in 1 2 3 4 5 6; do
	cat stream stream >twice
	mv twice stream
done

# log COMMAND...: let COMMAND log a trace
log()
{
	recorder "$state"
	begin_stream &
	"$@" 2>log
	kill "$pipe"
	wait
}

log timeout -s INT 3 "$daemon" -o - "$@" >whole
log python3 "$srcdir/stalled.py" whole "$step" "$signal" "$daemon" -o - "$@" >said
grep -q "exit status $status after [0-9]\\." said || fail "$state $step $signal $*: $(cat said log)"
exit $failed
