// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: sorted by any column, searched, copied.
 */
const ROWS = 20;

/* The order, the search and the length of each table stay while the range changes. */
const tables = new Map();

function cellValue(column, row) {
	const value = column.of(row);
	return value === undefined || value === null ? "" : value;
}

/* Return a function that compares rows; the rest, if there is one, is last in both directions. */
function compareBy(column, isUp) {
	const compare = (p, q) => {
		const x = cellValue(column, p), y = cellValue(column, q);
		return typeof x === "number" && typeof y === "number" ?
			(column.isChange ? Math.abs(y) - Math.abs(x) : y - x) :
			String(x).localeCompare(String(y));
	};
	return (p, q) => Boolean(p.isRest) - Boolean(q.isRest) || (isUp ? compare(q, p) : compare(p, q));
}

function copyTable(columns, rows) {
	copyText([columns.map(column => column.name).join("\t"), ...rows.map(row =>
		columns.map(column => cellValue(column, row)).join("\t"))].join("\n"));
}

function bodyCell(column, row) {
	const value = cellValue(column, row), isNumber = typeof value === "number";
	const sign = column.isChange && value ? value > 0 ? "more" : "less" : null;

	return element("td", {
		class: column.isName ? "name" : isNumber ? sign : "text",
		"data-value": isNumber ? value : null,
		title: column.title ? column.title(row) :
			isNumber && column.text !== numberText ? numberText(value) : null,
	}, isNumber ? column.text(value) : value);
}

/* A row that can be chosen has the keyboard's focus, too. */
function bodyRow(columns, row, choose) {
	const node = element("tr", choose ? { class: "choice", tabindex: 0 } : {},
		...columns.map(column => bodyCell(column, row)));
	if (choose) {
		node.addEventListener("click", () => choose(row));
		node.addEventListener("keydown", event => {
			if (event.key !== "Enter")
				return;
			choose(row);
			if (state.only)
				find("#only").focus();
		});
	}
	return node;
}

/* The text of a cell, and what it only shows on demand. */
const searchText = (column, row) =>
	`${cellValue(column, row)} ${column.title && column.title(row) || ""}`.toLowerCase();

/**
 * drawTable - draw a table into the element @at
 * @columns: for each, its @name, a function @of that returns the value of a row, and
 *	a function @text that writes a number. Columns that are @isMore show on demand
 * @choose: called with a row on which the reader clicks
 */
function drawTable(at, all, rows, choose = null) {
	const own = tables.get(at) || tableState(all.find(c => c.text).name);
	const columns = all.filter(c => own.more || !c.isMore);
	const column = columns.find(c => c.name === own.by) || columns.find(c => c.text);
	const sorted = [...rows].sort(compareBy(column, own.up));
	const body = element("tbody"), count = element("span", { class: "soft" });
	let matching;

	tables.set(at, own);
	const redraw = () => drawTable(at, all, rows, choose);
	const button = (text, click) => {
		const node = element("button", { type: "button" }, text);
		node.addEventListener("click", click);
		return node;
	};
	const head = element("tr", {}, ...columns.map(c => element("th", { scope: "col",
		class: c.isName ? "name" : c.text ? null : "text", title: c.help || null,
		"aria-sort": c === column ? own.up ? "ascending" : "descending" : null },
		button(c.name, () => {
			own.up = own.by === c.name && !own.up;
			own.by = c.name;
			redraw();
			find(`${at} th[aria-sort] button`).focus();
		}))));

	const search = element("input", { type: "search", placeholder: "Search", value: own.search,
		"aria-label": "Search in the table" });
	const tools = element("div", { class: "tools" }, search,
		button("Copy", () => copyTable(columns, matching)));
	const showAll = button("Show all", () => {
		own.limit = Infinity;
		fill();
	});
	if (all.some(c => c.isMore))
		tools.append(button(own.more ? "Fewer columns" : "More columns", () => {
			own.more = !own.more;
			redraw();
		}));
	tools.append(count, showAll);

	/* Typing in the search changes the rows alone: the search keeps the focus. */
	function fill() {
		const wanted = own.search.toLowerCase();
		matching = wanted ? sorted.filter(row => columns.some(c =>
			searchText(c, row).includes(wanted))) : sorted;
		const nr = matching.filter(row => !row.isRest).length;
		body.replaceChildren(...matching.filter((row, i) => i < own.limit || row.isRest)
			.map(row => bodyRow(columns, row, choose)));
		if (wanted && !matching.length)
			body.append(element("tr", {}, element("td", { class: "name",
				colspan: columns.length }, "no row matches")));
		count.textContent = (nr > own.limit ? `${own.limit} of ` : "") +
			numberText(nr);
		showAll.hidden = nr <= own.limit;
	}
	search.addEventListener("input", () => {
		own.search = search.value;
		fill();
	});
	fill();
	find(at).replaceChildren(tools, element("table", {}, element("thead", {}, head), body));
}

