// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline: live memory at the end of each step, the most in between, phases, the peak,
 * and the range that all other views show.
 */
const CHART = { height: 260, left: 60, right: 20, top: 24, bottom: 24 };
const TOP = 10;
const PATTERN = d3.schemeTableau10;

function chartScales(svg, width, most) {
	const end = shown().steps * shown().stepNs;
	const x = d3.scaleLinear([0, end / 1e9], [CHART.left, width - CHART.right]);
	const y = d3.scaleLinear([0, most || 1], [CHART.height - CHART.bottom, CHART.top]).nice();

	svg.append("g").attr("class", "axis")
		.attr("transform", `translate(0,${CHART.height - CHART.bottom})`)
		.call(d3.axisBottom(x).ticks(width / 90).tickFormat(s => s + " s"));
	svg.append("g").attr("class", "axis").attr("transform", `translate(${CHART.left},0)`)
		.call(d3.axisLeft(y).ticks(6).tickFormat(bytesText));
	return { x, y };
}

/* Live memory at the ends of steps as [seconds, bytes]. */
function stepPoints(trace, list) {
	return Array.from({ length: trace.steps }, (_, s) =>
		[Math.min((s + 1) * trace.stepNs, trace.steps * trace.stepNs) / 1e9, list[s]]);
}

/* The most that was live in each step of the report's own timeline. */
function mostPoints(trace) {
	const line = trace.data.timeline, of = line[SPACES[state.space]];
	return of ? of.most.map((bytes, s) =>
		[Math.min((line.begin_ns + (s + .5) * line.step_ns), trace.endNs) / 1e9, bytes]) : [];
}

const totalOf = trace => trace.livesBy("total", state.space, () => "").get("") ||
	new Float64Array(trace.steps + 1);

/* Return the largest call sites and all others, as lists of live bytes by step. */
function largest() {
	const lives = [...shown().livesBy("site", state.space, siteKey)];
	lives.sort((p, q) => d3.max(q[1]) - d3.max(p[1]));
	const rest = new Float64Array(shown().steps + 1);
	for (const [, list] of lives.slice(TOP))
		list.forEach((bytes, s) => rest[s] += bytes);
	return [...lives.slice(0, TOP), ["all others", rest]];
}

function drawBands(svg, x, y) {
	const bands = largest(), below = new Float64Array(shown().steps + 1);
	const legend = find("#timeline .legend");

	bands.forEach(([name, list], i) => {
		const points = stepPoints(shown(), list).map(([t, bytes], s) =>
			[t, below[s], below[s] += bytes]);
		const widest = d3.greatest ? d3.greatest(points, p => p[2] - p[1]) :
			points.reduce((p, q) => q[2] - q[1] > p[2] - p[1] ? q : p);
		svg.append("path").attr("class", "band")
			.attr("fill", i < TOP ? PATTERN[i] : "var(--same)")
			.attr("d", d3.area().x(p => x(p[0])).y0(p => y(p[1])).y1(p => y(p[2]))(points));
		if (y(widest[1]) - y(widest[2]) > 12)
			svg.append("text").attr("class", "number")
				.attr("x", Math.min(x(widest[0]), x.range()[1] - 8))
				.attr("y", (y(widest[1]) + y(widest[2])) / 2 + 4).text(i + 1);
		const item = element("li", {}, `${name} (at most ${bytesText(d3.max(list))})`);
		item.style.color = "";
		legend.append(item);
	});
}

function drawPhases(svg, x) {
	const phases = shown().data.phases || [];
	phases.forEach((phase, i) => {
		const at = x(Math.max(0, phase.begin_ns) / 1e9);
		svg.append("line").attr("class", "phase").attr("x1", at).attr("x2", at)
			.attr("y1", CHART.top).attr("y2", CHART.height - CHART.bottom);
		svg.append("text").attr("class", "phase").attr("x", at + 2).attr("y", CHART.top - 4)
			.text(i + 1);
	});
	find("#timeline .phases").textContent = phases.map((phase, i) =>
		`${i + 1} ${shown().data.phase_titles[phase.name]}`).join(", ");
}

/* The time of the peak is exact; the steps are not. */
function peakOf(trace) {
	const peak = trace.data.peaks[SPACES[state.space]];
	return peak.bytes ? peak : null;
}

function drawPeak(svg, x, y) {
	const peak = peakOf(shown());
	if (!peak)
		return;
	const at = x(peak.time_ns / 1e9), top = y(peak.bytes);
	svg.append("path").attr("class", "peak").attr("fill", "var(--mark)")
		.attr("d", `M${at},${top} l-5,-9 h10 z`);
	svg.append("text").attr("class", "peak").attr("x", at - 8).attr("y", top - 2)
		.attr("text-anchor", at > 300 ? "end" : "start")
		.text(`peak ${bytesText(peak.bytes)} at ${(peak.time_ns / 1e9).toFixed(6)} s`);
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
			if (!event.selection) {
				setRange(0, shown().steps - 1);
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

function drawTimeline() {
	const chart = find("#timeline .chart"), width = Math.max(480, chart.clientWidth || 1000);
	const total = totalOf(shown()), most = mostPoints(shown());
	const svg = d3.select(chart).html("").append("svg").attr("width", width)
		.attr("height", CHART.height).attr("role", "img")
		.attr("aria-label", "Live memory over time");
	const highest = Math.max(d3.max(total) || 0, d3.max(most, p => p[1]) || 0,
		before() ? d3.max(totalOf(before())) || 0 : 0);
	const { x, y } = chartScales(svg, width, highest);
	const line = d3.line().x(p => x(p[0])).y(p => y(p[1]));

	find("#timeline .legend").replaceChildren();
	if (state.stacked)
		drawBands(svg, x, y);
	else
		svg.append("path").attr("class", "area")
			.attr("d", d3.area().x(p => x(p[0])).y0(y(0)).y1(p => y(p[1]))(
				stepPoints(shown(), total)));
	svg.append("path").attr("class", "most").attr("d", line(most))
		.append("title").text("most live bytes between the steps");
	if (before())
		svg.append("path").attr("class", "before")
			.attr("d", line(stepPoints(before(), totalOf(before()))))
			.append("title").text("the first trace");
	drawPhases(svg, x);
	drawPeak(svg, x, y);
	drawBrush(svg, x);
}
