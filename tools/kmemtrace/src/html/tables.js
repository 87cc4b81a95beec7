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

function compareBy(column) {
	return (p, q) => {
		const x = cellValue(column, p), y = cellValue(column, q);
		return typeof x === "number" && typeof y === "number" ?
			(column.isChange ? Math.abs(y) - Math.abs(x) : y - x) :
			String(x).localeCompare(String(y));
	};
}

function copyTable(columns, rows) {
	const area = element("textarea");
	area.value = [columns.map(column => column.name).join("\t"), ...rows.map(row =>
		columns.map(column => cellValue(column, row)).join("\t"))].join("\n");
	document.body.append(area);
	area.select();
	document.execCommand("copy");
	area.remove();
}

function bodyRow(columns, row) {
	return element("tr", {}, ...columns.map(column => {
		const value = cellValue(column, row);
		const cell = element("td", {
			class: typeof value !== "number" ? "text" : !column.isChange || !value ? null :
				value > 0 ? "more" : "less",
			"data-value": typeof value === "number" ? value : null,
			title: typeof value === "number" && column.text !== numberText ?
				numberText(value) : null,
		}, typeof value === "number" ? column.text(value) : value);
		return cell;
	}));
}

/**
 * drawTable - draw a table into the element @at
 * @columns: for each, its @name, a function @of that returns the value of a row, and
 *	a function @text that writes a number
 */
function drawTable(at, columns, rows) {
	const own = tables.get(at) || { by: columns[0].name, up: false, search: "", limit: ROWS };
	const column = columns.find(c => c.name === own.by) || columns[0];
	const place = find(at);

	tables.set(at, own);
	let matching = rows;
	if (own.search)
		matching = rows.filter(row => columns.some(c =>
			String(cellValue(c, row)).toLowerCase().includes(own.search.toLowerCase())));
	matching = [...matching].sort(compareBy(column));
	if (own.up)
		matching.reverse();

	const redraw = () => drawTable(at, columns, rows);
	const head = element("tr", {}, ...columns.map(c => {
		const button = element("button", { type: "button" }, c.name);
		button.addEventListener("click", () => {
			own.up = own.by === c.name && !own.up;
			own.by = c.name;
			redraw();
			find(`${at} th[aria-sort] button`).focus();
		});
		return element("th", { scope: "col", title: c.help || null, "aria-sort":
			c === column ? own.up ? "ascending" : "descending" : null }, button);
	}));
	const table = element("table", {}, element("thead", {}, head),
		element("tbody", {}, ...matching.slice(0, own.limit).map(row => bodyRow(columns, row))));

	const search = element("input", { type: "search", placeholder: "Search", value: own.search,
		"aria-label": "Search in the table" });
	search.addEventListener("change", () => {
		own.search = search.value;
		redraw();
	});
	const copy = element("button", { type: "button" }, "Copy");
	copy.addEventListener("click", () => copyTable(columns, matching));
	const tools = element("div", { class: "tools" }, search, copy,
		element("span", { class: "soft" }, matching.length > own.limit ?
			`${own.limit} of ${numberText(matching.length)}` : numberText(matching.length)));
	if (matching.length > own.limit) {
		const more = element("button", { type: "button" }, "Show all");
		more.addEventListener("click", () => {
			own.limit = Infinity;
			redraw();
		});
		tools.append(more);
	}
	place.replaceChildren(tools, table);
}

/* The columns of the figures; of two traces, the measure before and its change come first. */
function figureColumns() {
	const columns = [];
	if (before()) {
		columns.push(
			{ name: "change", of: sum => sum.change, text: bytesText, isChange: true,
			  help: "Change of the measure: " + MEASURES[state.measure] },
			{ name: "before", of: sum => sum.before, text: bytesText },
			{ name: "after", of: sum => sum[state.measure], text: bytesText });
	}
	columns.push(
		{ name: "live", of: sum => sum.live, text: bytesText, help: MEASURES.live },
		{ name: "kept", of: sum => sum.kept, text: bytesText, help: MEASURES.kept },
		{ name: "objects kept", of: sum => sum.keptCount, text: numberText,
		  help: "Objects, or single pages, that were allocated in the range and kept" },
		{ name: "allocations", of: sum => sum.allocs, text: numberText },
		{ name: "allocated", of: sum => sum.allocated, text: bytesText,
		  help: MEASURES.allocated },
		{ name: "wasted", of: sum => sum.wasted, text: bytesText, help: MEASURES.wasted },
		{ name: "churned", of: sum => sum.churned, text: bytesText, help: MEASURES.churned },
		{ name: "frees", of: sum => sum.frees, text: numberText,
		  help: "Frees of memory that was allocated in the range" },
		{ name: "freed", of: sum => sum.freed, text: bytesText, help: MEASURES.freed },
		{ name: "at the peak", of: sum => sum.peak, text: bytesText, help: MEASURES.peak });
	return columns;
}

