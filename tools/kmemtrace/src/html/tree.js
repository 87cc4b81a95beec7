// SPDX-License-Identifier: GPL-2.0
/*
 * The measure as a tree: an icicle, which is a flame graph upside down, or a treemap.
 */
const TREE = { height: 420, row: 26 };

/* Return the part that tells call sites of a function apart. Lines and offsets differ in two builds. */
const placeParts = (row, text) => before() || text === row.site.function ? [] :
	[part(row.site.address, text)];

const functionPart = row => textPart(row.site.function);

/* Where a call site is in the tree, from the outside to the inside. */
const PATHS = {
	source: { text: "directory, file, function, line", of: row => row.site.file ?
		[...row.site.file.split("/").filter(name => name).map(textPart), functionPart(row),
			...placeParts(row, row.site.line)] :
		PATHS.module.of(row) },
	module: { text: "module, function", of: row => [textPart(row.site.module),
		functionPart(row), ...placeParts(row, row.site.site)] },
	cache: { text: "slab cache, function", of: row =>
		[row.space ? textPart("(no slab cache)") : cachePart(row), functionPart(row)] },
	size: { text: "size, function", of: row =>
		[textPart(row.size ? numberText(row.size) + " bytes" : "size unknown"), functionPart(row)] },
	calls: { text: "call path, from the outermost caller", has: "paths",
		of: row => row.calls.map(textPart) },
	callers: { text: "call path, from the call site", has: "paths",
		of: row => [...row.calls].reverse().map(textPart) },
	task: { text: "process, task, function", has: "tasks", of: row =>
		[processPart(row), taskPart(row), functionPart(row)] },
	cgroup: { text: "memory cgroup, function", has: "cgroups", of: row =>
		[cgroupPart(row), functionPart(row)] },
};

/* Return whether all traces have what a kind of path needs. */
const hasPath = by => !PATHS[by].has ||
	traces.every(trace => trace.data[PATHS[by].has]);

/* Return the parts of the path to a row. */
const pathOf = (by, row) => by === "site" ? [sitePart(row)] : PATHS[by].of(row);

/* Make the tree of the allocator: a node has the measure of its own rows. */
function makeTree() {
	const root = { text: SPACES[state.space], children: new Map(), now: 0, was: 0 };

	for (const trace of traces)
		trace.rows.forEach((row, r) => {
			const value = figures.get(trace)[state.measure][r];
			if (row.space !== state.space || value <= 0)
				return;
			let node = root;
			for (const { key, text } of pathOf(state.by, row)) {
				if (!node.children.has(key))
					node.children.set(key,
						{ key, text, children: new Map(), now: 0, was: 0 });
				node = node.children.get(key);
			}
			node[trace === shown() ? "now" : "was"] += value;
		});
	return root;
}

/* Lay out the tree. Returns nodes with their places. */
function layOut(tree, width) {
	const root = d3.hierarchy(tree, node => [...node.children.values()]);
	root.sum(node => Math.max(node.now, node.was)).sort((p, q) => q.value - p.value);
	root.eachAfter(node => {
		node.now = node.data.now + d3.sum(node.children || [], child => child.now);
		node.was = node.data.was + d3.sum(node.children || [], child => child.was);
	});
	const height = state.shape === "treemap" ? TREE.height : (root.height + 1) * TREE.row;
	if (state.shape === "treemap")
		d3.treemap().size([width, height]).paddingTop(16).paddingInner(1)(root);
	else
		d3.partition().size([width, height])(root);
	return { root, height };
}

/*
 * More is red and less is blue, the stronger the larger the change is, compared with the largest
 * one, @most. The text has a sign, for those who don't see colours.
 */
