# SPDX-License-Identifier: GPL-2.0
#
# Run by check-zsh.sh. For each line, another zsh on a terminal prints what it would add to it,
# between two lines "@@@@", and ends.

zmodload zsh/zpty
export ZDOTDIR=$PWD
cat >.zshrc <<END
PROMPT= RPROMPT=
fpath=($folder \$fpath)
autoload -Uz compinit && compinit -u -d $PWD/.dump
bindkey '^I' complete-word
mark() { print @@@@ }
compprefuncs=(mark)
comppostfuncs=(mark exit)
# The arguments -O, -A and -D only ask what matches.
compadd() {
	local -a found
	[[ " \${@[1,(i)(-|--)]}" == *' -'[OAD]' '* ]] || {
		builtin compadd -O found "\$@"
		print -rl -- \$found
	}
	builtin compadd "\$@"
}
print ready
END
failed=0

# offers WANT LINE: the completions of LINE must be the words WANT, in any order. Short options
# don't count.
offers() {
	local output
	local -a got want=(${(o)${=1}})
	zpty shell zsh -d -i
	zpty -r -m shell output '*ready*'
	zpty -n -w shell "$2"$'\t'
	zpty -r -m shell output '*@@@@*@@@@*'
	zpty -d shell
	got=(${(ou)${(f)${${output#*@@@@}%@@@@*}//$'\r'/}:#-(|?)})
	[[ "$got" == "$want" ]] || { print -r "FAIL: $2: offers '$got', expected '$want'"; failed=1 }
}

# Every option of every program.
for program in kmemtraced ktraced kmemtrace-{check,export,import,report,top} ktrace-report; do
	(( $+commands[$program] )) || continue
	offers "$($program --help | sed -n 's/^ *\(-., \)*\(--[a-z-]*\).*/\2/p' | xargs)" "$program -"
done
offers --force 'kmemtraced --f'
offers trace 'kmemtraced -o '
offers trace 'kmemtraced -f --output='
offers '' 'kmemtraced -t '
offers mktemp 'kmemtraced -t 3 -- mktem'
offers 'trace vmlinux' 'kmemtrace-check '
offers 'trace vmlinux' 'kmemtrace-report '
offers 'trace vmlinux' 'kmemtrace-report --html '
offers 'allocs avoidable bytes bytes_req frees live live_avoidable live_bytes live_bytes_req live_wasted peak_bytes remote_frees wasted' 'kmemtrace-report -s '
offers 'allocs avoidable' 'kmemtrace-report --sort=a'
offers 'always auto never' 'kmemtrace-report --color='
offers 'failed findings fragmentation' 'kmemtrace-report --show f'
offers gfp 'kmemtrace-report --show sites,gf'
offers '' 'kmemtrace-report --between '
offers 'books ctf parquet pprof speedscope' 'kmemtrace-export '
offers 'trace vmlinux' 'kmemtrace-export -q pprof '
offers 'calls source' 'kmemtrace-export --stacks '
offers 'pages percpu slab vmalloc' 'kmemtrace-top -a '
(( ! $+commands[ktrace-report] )) || offers trace 'ktrace-report --ctf '
exit $failed
