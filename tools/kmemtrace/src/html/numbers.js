// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people, in the forms of the text report.
 */
function bytesText(n) {
	const sign = n < 0 ? "-" : "";
	let value = Math.abs(n), unit = 0;
	while (value >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	return sign + (unit && value < 10 ? value.toFixed(1) : Math.round(value)) +
		"BKMGT"[unit];
}

function numberText(n) {
	return Math.round(n).toLocaleString("en-US");
}

function secondsText(ns) {
	return (ns / 1e9).toFixed(9);
}

/* Return a duration in its largest unit. */
function durationText(ns) {
	const unit = ["ns", "us", "ms", "s"].find((_, i) => i === 3 || ns < 1000 ** (i + 1));
	const value = ns / { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit];
	return (unit !== "ns" && value < 10 ? value.toFixed(1) : Math.floor(value)) + unit;
}

/* Return a word as a shell reads it. */
function quoteWord(word) {
	return /^[\w.,:/@%+=-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function percentText(part, whole) {
	return whole ? (100 * part / whole).toFixed(1) + "%" : "-";
}