/* Bytes of an allocation: their mean if they differ. */
const bytesEach = sum => !sum ? 0 : sum.allocs ? sum.bytes / sum.allocs :
	sum.live ? sum.live_bytes / sum.live : 0;

function eachText(sum) {
	const [old, now] = [bytesEach(sum.old), bytesEach(sum)].map(numberText);
	return old === now ? now : `${old}\u00a0\u2192\u00a0${now}`;
}

/* What changed between two traces comes first, and most other columns show on demand. */
function changeColumns() {
	const { text, label } = MEASURES[state.measure];
	const change = (name, key) => ({ name, text: numberText, isChange: true,
		of: sum => sum[key] - (sum.old ? sum.old[key] : 0) });

	return [
		{ name: "change", of: sum => sum.change, text, isChange: true, help: label },
		{ name: "before", of: sum => sum.before, text, help: label },
		{ name: "after", of: sum => sum[state.measure], text, help: label },
		change("change of objects", "live"),
		change("change of allocations", "allocs"),
		{ name: "bytes each", of: eachText, help: "Bytes of an allocation, before and after" }];
}

/* The columns of all figures of @rows, the measure first; @name is that of a row. */
function figureColumns(name, rows) {
	const hasBuffers = rows.some(sum => sum.own_bytes);
	const keys = [state.measure, ...Object.keys(FIGURES).filter(key =>
		key !== state.measure && (key !== "own_bytes" || hasBuffers))];

	return [{ ...name, isName: true }, ...(before() ? changeColumns() : []),
		...keys.map(key => ({ name: FIGURES[key].heading, of: sum => sum[key],
			text: FIGURES[key].text, isMore: Boolean(before()),
			help: FIGURES[key].label || FIGURES[key].description }))];
}

const tableState = by => ({ by, up: false, search: "", limit: ROWS, more: false });

/* Sort a table by the measure, unless the reader chose another column. */
function followMeasure(at) {
	const measure = before() ? "change" : MEASURES[state.measure].heading;
	const own = tables.get(at) || tableState(measure);

	if (own.measure !== measure)
		Object.assign(own, { by: measure, up: false, measure });
	tables.set(at, own);
}

function drawTotals() {
	const rows = SPACES.map((name, space) => sumsBy(space, () => textPart(name))[0])
		.filter(sum => sum);
	followMeasure("#totals .table");
	drawTable("#totals .table", figureColumns({ name: "allocator", of: sum => sum.text }, rows), rows,
		sum => choose("space", SPACES.indexOf(sum.text)));
	find("#totals .own").textContent = traces.some(trace => trace.about.own_pages) ?
		"Buffers of kmemtrace, in no other sum, at the end of the trace: " +
		traces.map(({ about }) => `${numberText(about.own_pages)} pages, ${
			bytesText(about.own_bytes)}`).join("; after: ") : "";
}

