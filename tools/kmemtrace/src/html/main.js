// SPDX-License-Identifier: GPL-2.0
/*
 * Read the data, show the verdict, and draw all views.
 */
function drawTrust() {
	const trust = find("#trust");
	trust.replaceChildren();
	for (const trace of traces) {
		const about = trace.about;
		const far = about.running ? " so far: it was still being recorded" : "";
		const lost = about.lost_events === undefined ? "unknown number" :
			numberText(about.lost_events);
		trust.append(
			element("p", { class: "verdict " + (about.complete ? "good" : "bad") },
				`${printable(about.path)}: ${about.complete ? "COMPLETE" : "INCOMPLETE"}${far}`),
			...about.reasons.map(text => element("p", { class: "bad" }, printable(text))),
			element("p", {}, `kernel ${printable(about.kernel_release || "unknown")} ${
				printable(about.machine || "")}, ${about.byte_order}-endian, pages of ${
				bytesText(about.page_size)}; ${numberText(about.events)} events in ${
				(about.last_ns / 1e9).toFixed(6)} s, ${lost} lost; ${
				about.unexplained ? numberText(about.unexplained) + " findings may be errors" :
				"no finding is an error"}`));
		if (about.from_ns !== undefined || about.at_ns !== undefined || about.filter)
			trust.append(element("p", { class: "bad" },
				"Only a part of the trace: options of kmemtrace-report left out the rest"));
	}
	document.title = "kmemtrace: " + traces.map(t => printable(t.about.path)).join(", ");
}

/* The range, with the options by which the text report shows the same. */
function drawRange() {
	const trace = shown(), begin = state.from * trace.stepNs;
	const end = Math.min((state.to + 1) * trace.stepNs - 1, trace.endNs);
	const isAll = !state.from && state.to === trace.steps - 1;
	find("#range").textContent = isAll ? "The whole trace" :
		`Steps ${state.from} to ${state.to}: kmemtrace-report --between ${
			secondsText(begin)},${secondsText(end)}`;
	find("#from").value = state.from;
	find("#to").value = state.to;
	history.replaceState(null, "", "#" + new URLSearchParams({
		space: SPACES[state.space], from: state.from, to: state.to, measure: state.measure,
		by: state.by, shape: state.shape, stacked: Number(state.stacked) }));
}

/* What depends on the range or the measure; the timeline does not. */
function drawRest() {
	computeFigures();
	drawRange();
	drawTotals();
	drawTree();
	drawSites();
	drawCaches();
	drawOrders();
}

function drawAll() {
	drawTimeline();
	drawRest();
	drawBlocks();
	drawFailed();
	drawFindings();
}

let pending = 0;

/* Choose a range. Redraws once a frame, however often the pointer moves. */
function setRange(from, to, isDone = true) {
	state.from = from;
	state.to = to;
	cancelAnimationFrame(pending);
	pending = requestAnimationFrame(() => {
		drawRest();
		if (isDone)
			moveBrush();
	});
}

function choose(name, value) {
	state[name] = value;
	state.root = [];
	drawTimeline();
	drawRest();
}

/* The address may have a state, so that it can be kept as a bookmark. */
function readAddress() {
	const last = shown().steps - 1, given = new URLSearchParams(location.hash.slice(1));
	const step = (name, usual) => given.has(name) ?
		Math.max(0, Math.min(last, parseInt(given.get(name), 10) || 0)) : usual;

	state.space = Math.max(0, SPACES.indexOf(given.get("space") || "slab"));
	state.from = step("from", 0);
	state.to = Math.max(state.from, step("to", last));
	for (const [name, of] of [["measure", MEASURES], ["by", PATHS], ["shape", SHAPES]])
		if (Object.hasOwn(of, given.get(name) || ""))
			state[name] = given.get(name);
	state.stacked = given.get("stacked") === "1";
}

const SHAPES = { icicle: "icicle", treemap: "treemap" };

function listen() {
	const from = find("#from"), to = find("#to");
	fillSelect("space", SPACES.map((name, i) => [i, name]), state.space,
		value => choose("space", Number(value)));
	fillSelect("measure", Object.entries(MEASURES).map(([key, m]) => [key, m.label]),
		state.measure,
		value => choose("measure", value));
	fillSelect("by", Object.entries(PATHS).map(([key, path]) => [key, path.text]), state.by,
		value => choose("by", value));
	fillSelect("shape", Object.entries(SHAPES), state.shape, value => choose("shape", value));
	from.max = to.max = shown().steps - 1;
	from.addEventListener("input", () => setRange(Number(from.value),
		Math.max(Number(from.value), state.to)));
	to.addEventListener("input", () => setRange(Math.min(state.from, Number(to.value)),
		Number(to.value)));
	find("#all").addEventListener("click", () => setRange(0, shown().steps - 1));
	find("#peak").addEventListener("click", () => {
		const peak = peakOf(shown());
		find("#measure").value = state.measure = "peak";
		if (peak)
			setRange(0, shown().stepFrom(peak.time_ns));
	});
	find("#stacked").checked = state.stacked;
	find("#stacked").addEventListener("change", event => {
		state.stacked = event.target.checked;
		drawTimeline();
		drawRange();
	});
	addEventListener("resize", drawAll);
	addEventListener("beforeprint", drawAll);
}

async function main() {
	const node = find("#data"), data = JSON.parse(node.textContent);
	node.remove();
	traces = await Promise.all(data.map(one => new Trace(one).load()));
	readAddress();
	drawTrust();
	find("#controls").hidden = find("#views").hidden = false;
	listen();
	drawAll();
	document.body.dataset.ready = Math.round(performance.now());
}

main().catch(error => {
	find("#trust").replaceChildren(element("p", { class: "verdict bad" },
		"This page could not show the trace: " + error.message));
});
