#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# DuckDB and ClickHouse read what kmemtrace-export parquet writes: both get the same rows, and the
# rows have the figures of kmemtrace-report.

# shellcheck source=tools/kmemtrace/tests/lib.sh
. "${srcdir:-.}/lib.sh"

export=$program_dir/kmemtrace-export
report=$program_dir/kmemtrace-report
tests=$(dirname "$golden")

for module in @duckdb/node-api chdb; do
	node -e "require('$module')" 2>/dev/null ||
		{ echo "skipped: node has no module $module; set NODE_PATH"; exit 77; }
done

# statements: print the queries for one engine, whose function $1 opens a file.
statements()
{
	for table in lives sites caches traces; do
		echo "SELECT '$table', * FROM $1('tables/$table.parquet')"
		case $table in
		lives)	echo 'ORDER BY born_ns, died_ns, allocator, site, cache, bytes, api, freed_by,' \
				'cpu, freed_cpu, bytes_req;' ;;
		sites)	echo 'ORDER BY allocator, site, allocs, frees, live, peak_bytes;' ;;
		caches)	echo 'ORDER BY cache, object_size, allocs, frees;' ;;
		*)	echo ';' ;;
		esac
	done
	# Cells have the lives of each step.
	cat <<-END
	SELECT 'cells', count(*), coalesce(sum(objects), 0), coalesce(sum(bytes), 0)
	FROM $1('tables/cells.parquet');
	SELECT 'differences', coalesce(sum(abs(more)), 0), coalesce(sum(abs(bigger)), 0) FROM (
		SELECT sum(n) AS more, sum(b) AS bigger FROM (
			SELECT allocator, site, born_ns AS born, died_ns AS died, objects AS n, bytes AS b
			FROM $1('tables/cells.parquet')
			UNION ALL
			SELECT allocator, site, born_ns - (born_ns - begin_ns) % step,
				died_ns - (died_ns - begin_ns) % step,
				CASE WHEN allocator = 'pages' THEN CAST(-bytes / page_size AS BIGINT) ELSE -weight END,
				-bytes * weight
			FROM $1('tables/lives.parquet') AS lives, $1('tables/traces.parquet') AS traces,
				(SELECT max(step_ns) AS step FROM $1('tables/cells.parquet')) AS steps
		) AS changes GROUP BY allocator, site, born, died) AS sums;
	SELECT 'steps', CASE WHEN max(died_ns) - min(born_ns) >= 128 * max(step_ns) THEN 1 ELSE 0 END
	FROM $1('tables/cells.parquet');
	SELECT 'by site', allocator, site,
		coalesce(sum(CASE WHEN born_ns IS NOT NULL THEN weight END), 0),
		coalesce(sum(CASE WHEN born_ns IS NOT NULL THEN bytes * weight END), 0),
		coalesce(sum(CASE WHEN died_ns IS NULL THEN bytes * weight END), 0)
	FROM $1('tables/lives.parquet') GROUP BY allocator, site ORDER BY allocator, site;
	END
}

# same NAME [OPTION...]: the tables of trace/ must have the figures of the report.
same()
{
	what=$1
	shift
	rm -rf tables
	statements read_parquet >duckdb.sql
	statements file >clickhouse.sql
	if ! "$report" --json -n 1000000 "$@" trace >json 2>err ||
	   ! "$export" parquet -o tables "$@" trace 2>>err ||
	   ! node "$tests/sql.js" duckdb duckdb.sql >duckdb.all 2>>err ||
	   ! node "$tests/sql.js" clickhouse clickhouse.sql >clickhouse.all 2>>err; then
		echo "FAIL: $what"
		cat err
		failed=1
		return
	fi
	# The engines sort nulls differently.
	sort duckdb.all >duckdb.rows
	sort clickhouse.all | diff -u duckdb.rows - >difference || {
		echo "FAIL: $what: the engines differ"
		head -n 20 difference
		failed=1
	}
	sed -n 's/^sites	//p' duckdb.all | cut -f 4- >sites
	sed -n 's/^caches	//p' duckdb.all | cut -f 4- >caches
	sed -n 's/^by site	//p' duckdb.all >lives
	"$tests/export-parquet.py" sites lives caches json || {
		echo "FAIL: $what"
		failed=1
	}
	[ "$(grep '^differences	\|^steps	' duckdb.all | cut -f 2- | xargs)" = '0 0 0' ] || {
		echo "FAIL: $what: the lives are not in the cells of their steps"
		grep '^cells\|^differences\|^steps' duckdb.all
		failed=1
	}
}

# Not boot: the allocations of kmemtrace's own buffers are counted, but have no lives.
for name in bare nodes moves grouped baseline; do
	for order in little big; do
		setup $name $order
		same "$name, $order-endian"
		mv duckdb.rows rows-$order
	done
	diff -u rows-little rows-big || {
		echo "FAIL: $name: the byte order changes the tables"
		failed=1
	}
done

# A known trace, to the row.
setup baseline
printf 'host: board\nboot_id: 01234567-89ab-cdef-0123-456789abcdef\n' >>trace/metadata
same "baseline"
for part in lives traces; do
	sed -n "s/^$part	//p" duckdb.rows
done >out
if [ -n "$update" ]; then
	cp out "$golden/baseline/tables"
elif ! diff -u "$golden/baseline/tables" out; then
	echo "FAIL: the tables of baseline"
	failed=1
fi

# More lives than a row group has, of many sites and caches, and any number of threads.
rm -rf trace
"$here/kmemtrace-gen" --events 200000 --live 20000 --cpus 3 trace >/dev/null || exit 1
same "many events"
[ "$(grep -c '^lives	' duckdb.rows)" -gt 65536 ] || {
	echo "FAIL: one row group is enough"
	failed=1
}
for threads in 1 5; do
	rm -rf tables-$threads
	"$export" parquet --threads $threads -o tables-$threads trace
	cmp tables-$threads/lives.parquet tables/lives.parquet || failed=1
done
same "a part of it" --between 0.01,0.05 --type cache,pages

# Each life of a sample has a weight.
rm -rf trace
"$here/kmemtrace-gen" --abi 2 --events 50000 --live 5000 --before 300 --sample 8 trace >/dev/null ||
	exit 1
same "a sample"

# Chosen tables; names that no table has; nothing is overwritten, and nothing half is left.
rm -rf tables
"$export" parquet --tables traces,sites -o tables trace || failed=1
[ "$(echo tables/*)" = 'tables/sites.parquet tables/traces.parquet' ] || {
	echo "FAIL: not the chosen tables: $(echo tables/*)"
	failed=1
}
expect 2 'tables/sites.parquet: File exists; remove it, or name another' \
	"$export" parquet -o tables trace
[ ! -e tables/lives.parquet ] || { echo "FAIL: a table is left"; failed=1; }
for names in '' ',' nonsense 'lives,,' lives,x; do
	expect 2 'makes no sense' "$export" parquet --tables "$names" trace
done
expect 2 'this format has no tables' "$export" pprof --machine x trace
expect 2 'this format is a folder' "$export" parquet -o - trace
exit $failed
