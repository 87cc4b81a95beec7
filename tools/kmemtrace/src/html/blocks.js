// SPDX-License-Identifier: GPL-2.0
/*
 * Pages: blocks by order and migrate type, and the map of pageblocks.
 */
const MOBILITIES = ["unmovable", "movable", "reclaimable", "unknown"];

function drawOrders() {
	const trace = shown(), page = trace.about.page_size, orders = new Map();
	for (const sum of sumsBy(PAGES, row => textPart(row.size + "," + row.cache))) {
		const [size, mobility] = sum.key.split(",").map(Number);
		const order = size ? Math.log2(size / page) : "unknown";
		const row = orders.get(order) || { order, of: [0, 0, 0, 0] };
		row.of[mobility] += sum[state.measure];
		orders.set(order, row);
	}
	drawTable("#orders .table", [
		{ name: "order", of: row => row.order, text: numberText, isName: true },
		...MOBILITIES.map((name, i) => ({ name, of: row => row.of[i], text: measureText })),
		{ name: "all", of: row => d3.sum(row.of), text: measureText },
		{ name: "block of", of: row => row.order === "unknown" ? "" :
			bytesText(page * 2 ** row.order) }], [...orders.values()]);
}

const MAP = { size: 14 };

function describeBlock(block, bytes, page) {
	const [at, live, pinned, ...owners] = block, names = [];
	for (let i = 0; i < owners.length; i += 2) {
		const row = shown().rows[owners[i]];
		names.push(`${siteText(row.site)} ${numberText(owners[i + 1])} (${
			MOBILITIES[row.cache]})`);
	}
	return `0x${(BigInt(at) * BigInt(bytes)).toString(16)}: ${numberText(live)} of ${
		numberText(bytes / page)} pages live, ${numberText(pinned)} unmovable: ${
		names.join(", ")}`;
}

/*
 * Each square is a pageblock with live pages: the fuller the darker. A dot marks those with
 * unmovable pages, so no colour is needed.
 */
function drawMap() {
	const { bytes, list } = shown().data.blocks, page = shown().about.page_size;
	const chart = find("#blocks .chart"), width = chartWidth(chart);
	const across = Math.floor(width / MAP.size);
	const svg = d3.select(chart).html("").append("svg").attr("width", width)
		.attr("height", Math.ceil(list.length / across) * MAP.size);
	const tell = block => find("#blocks .detail").textContent =
		describeBlock(block, bytes, page);
	const place = (block, i) => `translate(${i % across * MAP.size},${
		Math.floor(i / across) * MAP.size})`;

	const pinned = list.filter(block => block[2]).length;
	find("#blocks .hint").textContent = `${numberText(list.length)} blocks of ${
		bytesText(bytes)} have live pages, by address; ${numberText(pinned)} have unmovable pages (dot). Darker: fuller.`;
	const groups = svg.selectAll("g").data(list).enter().append("g").attr("transform", place);
	groups.append("rect").attr("class", "block").attr("width", MAP.size - 1)
		.attr("height", MAP.size - 1).attr("fill", "var(--fill)")
		.attr("fill-opacity", block => .15 + .85 * Math.min(1, block[1] * page / bytes))
		.on("mouseover", tell).on("click", tell);
	groups.filter(block => block[2]).append("circle").attr("r", 2.5)
		.attr("cx", MAP.size / 2 - .5).attr("cy", MAP.size / 2 - .5)
		.attr("fill", "var(--front)").attr("pointer-events", "none");
}

/* Who pins the most pageblocks: the first owner of each. */
function drawPinners() {
	const owners = new Map();
	for (const [, , pinned, row, pages] of shown().data.blocks.list) {
		if (!pinned || !shown().isChosen[row])
			continue;
		const { site } = shown().rows[row];
		const sum = owners.get(site) || { site, blocks: 0, pages: 0 };
		sum.blocks++;
		sum.pages += pages;
		owners.set(site, sum);
	}
	drawTable("#blocks .table", [
		{ name: "call site that pins them", of: sum => siteText(sum.site), isName: true },
		{ name: "blocks", of: sum => sum.blocks, text: numberText,
		  help: "Pageblocks whose unmovable pages are mostly of this call site" },
		{ name: "pages", of: sum => sum.pages, text: numberText }], [...owners.values()]);
}

function drawBlocks() {
	drawMap();
	drawPinners();
}
