#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""relations.py REPORT DUMP TRACE...: check all relations of traces.

REPORT is kmemtrace-report, DUMP is relation-dump, which asks the library. What the program prints
of a relation in text, JSON and CSV must be what the library has; texts.py says how text shows it,
and export-parquet.sh compares Parquet with CSV. Conditions, orders and limits are applied to all
rows here once more. Groups must add up to the totals.
"""

import csv
import fnmatch
import itertools
import json
import subprocess
import sys
import typing

import sums
import texts

SPACES = ("slab", "pages", "percpu", "vmalloc")
# Relations whose rows come while the trace is read: nothing sorts or limits them.
FOLLOWED = {"lives"}
# What else allocations are grouped by.
GROUPINGS = ("allocator", "site,task", "cache,size,gfp_flags", "is_older", "stack,module", "line",
             "task_name,order", "is_removed,cgroup", "file,dir", "module,cgroup", "order,migratetype,function", "request,process")
# The relations in JSON, where their names differ or the rows are chosen.
PARTS = {
    "suspects": ("suspects", "is_suspect=1"), "kept": ("suspects", "is_suspect=0,weight>=0.25"),
    "references": ("references", "held>0"),
    "peak": ("sites", "peak_bytes>0"),
    "removed_cgroups": ("cgroups", "is_removed=1,live_bytes>0", "cgroup,path"),
    "keepers": ("keepers", "is_removed=1,live_bytes>0"),
    "wasters": ("sites", "allocator=slab,wasted>0"),
    "requests": ("requests", "wasted>0"),
    "churn": ("churn", "ended_in_1ms>0"),
    "remote": ("churn", "remote_frees>0"),
    "growing_counters": ("counters", "is_growing=1"),
    "allocinfo": ("counters", "table=allocinfo,is_total=0"),
    "slabinfo": ("counters", "table=slabinfo,is_total=0"),
}
# Relations that no view of the report shows.
VIEWLESS = {"addresses", "metadata", "counter_steps", "objects", "lives", "cells", "functions",
            "modules"}


class Column(typing.NamedTuple):
    """A column of a relation."""
    kind: str
    unit: str
    error: str
    is_key: bool
    is_optional: bool
    heading: str


class Answer:
    """What the library has: columns, rows as dictionaries, and the number of all rows."""

    def __init__(self, lines):
        self.columns = {}
        for column in next(lines).split("\t"):
            name, kind, unit, error, is_key, is_optional, heading = column.split(" ", 6)
            assert name not in self.columns, name
            self.columns[name] = Column(kind, unit, None if error == "-" else error,
                                        is_key == "1", is_optional == "1", heading)
        self.nr = int(next(lines))
        self.rows = []
        for line in iter(lambda: next(lines), "\\."):
            self.rows.append({name: self.value(name, text)
                              for name, text in zip(self.columns, line.split("\t"))})

    def kind(self, name):
        """Return the type of a column."""
        return self.columns[name].kind

    def value(self, name, text):
        """Return the value that a text stands for."""
        if text == "\\N":
            return None
        return {"TEXT": str, "REAL": float, "BOOL": lambda n: n == "1"}.get(self.kind(name),
                                                                           int)(text)


class Trace:
    """A trace, and both ways to ask for its relations."""

    def __init__(self, report, dump, path):
        self.report, self.dump, self.path = report, dump, path

    def run(self, *options):
        """Return what the program prints."""
        return subprocess.run([self.report, "-q", *options, self.path], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout

    def ask(self, queries):
        """Return the answers of the library."""
        text = "".join("\t".join(str(query.get(key, "")) for key in (
            "relation", "group_by", "where", "sort", "limit", "columns")) + "\n"
            for query in queries)
        out = subprocess.run([self.dump, self.path], check=True, input=text,
                             stdout=subprocess.PIPE, encoding="utf-8").stdout
        lines = iter(out.split("\n"))
        return [Answer(lines) for _ in queries]

    def csv(self, answer, query):
        """Return the rows of a query as the program prints them."""
        options = [f"--{option}={query[key]}" for key, option in (
            ("group_by", "group-by"), ("where", "where"), ("sort", "sort"), ("limit", "number"),
            ("columns", "columns")) if key in query]
        lines = csv.reader(self.run("--csv", query["relation"], *options).splitlines())
        assert next(lines) == list(answer.columns), query
        return [{name: from_csv(answer.kind(name), text)
                 for name, text in zip(answer.columns, line)} for line in lines]


def from_csv(kind, text):
    """Return the value of a text in CSV."""
    if text == "":
        return None
    return {"TEXT": str, "REAL": float, "BOOL": lambda n: n == "true",
            "ADDRESS": lambda n: int(n, 16)}.get(kind, int)(text)


def from_json(answer, row):
    """Return a row in JSON as the library has it."""
    unknown = row.keys() - answer.columns.keys()
    assert not unknown, unknown
    kinds = {"ADDRESS": lambda text: int(text, 16), "REAL": float}
    return {name: kinds.get(answer.kind(name), lambda value: value)(row[name])
            if name in row else None for name in answer.columns}


# ---- what a query must answer ----

def allocator_of(row):
    """Return the number of the allocator, which orders rows."""
    return SPACES.index(row["allocator"]) if row.get("allocator") else 0


def ordered(answer, name):
    """Return the rows by a column, the rest last; those that are equal stay in their order."""
    def key(row):
        value = row[name]
        place = allocator_of(row), texts.is_rest(answer, row)
        if value is None:
            return *place, 1, b""
        if answer.kind(name) == "TEXT":
            return *place, 0, value.encode()
        return *place, 0, -value
    return sorted(answer.rows, key=key)


def limited(answer, rows, limit):
    """Return the first rows of each allocator, and the rest."""
    kept, nr = [], {}
    for row in rows:
        key, is_rest = allocator_of(row), texts.is_rest(answer, row)
        nr[key] = nr.get(key, 0) + (not is_rest)
        if nr[key] <= limit or is_rest:
            kept.append(row)
    return kept


def meets(row, name, oper, value):
    """Return whether a row meets a condition."""
    found = row[name]
    if found is None:
        return oper == "!="
    return {"=": lambda: found == value, "!=": lambda: found != value,
            "<": lambda: found < value, "<=": lambda: found <= value,
            ">": lambda: found > value, ">=": lambda: found >= value,
            "~": lambda: fnmatch.fnmatchcase(found, value)}[oper]()


def conditions(answer):
    """Yield conditions that some rows meet: column, operator, value."""
    for name in answer.columns:
        values = [row[name] for row in answer.rows if row[name] is not None]
        if not values:
            continue
        value = values[len(values) // 2]
        kind = answer.kind(name)
        if kind == "REAL":
            # Six digits don't say which of two values is larger.
            yield name, ">", 0
        elif kind != "TEXT":
            for oper in "=", "!=", "<", "<=", ">", ">=":
                yield name, oper, value
        elif not any(c in value for c in "*?[\\,\n"):
            for oper, text in ("=", value), ("!=", value), ("~", value[:3] + "*"):
                yield name, oper, text


def as_text(answer, name, value):
    """Return a value as it stands in a condition."""
    return hex(value) if answer.kind(name) == "ADDRESS" else int(value) \
        if isinstance(value, bool) else value


def selections(answer, query):
    """Yield queries of some rows of @query, and the rows that they must have."""
    for name, oper, value in conditions(answer):
        yield {**query, "where": f"{name}{oper}{as_text(answer, name, value)}"}, \
            [row for row in answer.rows if meets(row, name, oper, value)]
    for name in answer.columns:
        if query["relation"] not in FOLLOWED and answer.kind(name) != "REAL":
            yield {**query, "sort": name}, ordered(answer, name)
    if query["relation"] not in FOLLOWED:
        yield {**query, "limit": 2}, limited(answer, answer.rows, 2)
    names = list(answer.columns)[::-2]
    yield {**query, "columns": ",".join(names)}, \
        [{name: row[name] for name in names} for row in answer.rows]


def all_at_once(answer, query):
    """Return a query with all members, and the rows that it must have."""
    numbers = [name for name in answer.columns if answer.kind(name) in ("NUMBER", "SIGNED")]
    name = (numbers or list(answer.columns))[-1]
    names = list(dict.fromkeys([name, next(iter(answer.columns))]))
    rows = [row for row in ordered(answer, name)
            if not numbers or meets(row, name, ">=", 1)]
    return {**query, **({"where": f"{name}>=1"} if numbers else {}), "sort": name, "limit": 3,
            "columns": ",".join(names)}, \
        [{name: row[name] for name in names} for row in limited(answer, rows, 3)]


# ---- checks ----

def check_same(what, found, wanted):
    """Check that rows are the same."""
    for is_row, want in itertools.zip_longest(found, wanted):
        assert is_row == want, f"{what}: {is_row}, expected {want}"


def check_columns(answer, query, is_sample):
    """Check the keys, which columns may lack a value, and the standard errors."""
    keys = [name for name, column in answer.columns.items() if column.is_key]
    found = [tuple(row[key] for key in keys) for row in answer.rows]
    assert not keys or len(set(found)) == len(found), (query, keys, found)
    for name, column in answer.columns.items():
        assert column.is_optional or all(row[name] is not None for row in answer.rows), \
            (query, name)
        if column.error:
            assert (column.error in answer.columns) == is_sample, (query, column.error)
    assert is_sample or not any(name.endswith("_error") for name in answer.columns), query


def check_queries(trace, answers, queries):
    """Check what is chosen of the rows, by the library and by the program."""
    wanted = [(query, rows) for answer, query in zip(answers, queries)
              for query, rows in selections(answer, query)]
    for (query, rows), answer in zip(wanted, trace.ask([query for query, _ in wanted])):
        check_same(query, answer.rows, rows)
        assert "limit" in query or answer.nr == len(rows), (query, answer.nr)
    for answer, query in zip(answers, queries):
        if query["relation"] in FOLLOWED:
            continue
        query, rows = all_at_once(answer, query)
        check_same(query, trace.csv(trace.ask([query])[0], query), none_if_empty(rows))


def none_if_empty(rows):
    """Return rows as CSV has them: empty texts are nothing."""
    return [{name: None if value == "" else value for name, value in row.items()}
            for row in rows]


def check_csv(trace, answers, queries):
    """Check that the program prints what the library has."""
    for answer, query in zip(answers, queries):
        check_same(query, trace.csv(answer, query), none_if_empty(answer.rows))


def check_json(trace, names):
    """Check the parts of the report, and return them."""
    report = json.loads(trace.run("--json", "--show", "all", "-n", "1000000"))
    parts = {part: PARTS.get(part, (part,)) for part in report if part != "schema_version"}
    unknown = {name for name, *_ in parts.values()} - names
    assert not unknown, f"no relations, add what they show to PARTS: {unknown}"
    answers = trace.ask([dict(zip(("relation", "where", "group_by"), query))
                         for query in parts.values()])
    for part, answer in zip(parts, answers):
        rows = report[part]
        if not isinstance(rows, list):
            rows = [rows] if rows else []
        found = [from_json(answer, row) for row in rows]
        check_same(part, sorted(found, key=str), sorted(answer.rows, key=str))
    missing = names - {name for name, *_ in parts.values()}
    changed = missing ^ VIEWLESS
    assert not changed, f"relations that have a view and are in VIEWLESS, or neither: {changed}"
    return report


def check_text(trace, row):
    """Check the tables in text. Return which tables have rows."""
    tables = list(texts.tables(trace.ask(texts.queries(row)), row))
    differences = list(texts.differences(trace.run("--show", "all", "-n", "1000000"), tables))
    assert not differences, "\n".join(differences)
    return {table.title for table, *_ in tables}


def check(trace):
    """Check a trace. Return which tables its text has."""
    names = [line.split()[0] for line in trace.run("--csv", "list").splitlines()]
    queries = [{"relation": name} for name in names] + \
        [{"relation": "sites", "group_by": group} for group in GROUPINGS]
    answers = trace.ask(queries)
    relations = {name: answer.rows for name, answer in zip(names, answers)}
    is_sample = relations["trace"][0]["sample"] > 1
    for answer, query in zip(answers, queries):
        check_columns(answer, query, is_sample)
    check_csv(trace, answers, queries)
    in_text = check_text(trace, relations["trace"][0])
    check_queries(trace, answers, queries)
    for report in relations, check_json(trace, set(names)):
        problems = list(sums.problems(report))
        assert not problems, problems
    for answer, query in zip(answers, queries):
        if "group_by" in query:
            problems = list(sums.problems({**relations, "sites": answer.rows}))
            assert not problems, (query, problems)
    return in_text


def main():
    """Check all traces."""
    report, dump, *paths = sys.argv[1:]
    status, in_text = 0, set()
    for path in paths:
        try:
            in_text |= check(Trace(report, dump, path))
        except AssertionError as error:
            print(f"{path}: {error}"[:4000])
            status = 1
    missing = {table.title for table in texts.TABLES + texts.LAYOUTS} - in_text
    if missing and not status:
        sys.exit(f"no trace has these tables: {missing}")
    sys.exit(status)


if __name__ == "__main__":
    main()