function drawSites() {
	const list = sumsBy(state.space, sitePart);
	followMeasure("#sites .table");
	drawTable("#sites .table", figureColumns({ name: "call site", of: sum => sum.text }, list),
		list, sum => chooseOnly("site", [sum]));
}

/*
 * The tables of who allocated: what the traces need for it, the part of a row, and the path that a
 * click chooses.
 */
const WHO = {
	tasks: { has: "tasks", name: "task", of: taskPart,
		path: row => ["task", [processPart(row), taskPart(row)]] },
	processes: { has: "tasks", name: "process", of: processPart,
		path: row => ["task", [processPart(row)]] },
	cgroups: { has: "cgroups", name: "cgroup", of: cgroupPart,
		path: row => ["cgroup", [cgroupPart(row)]] },
};

function drawWho() {
	for (const [id, view] of Object.entries(WHO)) {
		const isThere = traces.every(trace => trace.data[view.has]);
		find("#" + id).hidden = !isThere;
		if (!isThere)
			continue;
		const list = sumsBy(state.space, view.of), at = `#${id} .table`;
		followMeasure(at);
		drawTable(at, figureColumns({ name: view.name, of: sum => sum.text }, list), list,
			sum => chooseOnly(...view.path(sum.row)));
	}
}

const CHANGES = ["live_bytes", "peak_bytes", "bytes", "wasted", "allocs"];

/* The largest changes, whichever measure they are of: each leads to its measure. */
function drawChanges() {
	const links = (space, sums, measure) => {
		const changeOf = sum => sum[measure] - (sum.old ? sum.old[measure] : 0);
		const largest = sums.filter(changeOf).sort((p, q) =>
			Math.abs(changeOf(q)) - Math.abs(changeOf(p))).slice(0, 3);
		return largest.map(sum => {
			const change = changeOf(sum);
			const link = element("a", { href: "#sites", "data-value": change,
				class: change > 0 ? "more" : "less" },
				`${change > 0 ? "+" : ""}${MEASURES[measure].text(change)} ${sum.text}`);
			link.addEventListener("click", event => {
				event.preventDefault();
				state.space = space;
				choose("measure", measure);
				find("#sites").scrollIntoView();
			});
			return element("div", {}, link);
		});
	};
	const head = ["allocator", ...CHANGES.map(measure => FIGURES[measure].heading)];

	find("#changes").hidden = !before();
	if (before())
		find("#changes .table").replaceChildren(element("table", {},
			element("thead", {}, element("tr", {}, ...head.map(name =>
				element("th", { scope: "col", class: "text" }, name)))),
			element("tbody", {}, ...SPACES.map((name, space) => {
				const sums = sumsBy(space, sitePart);
				return element("tr", {},
					element("th", { scope: "row", class: "name" }, name),
					...CHANGES.map(measure => element("td", { class: "text" },
						...links(space, sums, measure))));
			}))));
}

/* The bytes of slabs are known at the end of the trace, of whole caches. */
function drawCaches() {
	const trace = shown(), slabs = new Map(), caches = new Map();
	trace.data.caches.forEach((cache, i) => {
		const { key } = cachePart({ trace, cache: i });
		slabs.set(key, (slabs.get(key) || 0) + trace.data.slabs[i]);
		caches.set(key, cache || {});
	});
	const list = sumsBy(0, cachePart), cacheOf = sum => caches.get(sum.key) || {};
	const isEnd = state.to === trace.steps - 1 && (!state.only || state.only.by === "cache");
	const isMore = Boolean(before());
	followMeasure("#caches .table");
	drawTable("#caches .table", [
		...figureColumns({ name: "cache",
			of: sum => sum.text + (cacheOf(sum).merged ? " and others" : ""),
			title: sum => cacheOf(sum).merged ? "also " + cacheOf(sum).merged : null }, list),
		{ name: "object", of: sum => cacheOf(sum).object_size || "",
		  text: numberText, isMore, help: "Bytes of an object" },
		{ name: "each", of: sum => cacheOf(sum).slot_size || "", text: numberText,
		  isMore, help: "Bytes that an object takes" },
		{ name: "slabs", of: sum => isEnd && slabs.get(sum.key) || "", text: bytesText,
		  isMore, help: "Slabs with a live object, at the end of the trace" },
		{ name: "occupied", of: sum => isEnd && slabs.get(sum.key) ?
			percentText(sum.live_bytes, slabs.get(sum.key)) : "",
		  isMore, help: "Part of these slabs that is live" }], list, sum => {
			state.space = 0;
			chooseOnly("cache", [sum]);
		});
}

