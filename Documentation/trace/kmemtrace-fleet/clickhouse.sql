-- SPDX-License-Identifier: GPL-2.0
-- The tables of all machines whose trace is complete, for ClickHouse.

CREATE VIEW trace AS SELECT * FROM file('fleet/*/trace.parquet') WHERE complete;
CREATE VIEW sites AS SELECT * FROM file('fleet/*/sites.parquet')
	WHERE (host, boot_id) IN (SELECT host, boot_id FROM trace);
CREATE VIEW cells AS SELECT * FROM file('fleet/*/cells.parquet')
	WHERE (host, boot_id) IN (SELECT host, boot_id FROM trace);
CREATE FUNCTION p50 AS (x) -> quantileExactInclusive(0.5)(x);
CREATE FUNCTION p90 AS (x) -> quantileExactInclusive(0.9)(x);
CREATE FUNCTION p99 AS (x) -> quantileExactInclusive(0.99)(x);
