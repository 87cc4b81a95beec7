// SPDX-License-Identifier: GPL-2.0
/*
 * What all views share: the traces, the chosen range, and helpers for the document.
 */
/* The last one is shown; of two, the first is what it is compared with. */
let traces = [];

const state = { space: 0, from: 0, to: 0, measure: "live_bytes", by: "source", shape: "icicle",
	stacked: false, only: null };

/*
 * The figures of a row. Those of the library's names have its headings and texts. Figures with a
 * @label are measures, which the views can show; others are columns of tables only. @sort is the
 * key of kmemtrace-report -s.
 */
const FIGURES = {
	live_bytes: { label: "live at the end of the range", sort: "live_bytes" },
	live: { label: "objects, or single pages, live at the end of the range" },
	kept_bytes: { heading: "kept", unit: "bytes", label: "allocated in the range and kept",
		sort: "live_bytes" },
	kept: { heading: "objects kept", unit: "count",
		description: "objects, or single pages, allocated in the range and kept" },
	allocs: { label: "allocations in the range", sort: "allocs" },
	bytes: { label: "allocated in the range", sort: "bytes" },
	wasted: { label: "wasted by allocations in the range", sort: "wasted" },
	churned_bytes: { heading: "churned", unit: "bytes", label: "allocated and freed in the range" },
	frees: { heading: "frees of churned",
		description: "frees in the range, of memory that was allocated in the range" },
	own_bytes: { heading: "own buffers", unit: "bytes",
		description: "allocated in the range, and neither kept nor churned: buffers of kmemtrace" },
	freed_bytes: { heading: "freed of any age", unit: "bytes",
		label: "freed in the range, whenever it was allocated" },
	peak_bytes: { heading: "at the peak", label: "live at the exact time of the peak",
		sort: "peak_bytes" },
};

/* Complete the figures with what the library says of its columns. */
function describeFigures(columns) {
	for (const [name, figure] of Object.entries(FIGURES)) {
		Object.assign(figure, { ...columns[name], ...figure });
		figure.text = figure.unit === "bytes" ? bytesText : numberText;
	}
}

const MEASURES = Object.fromEntries(Object.entries(FIGURES).filter(([, f]) => f.label));

/* Return a value of the measure as text. */
const measureText = value => MEASURES[state.measure].text(value);

const shown = () => traces[traces.length - 1];
const before = () => traces.length > 1 ? traces[0] : null;

/*
 * A part of a path: what identifies it, and its text. Numbers and addresses of two traces don't
 * match, texts do.
 */
const part = (key, text) => ({ key: before() ? text : String(key), text });
const textPart = text => part(text, text);

/* The same for memory that was live when tracing began; if it is @unknown, it is below all tables. */
const olderPart = (row, unknown, part) => ({ ...part, isRest: row.older && unknown });

const sitePart = row => olderPart(row, row.site.address === "0", before() ? textPart(row.site.function) :
	part(row.site.address, siteText(row.site)));
const cachePart = row => part(row.cache, row.trace.cacheText(row.cache));
const taskPart = row => olderPart(row, !row.task.number, part(row.task.number, row.task.task));
const processPart = row => olderPart(row, !row.task.number,
	part(row.task.process_number, row.task.process));
const cgroupPart = row => part(row.cgroup.number, row.cgroup.cgroup +
	(row.cgroup.is_removed ? " (removed)" : ""));

/*
 * What was chosen: the keys of a path in a tree, from the outside to the inside, and the kind
 * of path. All views show the rows on this path alone.
 */
function isChosen(row) {
	if (!state.only)
		return true;
	const parts = pathOf(state.only.by, row);
	return state.only.keys.every((key, i) => parts[i] && parts[i].key === key);
}

/* Show what is on a path alone; no parts: everything. */
function chooseOnly(by, parts) {
	state.only = parts.length ? { by, keys: parts.map(one => one.key),
		texts: parts.map(one => one.text) } : null;
	traces.forEach(trace => trace.choose(isChosen));
	drawAll();
}

/* Return the range of another trace that has the same times. */
function rangeOf(trace) {
	const own = shown();
	if (trace === own)
		return [state.from, state.to];
	if (state.to === own.steps - 1)
		return [trace.stepFrom(state.from * own.stepNs), trace.steps - 1];
	return [trace.stepFrom(state.from * own.stepNs),
		trace.stepAt((state.to + 1) * own.stepNs)];
}

/* The figures of the chosen range, by trace. */
let figures = new Map();

function computeFigures() {
	figures = new Map(traces.map(trace => [trace, trace.figures(...rangeOf(trace))]));
}

/*
 * Return the sums of an allocator by part, in the order of the measure. Of two traces, each
 * has the figures before, and the change of the measure.
 */
function sumsBy(space, partOf, measure = state.measure) {
	const sums = addUp(shown(), figures.get(shown()), space, partOf);
	const old = before();

	if (old) {
		const olds = addUp(old, figures.get(old), space, partOf);
		for (const [key, sum] of olds)
			if (!sums.has(key)) {
				const none = { key, text: sum.text, row: sum.row, isRest: sum.isRest };
				for (const name in FIGURES)
					none[name] = 0;
				sums.set(key, none);
			}
		for (const [key, sum] of sums) {
			sum.old = olds.get(key);
			sum.before = sum.old ? sum.old[measure] : 0;
			sum.change = sum[measure] - sum.before;
		}
	}
	return [...sums.values()].filter(sum => Object.keys(FIGURES).some(name => sum[name] ||
		(sum.old && sum.old[name])));
}

/* Make an element: all text is text, whatever is in it. */
function element(name, attributes = {}, ...children) {
	const node = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		if (value !== null && value !== undefined)
			node.setAttribute(key, value);
	node.append(...children);
	return node;
}

const find = selector => document.querySelector(selector);

function copyText(text) {
	const area = element("textarea");
	area.value = text;
	document.body.append(area);
	area.select();
	document.execCommand("copy");
	area.remove();
}

const chartWidth = chart => Math.max(240, chart.clientWidth || 1000);

/* Fill a selection with options. */
function fillSelect(id, options, value, choose) {
	const select = find("#" + id);
	for (const [key, text] of options)
		select.append(element("option", { value: key }, text));
	select.value = value;
	select.addEventListener("change", () => choose(select.value));
}