/* How a number of the library is shown, by its unit; one without a unit identifies something. */
const TEXT_OF_UNIT = { bytes: bytesText, count: numberText, ns: durationText,
	"ns after the first record": ns => secondsText(ns) + " s" };

/*
 * The columns of a relation: first those that are @usual, then all others on demand. A call site has
 * its place beside it.
 */
function relationColumns(relation, usual) {
	const columns = shown().data.columns[relation];
	const names = [...usual, ...Object.keys(columns).filter(name => !usual.includes(name))];

	return names.map((name, i) => {
		const { heading, description, type, unit } = columns[name];
		const isNumber = type === "integer" || type === "number";
		const of = name.endsWith("site") ? row => siteText(siteOf(row, name.replace(/site$/, ""))) :
			type === "boolean" ? row => row[name] ? "yes" : "no" : row => row[name];
		return { name: heading, of, text: isNumber ? TEXT_OF_UNIT[unit] || String : undefined,
			help: description, isName: !i, isMore: i >= usual.length };
	});
}

function drawFailed() {
	const list = shown().data.failures.filter(f =>
		!state.only || shown().chosenSites.has(f.address));
	drawTable("#failed .table", relationColumns("failures",
		["site", "failed", "bytes_req", "api", "gfp_names"]), list);
	find("#failed").hidden = !list.length;
}

function drawFindings() {
	const list = shown().data.findings, sites = shown().chosenSites;
	drawTable("#findings .table", relationColumns("findings", ["site", "count", "is_explained",
		"allocator", "description", "time_ns", "first_site"]), list.filter(f =>
			!state.only || sites.has(f.first_address) || sites.has(f.address)));
	find("#findings h2").textContent = list.length ? list.every(f => f.is_explained) ?
		"Findings, none of which is an error" : "Findings" : "Findings: none";
}

/* A call path with the place of the call that wanted the memory. */
function suspectText(row) {
	const calls = row.path.split(" <- "), at = calls.indexOf(row.caller);
	if (at >= 0 && row.caller_file)
		calls[at] += ` ${row.caller_file}:${row.caller_line}${
			row.caller_inlined ? " in " + row.caller_inlined : ""}`;
	return calls.join(" <- ");
}

/* Suspects, and what is kept, too, but is none, with the reason why it may be meant. */
function drawSuspects() {
	const { suspects, kept } = shown().data;
	const usual = ["weight", "allocator", "kept", "kept_of", "live_bytes", "kept_per_second", "first_ns",
		"usual_ns", "freed_there", "freed_site"];

	for (const [id, list, more] of [["suspects", suspects, []], ["kept", kept, ["harmless"]]]) {
		const columns = relationColumns("suspects",
			["path", ...more, ...usual]);
		columns[0].of = suspectText;
		if (!tables.has(`#${id} .table`))
			tables.set(`#${id} .table`, tableState("weight"));
		drawTable(`#${id} .table`, columns, list);
		find("#" + id).hidden = !list.length && id === "kept";
	}
	find("#suspects h2").textContent = suspects.length ?
		"Suspects: live, and nothing seems to free it" :
		"Suspects: none: nothing that is live looks forgotten";
	find("#suspects .table").hidden = !suspects.length;
}