function nodeColour(node, most) {
	const change = node.now - node.was;
	if (before())
		return `color-mix(in srgb, var(${change > 0 ? "--more" : "--less"}) ${
			Math.round(100 * Math.sqrt(Math.abs(change) / (most || 1)))}%, var(--same))`;
	const name = node.ancestors().reverse()[1] || node;
	let hash = 7;
	for (const c of name.data.text)
		hash = (hash * 31 + c.charCodeAt(0)) % 997;
	return d3.hsl(hash * 360 / 997, .45, .66 + .03 * (node.depth % 3)).toString();
}

function nodeText(node, whole) {
	const share = percentText(node.now, whole.now);
	return before() ? `${node.data.text} ${node.now >= node.was ? "+" : ""}${
		measureText(node.now - node.was)}` : `${node.data.text} ${measureText(node.now)} ${share}`;
}

/* Return a function that cuts a text to a number of pixels, in bold as chosen nodes are. */
function textCutter(svg) {
	const { fontSize, fontFamily } = getComputedStyle(svg.node());
	const canvas = document.createElement("canvas").getContext("2d");

	canvas.font = `bold ${fontSize} ${fontFamily}`;
	const fits = (text, room) => canvas.measureText(text).width <= room;
	return (text, room) => {
		let low = 0, high = text.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (fits(text.slice(0, middle) + (middle < text.length ? "\u2026" : ""), room))
				low = middle;
			else
				high = middle - 1;
		}
		return low < text.length ? text.slice(0, low) + "\u2026" : text;
	};
}

const partsOf = node => node.ancestors().reverse().slice(1).map(other => other.data);

/* Return whether a node, which is on the path that was chosen, is its end. */
const isOnly = node => state.only && state.only.by === state.by &&
	node.depth === state.only.keys.length;

/* Choose a node; from the node that was chosen, go one level up. */
function chooseNode(node) {
	chooseOnly(state.by, partsOf(isOnly(node) ? node.parent : node));
	const chosen = find("#tree .chosen");
	if (chosen)
		chosen.focus({ preventScroll: true });
}

function drawTree() {
	const chart = find("#tree .chart"), width = chartWidth(chart);
	const { root, height } = layOut(makeTree(), width);
	const svg = d3.select(chart).html("").append("svg").attr("width", width)
		.attr("height", height).attr("role", "tree");

	find("#tree .path").textContent = SPACES[state.space] + ": " +
		(root.value ? measureText(root.now) + ", " : "nothing, ") +
		MEASURES[state.measure].label;
	if (!root.value)
		return;
	const nodes = root.descendants().filter(node =>
		node.value > 0 && node.x1 - node.x0 >= 2 && node.y1 - node.y0 >= 2);
	const most = d3.max(nodes, node => Math.abs(node.now - node.was));
	const groups = svg.selectAll("g").data(nodes).enter().append("g")
		.attr("class", node => isOnly(node) ? "node chosen" : "node")
		.attr("tabindex", 0).attr("role", "treeitem")
		.attr("transform", node => `translate(${node.x0},${node.y0})`)
		.on("click", chooseNode)
		.on("keydown", node => {
			if (d3.event.key === "Enter" || d3.event.key === " ") {
				d3.event.preventDefault();
				chooseNode(node);
			}
			if (d3.event.key === "Escape" || d3.event.key === "Backspace")
				chooseNode(nodes.find(isOnly) || root);
		});
	groups.append("rect").attr("width", node => node.x1 - node.x0)
		.attr("height", node => node.y1 - node.y0).attr("fill", node => nodeColour(node, most));
	groups.append("title").text(node => before() ?
		`${nodeText(node, root)}\nbefore ${numberText(node.was)}, after ${
			numberText(node.now)} bytes` :
		`${nodeText(node, root)}\n${numberText(node.now)} bytes`);
	const cut = textCutter(svg);
	groups.filter(node => node.x1 - node.x0 > 40 && node.y1 - node.y0 >= 16)
		.append("text").attr("x", 3).attr("y", 13)
		.text(node => cut(nodeText(node, root), node.x1 - node.x0 - 6));
}
