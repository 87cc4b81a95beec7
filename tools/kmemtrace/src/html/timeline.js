// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline: live memory at the end of each step, the most in between, phases, the peak,
 * and the range that all other views show.
 */
const CHART = { height: 260, left: 60, right: 20, top: 24, bottom: 24 };
const TOP = 10;
const PATTERN = d3.schemeTableau10;

/* Ticks are multiples of a power of two, as bytes are written. */
function byteTicks(most) {
	const step = 2 ** Math.max(0, Math.ceil(Math.log2((most || 1) / 8)));
	return d3.range(0, Math.ceil((most || 1) / step) + 1).map(i => i * step);
}

/* Return a tick as text without rounding it, such as 1.25M. */
function tickText(bytes) {
	const unit = bytes ? Math.min(4, Math.floor(Math.log2(bytes) / 10)) : 0;
	return Number((bytes / 1024 ** unit).toFixed(2)) + "BKMGT"[unit];
}

function chartScales(svg, width, most) {
	const end = shown().steps * shown().stepNs, ticks = byteTicks(most);
	const x = d3.scaleLinear([0, end / 1e9], [CHART.left, width - CHART.right]);
	const y = d3.scaleLinear([0, ticks[ticks.length - 1]],
		[CHART.height - CHART.bottom, CHART.top]);

	svg.append("g").attr("class", "axis")
		.attr("transform", `translate(0,${CHART.height - CHART.bottom})`)
		.call(d3.axisBottom(x).ticks(width / 90).tickFormat(s => s + " s"));
	svg.append("g").attr("class", "axis").attr("transform", `translate(${CHART.left},0)`)
		.call(d3.axisLeft(y).tickValues(ticks).tickFormat(tickText));
	svg.append("clipPath").attr("id", "plot").append("rect").attr("x", CHART.left)
		.attr("width", width - CHART.left - CHART.right).attr("height", CHART.height);
	return { x, y };
}

/* Return values of steps as [seconds at which the step begins, value]; the last one ends it. */
function stepPoints(values, nr, stepNs, beginNs = 0) {
	return Array.from({ length: nr + 1 }, (_, s) =>
		[(beginNs + s * stepNs) / 1e9, values[Math.min(s, nr - 1)]]);
}

const livePoints = (trace, list) => stepPoints(list, trace.steps, trace.stepNs);

/* The most that was live in each step of the report's own timeline: of the whole allocator. */
function mostPoints(trace) {
	const steps = trace.timeline[state.space];
	return steps.length && !state.only ? stepPoints(steps.map(step => step.most_bytes),
		steps.length, steps[0].step_ns, steps[0].begin_ns) : [];
}

const totalOf = trace => {
	const [total] = trace.livesBy("total", state.space, () => textPart("")).values();
	return total ? total.list : new Float64Array(trace.steps + 1);
};

/* Return the largest call sites and all others: text, live bytes by step, colour. */
function largest() {
	const lives = [...shown().livesBy("site", state.space, sitePart).values()];
	const top = lives.sort((p, q) => d3.max(q.list) - d3.max(p.list)).slice(0, TOP)
		.map(({ text, list }, i) => [text, list, PATTERN[i]]);
	const rest = new Float64Array(shown().steps + 1);
	for (const { list } of lives.slice(TOP))
		list.forEach((bytes, s) => rest[s] += bytes);
	return lives.length > TOP ? [...top, ["all others", rest, "var(--same)"]] : top;
}

function drawBands(svg, x, y) {
	const bands = largest(), below = new Float64Array(shown().steps + 1);
	const legend = find("#timeline .legend");

	bands.forEach(([name, list, colour], i) => {
		const points = livePoints(shown(), list).map(([t, bytes], s) =>
			[t, below[s], below[s] += bytes]);
		const widest = points.reduce((p, q) => q[2] - q[1] > p[2] - p[1] ? q : p);
		svg.append("path").attr("class", "band")
			.attr("fill", colour)
			.attr("d", d3.area().curve(d3.curveStepAfter).x(p => x(p[0])).y0(p => y(p[1])).y1(p => y(p[2]))(points));
		if (y(widest[1]) - y(widest[2]) > 9)
			svg.append("text").attr("class", "number")
				.attr("x", Math.min(x(widest[0]) + 6, x.range()[1] - 8))
				.attr("y", (y(widest[1]) + y(widest[2])) / 2 + 4).text(i + 1);
		const square = element("span", { class: "square" });
		square.style.background = colour;
		legend.append(element("li", {}, square,
			` ${name} (at most ${bytesText(d3.max(list))})`));
	});
}

function drawPhases(svg, x) {
	const phases = byAllocator(shown().data.phases)[state.space], labels = [];
	phases.forEach((phase, i) => {
		const at = x(Math.max(0, phase.begin_ns) / 1e9);
		svg.append("line").attr("class", "phase").attr("x1", at).attr("x2", at)
			.attr("y1", CHART.top).attr("y2", CHART.height - CHART.bottom);
		/* Numbers that would overprint are side by side. */
		const last = labels[labels.length - 1];
		if (last && at - last.at < 8 + 8 * last.numbers.length)
			last.numbers.push(i + 1);
		else
			labels.push({ at, numbers: [i + 1] });
	});
	for (const { at, numbers } of labels)
		svg.append("text").attr("class", "phase").attr("x", at + 2).attr("y", CHART.top - 4)
			.text(numbers.join(","));
	find("#timeline .phases").textContent = phases.map((phase, i) =>
		`${i + 1} ${shown().data.phase_titles[phase.phase]}`).join(", ");
}

