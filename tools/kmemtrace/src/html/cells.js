// SPDX-License-Identifier: GPL-2.0
/*
 * The cells of a trace, and the sums over them: every figure of a range of steps is one pass.
 */
const SPACES = ["slab", "pages", "percpu", "vmalloc"];
const PAGES = 1;
const NEVER = 255;

/* Unpack what columns.c packed. */
async function unpack(text) {
	const packed = atob(text), bytes = new Uint8Array(packed.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = packed.charCodeAt(i);
	const stream = new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Return functions that read columns of numbers, one after another. */
function reader(bytes) {
	let at = 0;

	function number() {
		let value = 0, scale = 1, byte;
		do {
			byte = bytes[at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return value;
	}
	function signed() {
		const value = number();
		return value % 2 ? -(value + 1) / 2 : value / 2;
	}
	return { number, signed };
}

/* Names are ASCII as in the text report: other characters could change how a line looks. */
function printable(text) {
	return text.replace(/[^ -~]/g, "?");
}

function siteNames(site) {
	const names = {};
	if (site.note) {
		names.function = names.site = "(" + site.note + ")";
		names.module = names.function;
		return names;
	}
	const module = site.module ? " [" + site.module + "]" : "";
	names.module = site.module ? "[" + site.module + "]" : "kernel";
	names.function = (site.symbol || (site.module ? "" : site.address)) + module;
	names.site = site.symbol ? site.symbol + "+0x" + site.offset.toString(16) + module :
		site.address + module;
	names.file = site.file;
	if (site.file) {
		names.line = site.file.replace(/.*\//, "") + ":" + site.line;
		names.place = site.file + ":" + site.line;
	}
	for (const key in names)
		if (names[key])
			names[key] = printable(names[key]);
	return names;
}

/* Return a call site as the text report shows it. */
const siteText = site => site.place ? site.site + " " + site.place : site.site;

/*
 * Return who has the memory of a row, by the number of its place: the names of the frames of its
 * call path, the outermost caller first; its task, process and cgroup. Without a call path, the
 * call site is the only frame.
 */
function whoOf(who, place, site) {
	const [path, task, cgroup] = who.places[place], names = {};
	const frames = who.paths ? who.paths[path] : [];

	names.calls = frames.filter(i => i >= 0).map(i => who.frames[i].function);
	if (!names.calls.length)
		names.calls.push(site.function);
	if (frames.includes(-1))
		names.calls.push(frames.length > 1 ? "(more callers)" : "(unknown callers)");
	names.calls.reverse();
	if (who.tasks)
		Object.assign(names, { task: printable(who.tasks[task].name),
			process: printable(who.tasks[task].process), pids: who.tasks[task] });
	if (who.cgroups) {
		const { number, path: text, removed } = who.cgroups[cgroup];
		names.cgroup = number ? printable(text || `(cgroup ${number})`) : "(none)";
		names.cgroupTitle = names.cgroup + (removed ? " (removed)" : "");
	}
	return names;
}

/* A trace; @data is what data.c wrote. */
class Trace {
	constructor(data) {
		this.data = data;
		this.about = data.trace;
		this.sites = data.sites.map(siteNames);
		this.caches = data.slab_caches.map((cache, i) => i ?
			printable(cache.name || "(no name)") : "(none: large kmalloc)");
		this.stepNs = data.cells.step_ns;
		this.steps = data.cells.nr_steps;
		this.endNs = data.trace.last_ns;
		this.who = data.who || null;
		if (this.who && this.who.frames)
			this.who.frames = this.who.frames.map(siteNames);
		this.rows = [];
		SPACES.forEach((name, space) => {
			for (const [site, cache, size, older, peak, place] of data.rows[name])
				this.rows.push({
					trace: this,
					space, cache, size, older, peak, site: this.sites[site],
					who: this.who && whoOf(this.who, place, this.sites[site]),
					unit: space === PAGES ? this.about.page_size : size,
				});
		});
		this.choose(() => true);
	}

	/* Figures are of those rows alone for which a function returns true. */
	choose(isChosen) {
		this.isChosen = this.rows.map(isChosen);
		this.chosenSites = new Set(this.rows.filter((_, r) => this.isChosen[r])
			.map(row => siteText(row.site)));
		this.lives = new Map();
	}

	async load() {
		const nr = this.data.cells.nr;
		const read = reader(await unpack(this.data.cells.columns));
		const column = (type, next) => {
			const list = new type(nr);
			for (let i = 0; i < nr; i++)
				list[i] = next();
			return list;
		};
		this.nr = nr;
		this.row = column(Int32Array, read.signed);
		for (let i = 1; i < nr; i++)
			this.row[i] += this.row[i - 1];
		this.born = column(Uint8Array, read.number);
		this.ended = column(Uint8Array, read.number);
		this.count = column(Float64Array, read.signed);
		this.waste = column(Float64Array, read.signed);
		this.calls = column(Float64Array, read.signed);
		for (let i = 0; i < nr; i++)
			this.calls[i] += this.count[i];
		this.data.cells.columns = null;
		return this;
	}

	/* A trace of ABI version 1 has no caches. */
	cacheOf(row) {
		return this.caches[row.cache] || "(unknown)";
	}

	/* Return the last step that begins before a time. */
	stepAt(ns) {
		return Math.max(0, Math.min(this.steps - 1, Math.ceil(ns / this.stepNs) - 1));
	}

	/* Return the first step that has a time. */
	stepFrom(ns) {
		return Math.min(this.steps - 1, Math.floor(ns / this.stepNs));
	}

	/* Return the figures of each row for the steps from @a to @b, as arrays by row. */
	figures(a, b) {
		const sums = {};
		for (const name in FIGURES)
			sums[name] = new Float64Array(this.rows.length);
		for (let i = 0; i < this.nr; i++) {
			const r = this.row[i], row = this.rows[r];
			const born = this.born[i], ended = this.ended[i];
			const bytes = this.count[i] * row.unit;
			if (born > b || !this.isChosen[r])
				continue;
			if (ended > b) {
				sums.live[r] += bytes;
				sums.objects[r] += this.count[i];
			}
			if (ended >= a && ended <= b)
				sums.freed[r] += bytes;
			if (born < a || row.older)
				continue;
			if (ended > b) {
				sums.kept[r] += bytes;
				sums.objectsKept[r] += this.count[i];
			} else {
				sums.churned[r] += bytes;
				sums.frees[r] += this.calls[i];
			}
			if (ended === NEVER) {
				sums.allocations[r] += this.calls[i];
				sums.allocated[r] += this.calls[i] * row.size;
			}
			sums.wasted[r] += this.waste[i];
		}
		this.rows.forEach((row, r) => {
			sums.peak[r] = this.isChosen[r] ? row.peak : 0;
			sums.buffers[r] = sums.allocated[r] - sums.kept[r] - sums.churned[r];
		});
		return sums;
	}

	/* Return the live bytes at the end of each step, by key of the row; cached by @name. */
	livesBy(name, space, keyOf) {
		const cached = name + space, lives = this.lives.get(cached) || new Map();
		if (this.lives.has(cached))
			return lives;
		this.lives.set(cached, lives);
		const of = this.rows.map((row, r) => {
			if (row.space !== space || !this.isChosen[r])
				return null;
			const key = keyOf(row);
			if (!lives.has(key))
				lives.set(key, new Float64Array(this.steps + 1));
			return lives.get(key);
		});
		for (let i = 0; i < this.nr; i++) {
			const list = of[this.row[i]];
			if (!list)
				continue;
			const bytes = this.count[i] * this.rows[this.row[i]].unit;
			list[this.born[i]] += bytes;
			if (this.ended[i] !== NEVER)
				list[this.ended[i]] -= bytes;
		}
		for (const list of lives.values())
			for (let s = 1; s < list.length; s++)
				list[s] += list[s - 1];
		return lives;
	}
}

/* Add up the figures of the rows of an allocator by key. Returns a map of sums by key. */
function addUp(trace, figures, space, keyOf) {
	const sums = new Map();
	trace.rows.forEach((row, r) => {
		if (row.space !== space)
			return;
		const key = keyOf(row);
		let sum = sums.get(key);
		if (!sum) {
			sum = { key, row };
			for (const name in FIGURES)
				sum[name] = 0;
			sums.set(key, sum);
		}
		for (const name in FIGURES)
			sum[name] += figures[name][r];
	});
	return sums;
}
