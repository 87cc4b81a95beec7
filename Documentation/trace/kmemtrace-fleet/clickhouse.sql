-- SPDX-License-Identifier: GPL-2.0
-- The tables of all machines whose trace is complete, for ClickHouse.

CREATE VIEW traces AS SELECT * FROM file('fleet/*/traces.parquet') WHERE complete = 1;
CREATE VIEW sites AS SELECT * FROM file('fleet/*/sites.parquet')
	WHERE (machine, boot_id) IN (SELECT machine, boot_id FROM traces);
CREATE VIEW cells AS SELECT * FROM file('fleet/*/cells.parquet')
	WHERE (machine, boot_id) IN (SELECT machine, boot_id FROM traces);
CREATE FUNCTION p50 AS (x) -> quantileExactInclusive(0.5)(x);
CREATE FUNCTION p90 AS (x) -> quantileExactInclusive(0.9)(x);
CREATE FUNCTION p99 AS (x) -> quantileExactInclusive(0.99)(x);