/* The time of the peak is exact; the steps are not. */
function peakOf(trace) {
	const total = byAllocator(trace.data.totals)[state.space][0];
	return total && total.peak_bytes ? total : null;
}

function drawPeak(svg, x, y) {
	const peak = state.only ? null : peakOf(shown());
	if (!peak)
		return;
	const at = x(peak.peak_ns / 1e9), top = y(peak.peak_bytes);
	svg.append("path").attr("class", "peak").attr("fill", "var(--mark)")
		.attr("d", `M${at},${top} l-5,-9 h10 z`);
	svg.append("text").attr("class", "peak").attr("x", at - 8).attr("y", top - 2)
		.attr("text-anchor", at > 300 ? "end" : "start")
		.text(`peak ${bytesText(peak.peak_bytes)} at ${(peak.peak_ns / 1e9).toFixed(6)} s`);
}

let moveBrush = () => {};

/* The range in whole steps; while it is dragged, the other views follow. */
function drawBrush(svg, x) {
	const width = shown().stepNs / 1e9;
	const brush = d3.brushX()
		.extent([[x.range()[0], CHART.top], [x.range()[1], CHART.height - CHART.bottom]])
		.on("brush end", () => {
			const event = d3.event;
			if (!event.sourceEvent)
				return;
			/* A click without a drag keeps the range. */
			if (!event.selection) {
				requestAnimationFrame(moveBrush);
				return;
			}
			const [p, q] = event.selection.map(x.invert);
			const from = Math.min(shown().steps - 1, Math.max(0, Math.floor(p / width + .001)));
			setRange(from, Math.max(from, Math.min(shown().steps,
				Math.ceil(q / width - .001)) - 1), event.type === "end");
		});
	const group = svg.append("g").attr("class", "brush").call(brush);
	moveBrush = () => group.call(brush.move, state.from || state.to < shown().steps - 1 ?
		[x(state.from * width), x((state.to + 1) * width)] : null);
	moveBrush();
}

/* What the lines are; of two traces, whether their times differ. */
function drawKey() {
	const ends = traces.map(trace => trace.endNs / 1e9);
	const most = state.only ? [] : ["line: most in between"];

	find("#timeline .key").textContent = (before() ? ["area: after", "dashes: before", ...most] :
		["area: live at the end of each step", ...most]).join(", ");
	find("#timeline .lengths").textContent = d3.max(ends) > 1.1 * d3.min(ends) ?
		`The first trace has ${ends[0].toFixed(1)} s, the second one ${
			ends[1].toFixed(1)} s: a range compares the same seconds of both, the whole trace all of both.` : "";
}

/* Tell the time and the bytes under the pointer, or at the step that the arrow keys choose. */
function drawPointer(svg, x, total, most) {
	const width = shown().stepNs / 1e9, last = shown().steps - 1;
	const cursor = svg.append("line").attr("class", "cursor").attr("visibility", "hidden").attr("y1", CHART.top)
		.attr("y2", CHART.height - CHART.bottom);
	let step = state.from;

	function tell(seconds) {
		step = Math.max(0, Math.min(last, Math.floor(seconds / width)));
		const at = most.filter(p => p[0] <= seconds).pop();
		const old = before() && totalOf(before())[before().stepFrom(seconds * 1e9)];
		cursor.attr("visibility", null).attr("x1", x(seconds)).attr("x2", x(seconds));
		find("#timeline .detail").textContent = `${seconds.toFixed(6)} s, step ${step}: ${
			bytesText(total[step])} (${numberText(total[step])} bytes) at its end` +
			(at ? `, at most ${bytesText(at[1])}` : "") +
			(before() ? `; before ${bytesText(old)}` : "");
	}
	svg.attr("tabindex", 0)
		.on("mousemove", () => tell(Math.max(0, Math.min((last + 1) * width,
			x.invert(d3.mouse(svg.node())[0])))))
		.on("keydown", () => {
			const by = { ArrowLeft: -1, ArrowRight: 1 }[d3.event.key];
			if (!by)
				return;
			d3.event.preventDefault();
			tell((Math.max(0, Math.min(last, step + by)) + .5) * width);
		});
	find("#timeline .detail").textContent = "";
}

function drawTimeline() {
	const chart = find("#timeline .chart"), width = chartWidth(chart);
	const total = totalOf(shown()), most = mostPoints(shown());
	const svg = d3.select(chart).html("").append("svg").attr("width", width)
		.attr("height", CHART.height).attr("role", "img")
		.attr("aria-label", "Live memory over time");
	const highest = Math.max(d3.max(total) || 0, d3.max(most, p => p[1]) || 0,
		before() ? d3.max(totalOf(before())) || 0 : 0);
	const { x, y } = chartScales(svg, width, highest);
	const line = d3.line().curve(d3.curveStepAfter).x(p => x(p[0])).y(p => y(p[1]));

	find("#timeline .legend").replaceChildren();
	if (state.stacked)
		drawBands(svg, x, y);
	else
		svg.append("path").attr("class", "area")
			.attr("d", d3.area().curve(d3.curveStepAfter).x(p => x(p[0])).y0(y(0))
				.y1(p => y(p[1]))(livePoints(shown(), total)));
	svg.append("path").attr("class", "most").attr("clip-path", "url(#plot)")
		.attr("d", line(most));
	if (before())
		svg.append("path").attr("class", "before").attr("clip-path", "url(#plot)")
			.attr("d", line(livePoints(before(), totalOf(before()))));
	drawKey();
	drawBrush(svg, x);
	drawPhases(svg, x);
	drawPeak(svg, x, y);
	drawPointer(svg, x, total, most);
}