/* Sort a table by the measure, unless the reader chose another column. */
function followMeasure(at) {
	const own = tables.get(at), wanted = before() ? "change" :
		state.measure === "peak" ? "at the peak" : state.measure;
	if (!own)
		tables.set(at, { by: wanted, up: false, search: "", limit: ROWS, measure: wanted });
	else if (own.measure !== wanted)
		Object.assign(own, { by: wanted, up: false, measure: wanted });
}

function drawTotals() {
	const rows = SPACES.map((name, space) => sumsBy(space, () => name)[0]).filter(sum => sum);
	followMeasure("#totals .table");
	drawTable("#totals .table", [...figureColumns(),
		{ name: "allocator", of: sum => sum.key }], rows);
}

function drawSites() {
	followMeasure("#sites .table");
	drawTable("#sites .table", [...figureColumns(),
		{ name: "call site", of: sum => sum.key }], sumsBy(state.space, siteKey));
}

/* The bytes of slabs are known at the end of the trace. */
function drawCaches() {
	const trace = shown(), slabs = new Map(), merged = new Map(), sizes = new Map();
	trace.caches.forEach((name, i) => {
		slabs.set(name, (slabs.get(name) || 0) + trace.data.slabs[i]);
		merged.set(name, trace.data.slab_caches[i].merged.map(printable).join(", "));
		sizes.set(name, trace.data.slab_caches[i]);
	});
	const list = sumsBy(0, row => row.trace.cacheOf(row));
	const isEnd = state.to === trace.steps - 1;
	followMeasure("#caches .table");
	drawTable("#caches .table", [...figureColumns(),
		{ name: "object", of: sum => (sizes.get(sum.key) || {}).object_size || "",
		  text: numberText, help: "Bytes of an object" },
		{ name: "each", of: sum => (sizes.get(sum.key) || {}).size || "", text: numberText,
		  help: "Bytes that an object takes" },
		{ name: "slabs", of: sum => isEnd && slabs.get(sum.key) || "", text: bytesText,
		  help: "Slabs with a live object, at the end of the trace" },
		{ name: "occupied", of: sum => isEnd && slabs.get(sum.key) ?
			percentText(sum.live, slabs.get(sum.key)) : "",
		  help: "Part of these slabs that is live" },
		{ name: "cache", of: sum => sum.key + (merged.get(sum.key) ?
			" (also " + merged.get(sum.key) + ")" : "") }], list);
}

function drawFailed() {
	const list = shown().data.failed || [];
	drawTable("#failed .table", [
		{ name: "times", of: f => f.count, text: numberText },
		{ name: "requested", of: f => f.bytes_req, text: bytesText },
		{ name: "interface", of: f => f.type },
		{ name: "last gfp flags", of: f => f.gfp_flags },
		{ name: "call site", of: f => siteNames(f.site).site }], list);
	find("#failed").hidden = !list.length;
}

function drawFindings() {
	const name = site => site ? siteNames(site).site : "";
	const list = shown().data.findings || [];
	drawTable("#findings .table", [
		{ name: "count", of: f => f.count, text: numberText },
		{ name: "error", of: f => f.explained ? "no" : "yes" },
		{ name: "allocator", of: f => f.space },
		{ name: "what", of: f => f.class.replace(/_/g, " ") },
		{ name: "first at, s", of: f => secondsText(f.time_ns) },
		{ name: "earlier call site", of: f => name(f.first) },
		{ name: "call site", of: f => name(f.site) }], list);
	find("#findings h2").textContent = list.length ? list.every(f => f.explained) ?
		"Findings, none of which is an error" : "Findings" : "Findings: none";
}
