#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The page of kmemtrace-report --html in headless Chromium: traces of either byte order, an
# incomplete one, one with hostile names, and two that are compared.
#
# EVENTS: events of a large trace, which must open in a second (default: a million)

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

report=$program_dir/kmemtrace-report
browse=$golden/../html.py

# gen NAME OPTION...: write a trace and its page
gen()
{
	name=$1
	shift
	"$here/kmemtrace-gen" "$@" "$name" >/dev/null || exit 1
	page "$name"
}

# page NAME: write the page of a trace
page()
{
	"$report" --html "$1.html" "$1" || failed=1
}

# check NAME CHECK...: let the browser check the page of a trace, when all pages are written
check()
{
	name=$1
	shift
	echo "$name $name.html $*" >>pages
}

gen little --events 200000 --live 3000 --abi 2 --before 300 --pages 20
check little views ranges brush sums only command paper policy

# Lines of call sites, as with -k.
cat >add-lines.py <<'END'
import json, re, sys
page = sys.stdin.read()
names = json.loads(re.search(r'"names": (\[.*?\n"[^\n]*"\])', page, re.S)[1])
page = page.replace('"names": [', '"names": ["fs/super.c",', 1)

def with_line(row):
    address, *numbers = json.loads(row[0])
    if re.fullmatch("site_[1-9]", names[numbers[3]]):
        return json.dumps([address, *(n + 1 for n in numbers), 0, 318])
    return json.dumps([address, *(n + 1 for n in numbers)])

sys.stdout.write(re.sub(r'^\["0x[^\]]*\]', with_line, page, flags=re.M))
END
python3 add-lines.py <little.html >lines.html
echo 'little lines.html search' >>pages
# Names in wide letters.
sed 's|site_|mm_WM_|g' little.html >wide.html
echo 'little wide.html labels' >>pages
gen big --events 50000 --live 1000 --order big --bits 32 --abi 2
check big views ranges

# Who allocated.
gen who --events 20000 --live 3000 --abi 2 --before 300 --pages 20 --with stack,task,cgroup
check who views ranges only who rest
# Each place is in the page once: a call site, a call path, a task, a cgroup.
sed -n '/^"places": \[$/,/^\[[0-9,]*\]\]/p' who.html | sed '1d; s/^\(\[[0-9,]*\]\).*/\1/' >places
if [ "$(wc -l <places)" -lt 100 ] || [ -n "$(sort places | uniq -d)" ]; then
	fail "places: $(wc -l <places), twice: $(sort places | uniq -d | head)"
fi

make_suspects
mv trace suspects
page suspects
check suspects suspects views

# A sample: estimates, for any range of the time.
"$here/kmemtrace-sample" 8 little sampled || exit 1
page sampled
check sampled views ranges sums

# Any number of threads makes the same page.
"$report" --threads 1 --html other.html little && cmp other.html little.html || failed=1

# Traces with findings, failed allocations, phases, and losses.
for name in boot baseline findings losses; do
	setup $name
	mv trace $name
	page $name
	check $name trust chart sums
done

# An incomplete trace.
cp -r big cut
truncate -s -30 cut/cpu1.out
page cut
check cut views

# Names of a trace that would be markup, in functions, modules and files.
cp -r little hostile
sed -i 's|site_1$|<img/src=x/onerror=hacked=1>|; s|site_2$|</script><b>x</b>|
	s|site_3$|<!--<script>|; s|site_4$|a\xffb|' hostile/kallsyms
sed -i 's|generated|<img/src=y>|' hostile/kallsyms hostile/modules
page hostile
check hostile hostile
cp -r who who-hostile
cp hostile/kallsyms hostile/modules who-hostile
LC_ALL=C sed -i 's|thread|<img/>|g; s|/cgroup2|/<img/y>|g' who-hostile/cpu*.out
page who-hostile
check who-hostile hostile
# Only the page's own elements: nothing of the trace ends or begins one.
if [ "$(grep -c '</script>' hostile.html)" -ne "$(grep -c '</script>' little.html)" ] ||
   grep -q '<img' hostile.html; then
	echo 'FAIL: hostile names are markup'
	failed=1
fi

alike namesakes
page namesakes
check namesakes alike

# The difference of two traces.
gen later --events 200000 --live 4000 --abi 2 --before 300 --pages 20 --seed 2
"$report" --diff --html diff.html little later || failed=1
echo 'later diff.html diff little' >>pages

gen brief --events 100000 --live 3000 --abi 2 --before 300 --pages 20
"$report" --diff --html lengths.html little brief || failed=1
echo 'brief lengths.html lengths' >>pages

# The size does not follow the events.
gen large --events "${EVENTS:-1000000}" --live 10000 --cpus 4
check large views time 1
gen larger --events $((${EVENTS:-1000000} * 2)) --live 10000 --cpus 4
if [ "$(stat -c %s larger.html)" -gt 3000000 ]; then
	echo "FAIL: larger.html has $(stat -c %s larger.html) bytes"
	failed=1
fi
"$browse" "$report" <pages || failed=1
exit $failed
