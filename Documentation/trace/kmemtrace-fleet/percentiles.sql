-- SPDX-License-Identifier: GPL-2.0
-- The functions with most live memory, by the machine of which 99 percent have less.

SELECT allocator, function, count(*) AS machines, CAST(floor(p50(live)) AS BIGINT) AS p50,
	CAST(floor(p90(live)) AS BIGINT) AS p90, CAST(floor(p99(live)) AS BIGINT) AS p99
FROM (
	SELECT host, allocator, function, sum(live_bytes) AS live
	FROM sites GROUP BY host, allocator, function
) AS on_machine
GROUP BY allocator, function
ORDER BY p99 DESC, function
LIMIT 10;
