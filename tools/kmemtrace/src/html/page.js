// SPDX-License-Identifier: GPL-2.0
/*
 * What all views share: the traces, the chosen range, and helpers for the document.
 */
/* The last one is shown; of two, the first is what it is compared with. */
let traces = [];

const state = { space: 0, from: 0, to: 0, measure: "live", by: "source", shape: "icicle",
	stacked: false, root: [] };

const MEASURES = {
	live: "live at the end of the range",
	kept: "allocated in the range and kept",
	churned: "allocated and freed in the range",
	freed: "freed in the range",
	allocated: "allocated in the range",
	wasted: "wasted by allocations in the range",
	peak: "live at the peak",
};

const shown = () => traces[traces.length - 1];
const before = () => traces.length > 1 ? traces[0] : null;

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
				for (const name of FIGURES)
					none[name] = 0;
				sums.set(key, none);
			}
		for (const [key, sum] of sums) {
			sum.old = olds.get(key);
			sum.before = sum.old ? sum.old[measure] : 0;
			sum.change = sum[measure] - sum.before;
		}
	}
	return [...sums.values()].filter(sum => FIGURES.some(name => sum[name] ||
		(sum.old && sum.old[name])));
}

/* Call sites of two builds are the same if their functions are. */
const siteKey = row => before() ? row.site.function :
	row.site.site + (row.site.line ? " " + row.site.line : "");

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

/* Fill a selection with options. */
function fillSelect(id, options, value, choose) {
	const select = find("#" + id);
	for (const [key, text] of options)
		select.append(element("option", { value: key }, text));
	select.value = value;
	select.addEventListener("change", () => choose(select.value));
}
