// SPDX-License-Identifier: GPL-2.0
/*
 * Read the data, show the verdict, and draw all views.
 */
function drawTrust() {
	const trust = find("#trust");
	trust.replaceChildren();
	for (const trace of traces) {
		const about = trace.about;
		const far = about.is_running ? " so far: it was still being recorded" : "";
		const name = !before() ? "" : trace === before() ? "before: " : "after: ";
		const lost = about.lost_events === undefined ? "unknown number" :
			numberText(about.lost_events);
		trust.append(
			element("p", { class: "verdict " + (about.complete ? "good" : "bad") },
				`${name}${about.trace}: ${
					about.complete ? "COMPLETE" : "INCOMPLETE"}${far}`),
			...trace.data.reasons.map(({ reason }) => element("p", { class: "bad" }, reason)),
			element("p", {}, `kernel ${about.kernel || "unknown"} ${
				about.architecture || ""}, ${about.byte_order}-endian, pages of ${
				bytesText(about.page_size)}; ${numberText(about.events)} events in ${
				(about.last_ns / 1e9).toFixed(6)} s, ${lost} lost; ${
				about.unexplained ? numberText(about.unexplained) + " findings may be errors" :
				"no finding is an error"}`));
		if (about.recorded || about.host)
			trust.append(element("p", {}, ["recorded", about.recorded,
				about.host && `on ${about.host}`,
				about.ram_bytes && `with ${bytesText(about.ram_bytes)} of RAM`,
				about.command && `: ${about.command}`].filter(Boolean).join(" ")));
		if (about.sample > 1)
			trust.append(element("p", {}, `A sample: one of ${
				numberText(about.sample)} slab objects below ${
				bytesText(about.page_size)}; figures of slab objects are estimates`));
		if (about.from_ns !== undefined || about.at_ns !== undefined ||
		    trace.data.filters.length)
			trust.append(element("p", { class: "bad" },
				"Only a part of the trace: options of kmemtrace-report left out the rest"));
	}
	document.title = "kmemtrace: " + traces.map(t => t.about.trace).join(", ");
}

/* Return the times of the range, in ns. */
function rangeTimes() {
	const trace = shown();
	return [state.from * trace.stepNs,
		Math.min((state.to + 1) * trace.stepNs - 1, trace.endNs)];
}

/* Return the options by which the text report has the same range. */
function rangeOptions() {
	const { from_ns, at_ns } = shown().about, [begin, end] = rangeTimes();
	const isEnd = state.to === shown().steps - 1;
	const last = isEnd ? at_ns : end, first = Math.max(begin, from_ns || 0);
	const lastText = last === undefined ? "" : secondsText(last);

	if (state.measure === "peak_bytes" && from_ns === undefined)
		return at_ns === undefined ? [] : ["--at", secondsText(at_ns)];
	if (!["live_bytes", "live"].includes(state.measure) || from_ns !== undefined)
		return ["--between", secondsText(first) + "," + lastText];
	return lastText ? ["--at", lastText] : [];
}

