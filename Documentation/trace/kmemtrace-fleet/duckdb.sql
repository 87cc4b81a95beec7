-- SPDX-License-Identifier: GPL-2.0
-- The tables of all machines whose trace is complete, for DuckDB.

CREATE VIEW trace AS SELECT * FROM read_parquet('fleet/*/trace.parquet') WHERE complete;
CREATE VIEW sites AS SELECT * FROM read_parquet('fleet/*/sites.parquet')
	WHERE (host, boot_id) IN (SELECT (host, boot_id) FROM trace);
CREATE VIEW cells AS SELECT * FROM read_parquet('fleet/*/cells.parquet')
	WHERE (host, boot_id) IN (SELECT (host, boot_id) FROM trace);
CREATE MACRO p50(x) AS quantile_cont(x, 0.5);
CREATE MACRO p90(x) AS quantile_cont(x, 0.9);
CREATE MACRO p99(x) AS quantile_cont(x, 0.99);
