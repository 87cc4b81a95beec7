// SPDX-License-Identifier: GPL-2.0
//
// sql.js ENGINE FILE...: run the statements in each FILE, which end with a semicolon at the end of a
// line, and write the rows of all queries into FILE.rows, with tabs between columns and \N for null.
// ENGINE is duckdb or clickhouse.

const fs = require('fs');

const engines = {
	duckdb: async () => {
		const { DuckDBInstance } = require('@duckdb/node-api');
		const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
		const connection = await instance.connect();
		return async (sql) => {
			const rows = (await connection.runAndReadAll(sql)).getRowsJson();
			return rows.map((row) =>
				row.map((value) => value === null ? '\\N' : value).join('\t') + '\n').join('');
		};
	},
	clickhouse: async () => {
		const { Session } = require('chdb');
		const session = new Session();
		session.query('SET max_threads = 1', 'TSV');
		return async (sql) => session.query(sql, 'TSVRaw');
	},
};

async function main() {
	const [engine, ...files] = process.argv.slice(2);
	const run = await engines[engine]();
	for (const file of files) {
		const text = fs.readFileSync(file, 'utf8').replace(/^--.*\n/gm, '');
		let rows = '';
		for (const sql of text.split(/;\s*$/m))
			if (sql.trim())
				rows += await run(sql);
		fs.writeFileSync(`${file}.rows`, rows);
	}
	process.exit(0);
}

main().catch((error) => {
	console.error(String(error));
	process.exit(1);
});
