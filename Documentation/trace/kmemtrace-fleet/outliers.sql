-- SPDX-License-Identifier: GPL-2.0
-- Machines on which a function has 10 times the live memory of the median machine, and 65536
-- bytes more.

WITH on_machine AS (
	SELECT host, allocator, function, sum(live_bytes) AS live
	FROM sites GROUP BY host, allocator, function
), usual AS (
	SELECT allocator, function, p50(live) AS live
	FROM on_machine GROUP BY allocator, function
)
SELECT on_machine.host AS host, on_machine.allocator AS allocator,
	on_machine.function AS function, CAST(floor(on_machine.live) AS BIGINT) AS live_bytes,
	CAST(floor(usual.live) AS BIGINT) AS usual_bytes
FROM on_machine JOIN usual ON on_machine.allocator = usual.allocator
	AND on_machine.function = usual.function
WHERE on_machine.live >= 10 * usual.live AND on_machine.live - usual.live >= 65536
ORDER BY on_machine.live - usual.live DESC, host;
