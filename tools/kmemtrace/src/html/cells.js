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

/* Return the rows of each allocator, in the order of SPACES. */
const byAllocator = rows => SPACES.map(name => rows.filter(row => row.allocator === name));

/* Return an address that who.c wrote, as a row of the library. */
function addressOf([address, symbol, offset, rest, functionName, module, file, line], names) {
	return {
		address, site: names[symbol] + names[offset] + names[rest],
		function: names[functionName], module: names[module], file: names[file], line,
	};
}

/* Return a call site of a row of the library, whose columns begin with @prefix. */
function siteOf(row, prefix = "") {
	const site = { place: "" };
	for (const name of ["site", "address", "function", "module", "file", "line"])
		site[name] = row[prefix + name];
	if (site.file) {
		site.place = site.file + ":" + site.line;
		site.line = site.file.replace(/.*\//, "") + ":" + site.line;
	}
	return site;
}

/* Return a call site as the text report shows it. */
const siteText = site => site.place ? site.site + " " + site.place : site.site || "";

/*
 * Return the functions of a call path, the outermost caller first. Without a call path, the call
 * site is the only frame.
 */
function callsOf(trace, path, site) {
	const frames = trace.data.paths ? trace.data.paths[path] : [];
	const calls = frames.filter(i => i >= 0).map(i => trace.sites[i].function);

	if (!calls.length)
		calls.push(site.function);
	if (frames.includes(-1))
		calls.push(frames.length > 1 ? "(more callers)" : "(unknown callers)");
	return calls.reverse();
}

/* A trace; @data is what data.c wrote. */
class Trace {
	constructor(data) {
		this.data = data;
		this.about = data.trace;
		this.sites = data.sites.map(site => siteOf(addressOf(site, data.names)));
		this.stepNs = data.cells.step_ns;
		this.steps = data.cells.nr_steps;
		this.endNs = data.trace.last_ns;
		this.timeline = byAllocator(data.timeline);
		this.rows = [];
		SPACES.forEach((name, space) => {
			for (const [place, cache, size, older, peak] of data.rows[name])
				this.rows.push(this.makeRow({ space, cache, size, older, peak }, place));
		});
		this.choose(() => true);
	}

	/* Complete a row: what a place consists of has a number, which identifies it. */
	makeRow(row, place) {
		const [site, path, task, cgroup] = this.data.places[place], { tasks, cgroups } = this.data;
		return Object.assign(row, {
			trace: this, site: this.sites[site],
			calls: callsOf(this, path, this.sites[site]),
			task: tasks && { number: task, ...tasks[task] },
			cgroup: cgroups && { number: cgroup, ...cgroups[cgroup] },
			unit: row.space === PAGES ? this.about.page_size : row.size,
		});
	}

	/* Figures are of those rows alone for which a function returns true. */
	choose(isChosen) {
		this.isChosen = this.rows.map(isChosen);
		this.chosenSites = new Set(this.rows.filter((_, r) => this.isChosen[r])
			.map(row => row.site.address));
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
	cacheText(number) {
		const cache = this.data.caches[number];
		return !number ? "(none: large kmalloc)" : cache ? cache.cache : "(unknown)";
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
				sums.live_bytes[r] += bytes;
				sums.live[r] += this.count[i];
			}
			if (ended >= a && ended <= b)
				sums.freed_bytes[r] += bytes;
			if (born < a || row.older)
				continue;
			if (ended > b) {
				sums.kept_bytes[r] += bytes;
				sums.kept[r] += this.count[i];
			} else {
				sums.churned_bytes[r] += bytes;
				sums.frees[r] += this.calls[i];
			}
			if (ended === NEVER) {
				sums.allocs[r] += this.calls[i];
				sums.bytes[r] += this.calls[i] * row.size;
			}
			sums.wasted[r] += this.waste[i];
		}
		this.rows.forEach((row, r) => {
			sums.peak_bytes[r] = this.isChosen[r] ? row.peak : 0;
			sums.own_bytes[r] = sums.bytes[r] - sums.kept_bytes[r] - sums.churned_bytes[r];
		});
		return sums;
	}

	/*
	 * Return the live bytes at the end of each step, and the text, by key of the part of a
	 * row; cached by @name.
	 */
	livesBy(name, space, partOf) {
		const cached = name + space, lives = this.lives.get(cached) || new Map();
		if (this.lives.has(cached))
			return lives;
		this.lives.set(cached, lives);
		const of = this.rows.map((row, r) => {
			if (row.space !== space || !this.isChosen[r])
				return null;
			const { key, text } = partOf(row);
			if (!lives.has(key))
				lives.set(key, { text, list: new Float64Array(this.steps + 1) });
			return lives.get(key).list;
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
		for (const { list } of lives.values())
			for (let s = 1; s < list.length; s++)
				list[s] += list[s - 1];
		return lives;
	}
}

/* Add up the figures of the rows of an allocator by part. Returns a map of sums by key. */
function addUp(trace, figures, space, partOf) {
	const sums = new Map();
	trace.rows.forEach((row, r) => {
		if (row.space !== space)
			return;
		const { key, text, isRest = false } = partOf(row);
		let sum = sums.get(key);
		if (sum) {
			sum.isRest = sum.isRest && isRest;
		} else {
			sum = { key, text, row, isRest };
			for (const name in FIGURES)
				sum[name] = 0;
			sums.set(key, sum);
		}
		for (const name in FIGURES)
			sum[name] += figures[name][r];
	});
	return sums;
}
