-- SPDX-License-Identifier: GPL-2.0
-- Functions whose live memory is larger on the new kernel, on the median machine: by a tenth or
-- more, and by 4096 bytes or more. The offset of a call site differs between builds.

WITH kernels AS (
	SELECT '6.12.80' AS before, '6.12.81' AS after
), on_machine AS (
	SELECT host, kernel, allocator, function, module, sum(live_bytes) AS live
	FROM sites GROUP BY host, kernel, allocator, function, module
), on_kernel AS (
	SELECT kernel, allocator, function, module, p50(live) AS live
	FROM on_machine GROUP BY kernel, allocator, function, module
), old AS (
	SELECT * FROM on_kernel WHERE kernel = (SELECT before FROM kernels)
), new AS (
	SELECT * FROM on_kernel WHERE kernel = (SELECT after FROM kernels)
)
SELECT new.allocator AS allocator, new.function AS function, new.module AS module,
	CAST(floor(coalesce(old.live, 0)) AS BIGINT) AS live_before,
	CAST(floor(new.live) AS BIGINT) AS live_after
FROM new LEFT JOIN old ON new.allocator = old.allocator AND new.function = old.function
	AND new.module = old.module
WHERE new.live >= 1.1 * coalesce(old.live, 0) AND new.live - coalesce(old.live, 0) >= 4096
ORDER BY new.live - coalesce(old.live, 0) DESC, function;
