-- SPDX-License-Identifier: GPL-2.0
-- Call sites whose live memory grows in each quarter of the trace, in the second half by half and
-- by 16384 bytes or more, on 10 machines or more.

WITH marks AS (
	SELECT cells.host AS host, cells.allocator AS allocator, cells.site AS site,
		sum(CASE WHEN coalesce(born_ns, 0) < last_ns / 4
			AND coalesce(died_ns, last_ns) >= last_ns / 4
			THEN bytes ELSE 0 END) AS first,
		sum(CASE WHEN coalesce(born_ns, 0) < last_ns / 2
			AND coalesce(died_ns, last_ns) >= last_ns / 2
			THEN bytes ELSE 0 END) AS second,
		sum(CASE WHEN coalesce(born_ns, 0) < last_ns * 3 / 4
			AND coalesce(died_ns, last_ns) >= last_ns * 3 / 4
			THEN bytes ELSE 0 END) AS third,
		sum(CASE WHEN died_ns IS NULL THEN bytes ELSE 0 END) AS last
	FROM cells JOIN trace ON cells.host = trace.host AND cells.boot_id = trace.boot_id
	GROUP BY cells.host, cells.allocator, cells.site
)
SELECT allocator, site, count(*) AS machines, CAST(floor(p50(last - second)) AS BIGINT) AS grown
FROM marks
WHERE first < second AND second < third AND third < last
	AND last >= 1.5 * second AND last - second >= 16384
GROUP BY allocator, site
HAVING count(*) >= 10
ORDER BY grown DESC, site;
