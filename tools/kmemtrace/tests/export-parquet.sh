#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# DuckDB and ClickHouse read what kmemtrace-export parquet writes: each relation has the rows that
# kmemtrace-report --csv prints.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

export=$program_dir/kmemtrace-export
report=$program_dir/kmemtrace-report
tests=$(dirname "$golden")

for module in @duckdb/node-api chdb; do
	node -e "require('$module')" 2>/dev/null ||
		{ echo "skipped: node has no module $module; set NODE_PATH"; exit 77; }
done
relations=$("$export" parquet --tables list | awk '{ print $1 }')
[ "$(echo "$relations" | wc -l)" -ge 30 ] || fail "--tables list has not all relations"

# statements ENGINE TABLES: print the queries for an engine about a folder of tables
statements()
{
	case $1 in
	duckdb)
		read=read_parquet
		echo "SELECT 'column', parse_filename(file_name, true), name"
		echo "FROM parquet_schema('$2/*.parquet') WHERE type IS NOT NULL;"
		;;
	*)	read='file' ;;
	esac
	for table in $relations; do
		echo "SELECT '$table', * FROM $read('$2/$table.parquet');"
	done
	# Lives add up to sites, tasks, cgroups and slab caches, and to the cells of their steps. Only
	# live memory moves to the cgroup that a later charge names.
	for sums in sites:address tasks:task_id cgroups:cgroup_id caches:cache_id; do
		all=1
		[ "$sums" != cgroups:cgroup_id ] || all=0
		cat <<-END
		SELECT 'differences', '${sums%:*}', coalesce(sum($all * abs(n)), 0),
			coalesce(sum($all * abs(b)), 0), coalesce(sum(abs(l)), 0) FROM (
			SELECT sum(nr) AS n, sum(size) AS b, sum(live) AS l FROM (
				SELECT allocator, ${sums#*:} AS id,
					CASE WHEN allocator = 'pages' THEN 0 ELSE allocs END AS nr,
					bytes AS size, live_bytes AS live
				FROM $read('$2/${sums%:*}.parquet')
				UNION ALL
				SELECT allocator, ${sums#*:} AS id,
					CASE WHEN allocator = 'pages' OR born_ns IS NULL THEN 0 ELSE -weight END,
					CASE WHEN born_ns IS NULL THEN 0 ELSE -bytes * weight END,
					CASE WHEN died_ns IS NULL THEN -bytes * weight ELSE 0 END
				FROM $read('$2/lives.parquet')
				WHERE '${sums%:*}' <> 'caches' OR allocator = 'slab'
			) AS changes GROUP BY allocator, id) AS sums;
		END
	done
	cat <<-END
	SELECT 'differences', 'cells', coalesce(sum(abs(n)), 0), coalesce(sum(abs(b)), 0), 0 FROM (
		SELECT sum(nr) AS n, sum(size) AS b FROM (
			SELECT allocator, site, born_ns AS born, died_ns AS died, objects AS nr,
				bytes AS size
			FROM $read('$2/cells.parquet')
			UNION ALL
			SELECT allocator, site, born_ns - born_ns % step, died_ns - died_ns % step,
				CASE WHEN allocator = 'pages' THEN CAST(-bytes / page_size AS BIGINT) ELSE -weight END,
				-bytes * weight
			FROM $read('$2/lives.parquet') AS lives, $read('$2/trace.parquet') AS trace,
				(SELECT max(step_ns) AS step FROM $read('$2/cells.parquet')) AS steps
		) AS changes GROUP BY allocator, site, born, died) AS sums;
	SELECT 'steps', CASE WHEN max(died_ns) - min(born_ns) >= 128 * max(step_ns) THEN 1 ELSE 0 END
	FROM $read('$2/cells.parquet');
	END
}

# write CASE [OPTION...]: write the tables of trace/, the relations of the report, and the queries
write()
{
	case=$1
	shift
	cases="$cases $case"
	mkdir "$case"
	for relation in $relations; do
		"$report" -q --csv "$relation" "$@" trace >"$case/$relation.csv" || fail "$case: $relation"
	done
	"$export" parquet --tables "$(echo "$relations" | paste -s -d ,)" -o "$case/tables" "$@" trace ||
		fail "$case"
	for engine in duckdb clickhouse; do
		statements $engine "$case/tables" >"$case/$engine.sql"
	done
}

# same CASE: the tables must be the relations of the report.
same()
{
	# ClickHouse may read row groups in another order.
	sort "$1/clickhouse.sql.rows" >sorted
	grep -v '^column	' "$1/duckdb.sql.rows" | sort | diff -u - sorted >difference || {
		fail "$1: the engines differ"
		head -n 20 difference
	}
	"$tests/export-parquet.py" "$1/duckdb.sql.rows" "$1"/*.csv || fail "$1"
	# Two pages of kmemtrace's own buffers are counted, but have no life.
	own=0
	[ "$1" != boot ] || own=8192
	grep '^differences	\|^steps	' "$1/duckdb.sql.rows" |
		grep -vx "differences	[a-z]*	0	\(0\|$own\)	0\|steps	0" && fail "$1: the lives don't add up"
}

all_kinds
printf 'host: böard\nboot_id: 01234567-89ab-cdef-0123-456789abcdef\n' >identity
cat identity >>baseline/metadata
for kind in $kinds; do
	rm -rf trace
	mv "$kind" trace
	if [ "$kind" = counters ] || [ "$kind" = ram ]; then
		expect 2 'has counters, but no event' "$export" parquet -o none trace
		[ ! -e none ] || fail "a trace without events leaves tables"
	else
		write "$kind"
	fi
done
for name in bare moves grouped; do
	setup $name
	write $name
done
setup baseline big
cat identity >>trace/metadata
write baseline-big

# More lives than a row group has, of many sites and caches, and any number of threads.
rm -rf trace
"$here/kmemtrace-gen" --events 130000 --live 10000 --cpus 3 trace >/dev/null || exit 1
write many
for threads in 1 5; do
	"$export" parquet --threads $threads -o tables-$threads trace
	cmp tables-$threads/lives.parquet many/tables/lives.parquet || failed=1
done
write part --between 0.01,0.05 --type cache,pages

# Each life of a sample has a weight, and who allocated it.
rm -rf trace
"$here/kmemtrace-gen" --abi 2 --events 50000 --live 5000 --before 300 --sample 8 \
	--with stack,task,cgroup trace >/dev/null || exit 1
write weights

# An engine starts once, for all cases.
for engine in duckdb clickhouse; do
	# shellcheck disable=SC2046,SC2086 # several names
	node "$tests/sql.js" $engine $(printf "%s/$engine.sql " $cases) || exit 1
done
for case in $cases; do
	same "$case"
done
for pair in who:big baseline:baseline-big; do
	for case in ${pair%:*} ${pair#*:}; do
		grep -v '^trace	\|^metadata	' "$case/duckdb.sql.rows" >"rows-$case"
	done
	diff -u "rows-${pair%:*}" "rows-${pair#*:}" || fail "$pair: the byte order changes the tables"
done
# A known trace, to the row.
grep '^trace	\|^lives	' baseline/duckdb.sql.rows >out
compare baseline/tables
[ "$(grep -c '^lives	' many/duckdb.sql.rows)" -gt 65536 ] || fail "one row group is enough"

# Chosen tables, and the name of the host; names that no table has; nothing is overwritten, and
# nothing half is left.
rm -rf tables
"$export" parquet --tables trace,sites --host näme -o tables trace || failed=1
[ "$(echo tables/*)" = 'tables/sites.parquet tables/trace.parquet' ] ||
	fail "not the chosen tables: $(echo tables/*)"
echo "SELECT DISTINCT host FROM read_parquet('tables/*.parquet');" >host.sql
node "$tests/sql.js" duckdb host.sql
[ "$(cat host.sql.rows)" = näme ] || fail "another host"
expect 2 'tables/trace.parquet: File exists; remove it, or name another' \
	"$export" parquet -o tables trace
[ ! -e tables/lives.parquet ] || fail "a table is left"
rm -rf tables
"$export" parquet -o tables trace || failed=1
[ "$(cd tables && echo *)" = \
  'caches.parquet cells.parquet lives.parquet sites.parquet totals.parquet trace.parquet' ] ||
	fail "not the usual tables: $(echo tables/*)"
for names in '' ',' nonsense 'lives,,' lives,x; do
	expect 2 "', expected " "$export" parquet --tables "$names" trace
done
expect 2 'this format has no tables' "$export" pprof --host x trace
expect 2 'this format is a folder' "$export" parquet -o - trace
exit $failed
