// SPDX-License-Identifier: GPL-2.0
/*
 * What all views share: the traces, the chosen range, and helpers for the document.
 */
/* The last one is shown; of two, the first is what it is compared with. */
let traces = [];

const state = { space: 0, from: 0, to: 0, measure: "live", by: "source", shape: "icicle",
	stacked: false, only: null };

/*
 * The figures of a row. Those with a @label are measures, which the views can show; others are
 * columns of tables only. @sort is the key of kmemtrace-report -s.
 */
const FIGURES = {
	live: { name: "live", text: bytesText, label: "live at the end of the range",
		sort: "live" },
	objects: { name: "objects", text: numberText,
		label: "objects, or single pages, live at the end of the range" },
	kept: { name: "kept", text: bytesText, label: "allocated in the range and kept",
		sort: "live" },
	objectsKept: { name: "objects kept", text: numberText,
		help: "objects, or single pages, allocated in the range and kept" },
	allocations: { name: "allocations", text: numberText, label: "allocations in the range",
		sort: "count" },
	allocated: { name: "allocated", text: bytesText, label: "allocated in the range",
		sort: "alloc" },
	wasted: { name: "wasted", text: bytesText, label: "wasted by allocations in the range",
		sort: "waste" },
	churned: { name: "churned", text: bytesText, label: "allocated and freed in the range" },
	frees: { name: "frees of churned", text: numberText,
		help: "frees in the range, of memory that was allocated in the range" },
	buffers: { name: "own buffers", text: bytesText,
		help: "allocated in the range, and neither kept nor churned: buffers of kmemtrace" },
	freed: { name: "freed of any age", text: bytesText,
		label: "freed in the range, whenever it was allocated" },
	peak: { name: "at the peak", text: bytesText,
		label: "live at the exact time of the peak", sort: "peak" },
};
const MEASURES = Object.fromEntries(Object.entries(FIGURES).filter(([, f]) => f.label));

/* Return a value of the measure as text. */
const measureText = value => MEASURES[state.measure].text(value);

const shown = () => traces[traces.length - 1];
const before = () => traces.length > 1 ? traces[0] : null;

/*
 * What was chosen: the names of a path in a tree, from the outside to the inside, and the kind
 * of path. All views show the rows on this path alone.
 */
function isChosen(row) {
	if (!state.only)
		return true;
	const names = pathOf(state.only.by, row);
	return state.only.names.every((name, i) => names[i] === name);
}

/* Show what is on a path alone; no names: everything. */
function chooseOnly(by, names) {
	state.only = names.length ? { by, names } : null;
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
 * Return the sums of an allocator by key, in the order of the measure. Of two traces, each
 * has the figures before, and the change of the measure.
 */
function sumsBy(space, keyOf, measure = state.measure) {
	const sums = addUp(shown(), figures.get(shown()), space, keyOf);
	const old = before();

	if (old) {
		const olds = addUp(old, figures.get(old), space, keyOf);
		for (const [key, sum] of olds)
			if (!sums.has(key)) {
				const none = { key, row: sum.row };
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

/* Call sites of two builds are the same if their functions are. */
const siteKey = row => before() ? row.site.function :
	siteText(row.site);

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