/* Return the narrowest options that have what was chosen. */
function onlyOptions() {
	const rows = shown().rows.filter((_, r) => shown().isChosen[r]), options = {};
	const setIfOne = (option, of) => {
		const names = new Set(rows.map(of)), [name] = names;
		if (names.size === 1 && !name.startsWith("("))
			options[option] = name;
	};

	if (!state.only)
		return options;
	if (state.only.by === "cache")
		setIfOne("cache", row => row.space ? "(none)" : row.trace.cacheText(row.cache));
	if (state.only.by === "task")
		setIfOne("task", row => String(row.task.pid || "(none)"));
	if (state.only.by === "task" && !options.task)
		setIfOne("task", row => String(row.task.tgid || "(none)"));
	if (state.only.by === "cgroup")
		setIfOne("cgroup", row => row.cgroup.cgroup);
	setIfOne("site", row => row.site.function.replace(/ [[(].*/, ""));
	if (!options.site)
		setIfOne("module", row => row.site.module);
	return options;
}

/* Return the command by which the text report shows the same. */
function commandText() {
	const given = shown().data.filters.map(({ filter, pattern }) => [filter, pattern]);
	const filter = { type: SPACES[state.space], ...onlyOptions(), ...Object.fromEntries(given) };
	const sort = MEASURES[state.measure].sort;

	return ["kmemtrace-report", ...(before() ? ["-d"] : []), ...rangeOptions(),
		...Object.entries(filter).flatMap(([name, value]) => ["--" + name, value]),
		...(sort ? ["-s", sort] : []), ...traces.map(trace => trace.about.trace)]
		.map(quoteWord).join(" ");
}

/* The range, and the command. */
function drawRange() {
	const isAll = !state.from && state.to === shown().steps - 1, peak = peakOf(shown());
	const [begin, end] = rangeTimes(), address = new URLSearchParams({
		space: SPACES[state.space], from: state.from, to: state.to, measure: state.measure,
		by: state.by, shape: state.shape, stacked: Number(state.stacked) });

	find("#range").textContent = (isAll ? "The whole trace" : `Steps ${state.from} to ${
		state.to}, ${secondsText(begin)} s to ${secondsText(end)} s`) +
		(state.measure === "peak_bytes" && peak ? `. "At the peak" is at exactly ${
			secondsText(peak.peak_ns)} s, "live" at the end of the range` : "");
	find("#command").textContent = commandText();
	for (const name of ["space", "measure", "from", "to"])
		find("#" + name).value = state[name];
	find("#only").hidden = !state.only;
	if (state.only) {
		find("#only").textContent = `only: ${state.only.texts.join(" / ")} \u00d7`;
		for (const key of [state.only.by, ...state.only.keys])
			address.append("only", key);
	}
	history.replaceState(null, "", "#" + address);
}

/* What depends on the range or the measure; the timeline does not. */
function drawRest() {
	computeFigures();
	drawRange();
	drawChanges();
	drawTotals();
	drawTree();
	drawSites();
	drawWho();
	drawCaches();
	drawOrders();
}

function drawAll() {
	drawSuspects();
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
	drawTimeline();
	drawRest();
}

/* Return the texts of the path with these keys. */
function textsOf(by, keys) {
	state.only = { by, keys };
	for (const trace of traces)
		for (const row of trace.rows)
			if (isChosen(row))
				return pathOf(by, row).slice(0, keys.length).map(one => one.text);
	return keys;
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
		if (Object.hasOwn(of, given.get(name) || "") &&
		    (of !== PATHS || hasPath(given.get(name))))
			state[name] = given.get(name);
	state.stacked = given.get("stacked") === "1";
	const [by, ...keys] = given.getAll("only");
	if (keys.length && (by === "site" || (Object.hasOwn(PATHS, by) && hasPath(by))))
		state.only = { by, keys, texts: textsOf(by, keys) };
	traces.forEach(trace => trace.choose(isChosen));
}

const SHAPES = { icicle: "icicle", treemap: "treemap" };

function listen() {
	const from = find("#from"), to = find("#to");
	fillSelect("space", SPACES.map((name, i) => [i, name]), state.space,
		value => choose("space", Number(value)));
	fillSelect("measure", Object.entries(MEASURES).map(([key, m]) => [key, m.label]),
		state.measure,
		value => choose("measure", value));
	fillSelect("by", Object.entries(PATHS).filter(([key]) => hasPath(key))
		.map(([key, path]) => [key, path.text]), state.by,
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
		state.measure = "peak_bytes";
		if (peak)
			setRange(0, shown().stepFrom(peak.peak_ns));
	});
	find("#only").addEventListener("click", () => chooseOnly("", []));
	find("#copy").addEventListener("click", () => copyText(commandText()));
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
	describeFigures(data[0].columns.sites);
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
