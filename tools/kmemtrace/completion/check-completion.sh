#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The completions of bash for the programs.

PATH=$(cd "${progdir:-../src}" && pwd):$PATH
# shellcheck source=tools/kmemtrace/completion/kmemtraced
. "${srcdir:-.}/kmemtraced"
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.err"' EXIT
mkdir "$work/trace" && touch "$work/vmlinux" && cd "$work" || exit 1
failed=0

# offers WANT WORD...: the completions of the last WORD must be WANT, in any order, without a message.
offers() {
	local want=$1 got
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_kmemtrace "$1" 2>"$work.err"
	got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)
	if [ "$got" != "$want" ] || [ -s "$work.err" ]; then
		echo "FAIL: $*: offers '$got', expected '$want'; $(cat "$work.err")"
		failed=1
	fi
}

offers '--compress --counters --force --help --keep --no-baseline --output --overwrite --proc --realtime --rotate --sample --stock --subbufs --time --until --version --with' kmemtraced -
offers '--force' kmemtraced --f
offers 'trace' kmemtraced --proc ''
offers '' kmemtraced --counters ''
offers 'trace' kmemtraced -o ''
offers 'trace' kmemtraced -f --output ''
offers '' kmemtraced -t ''
offers 'mktemp' kmemtraced -t 3 -- mktem
if command -v ktraced >/dev/null; then
	# shellcheck disable=SC2317 # _kmemtrace calls it
	_kmemtrace_markers() { echo sched_switch sched_wakeup kmalloc; }
	offers '--compress --event --force --help --output --overwrite --realtime --time --version' ktraced -
	offers 'sched_switch sched_wakeup' ktraced -e sched
	offers '*,kmalloc,sched_wakeup' ktraced -f --event '*,kmalloc,sched_w'
	offers 'trace' ktraced --overwrite -o ''
	offers 'mktemp' ktraced -e kmalloc -- mktem
fi
offers '--help --version' kmemtrace-check -
offers 'trace vmlinux' kmemtrace-check ''
offers '--help --version' kmemtrace-crash -
offers 'trace vmlinux' kmemtrace-crash ''
offers '--address --all --at --between --cache --cgroup --cgroups --color --columns --cpu --csv --debuginfod --diff --folded --group-by --growth --help --html --json --json-schema --module --number --older --own --processes --quiet --show --site --size --sort --stack --stacks --task --tasks --threads --threshold --type --version --vmlinux --where --younger' kmemtrace-report -
offers 'trace vmlinux' kmemtrace-report -k ''
offers 'trace vmlinux' kmemtrace-report --html ''
offers 'allocs avoidable bytes bytes_req frees live live_avoidable live_bytes live_bytes_req live_wasted peak_bytes remote_frees wasted' kmemtrace-report --sort ''
offers 'allocs avoidable' kmemtrace-report -s a
offers 'cgroup dir file function line module process site stack task task_name' kmemtrace-report -g ''
offers 'failed findings fragmentation' kmemtrace-report --show f
offers 'sites,gfp' kmemtrace-report --show sites,gf
offers '' kmemtrace-report -n ''
offers '' kmemtrace-report --diff -t ''
offers 'trace vmlinux' kmemtrace-report --diff ''
offers 'trace vmlinux' kmemtrace-report --growth ./trace ''
offers 'always auto never' kmemtrace-report --color ''
offers '--at --between --cache --cgroup --cpu --help --host --module --output --own --quiet --site --size --stack --stacks --tables --task --threads --type --version --vmlinux' kmemtrace-export -
offers 'books ctf parquet pprof speedscope' kmemtrace-export ''
offers 'parquet pprof' kmemtrace-export p
offers 'speedscope' kmemtrace-export -q s
offers 'trace vmlinux' kmemtrace-export pprof ''
offers 'calls source' kmemtrace-export --stacks ''
offers 'trace vmlinux' kmemtrace-export -o ''
if command -v kmemtrace-import >/dev/null; then
	offers '--force --help --kallsyms --version' kmemtrace-import -
	offers 'trace vmlinux' kmemtrace-import ''
	offers 'trace vmlinux' kmemtrace-import -k ''
fi
offers '--allocator --batch --group-by --help --json-schema --own --sort --version --vmlinux' kmemtrace-top -
offers 'pages percpu slab vmalloc' kmemtrace-top -a ''
offers '' kmemtrace-top -b ''
offers 'cache cgroup dir file function module process site task' kmemtrace-top -g ''
offers 'allocs allocs_per_second avoidable bytes bytes_req change_bytes change_bytes_per_second frees frees_per_second live live_avoidable live_bytes live_bytes_req live_wasted name oldest_ns peak_bytes remote_frees waste_ratio wasted' kmemtrace-top --sort ''
offers 'trace vmlinux' kmemtrace-top -k ''
if command -v ktrace-report >/dev/null; then
	offers '--between --cpu --ctf --event --help --json --list --version' ktrace-report -
	offers 'trace vmlinux' ktrace-report ''
	offers 'trace' ktrace-report --ctf ''
	offers '' ktrace-report -e ''
fi
exit $failed
