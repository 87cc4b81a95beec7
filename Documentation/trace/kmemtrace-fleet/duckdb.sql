-- SPDX-License-Identifier: GPL-2.0
-- The tables of all machines whose trace is complete, for DuckDB.

CREATE VIEW traces AS SELECT * FROM read_parquet('fleet/*/traces.parquet') WHERE complete = 1;
CREATE VIEW sites AS SELECT * FROM read_parquet('fleet/*/sites.parquet')
	WHERE (machine, boot_id) IN (SELECT (machine, boot_id) FROM traces);
CREATE VIEW cells AS SELECT * FROM read_parquet('fleet/*/cells.parquet')
	WHERE (machine, boot_id) IN (SELECT (machine, boot_id) FROM traces);
CREATE MACRO p50(x) AS quantile_cont(x, 0.5);
CREATE MACRO p90(x) AS quantile_cont(x, 0.9);
CREATE MACRO p99(x) AS quantile_cont(x, 0.99);
