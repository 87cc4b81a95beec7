# SPDX-License-Identifier: GPL-2.0
"""texts.py: the text of a report, made of relations.

TABLES has all tables that kmemtrace-report prints, with the query that answers their rows.
differences() makes the lines of each table once more, and yields where the program prints others.
Only what PICTURES names is not compared.
"""

import collections
import itertools
import re
import textwrap
import typing

# What precedes the lists of an allocator, what its live memory is counted in, and a note.
ALLOCATORS = {"slab": ("Slab", "objects", ""), "pages": ("Pages", "pages", ""),
              "percpu": ("Percpu", "objects", "lie in pages"),
              "vmalloc": ("Vmalloc", "areas", "lie in pages")}
# Titles of pictures, which no relation has as rows, and what they are.
PICTURES = {
    r"Baseline: ": "sentences",
    r"Timeline: ": "a chart",
    r"Counters( of the kernel.*|: .*)": "a chart, or few rows of each table of counters",
    r"\w+: \d+ of \d+ call paths": "a tree",
    r"[\w ]+: none": "nothing in it",
    r"[\w ]+: 0 of ": "nothing in it",
}
# Lines of the head of a report that are sentences.
SENTENCES = r"(kernel|source|recorded|command|newest|events|errors|sample|with|counters|clock|symbols) "
LOSSES = r"( \([\d,]+ events? lost\))?"


def number(value):
    """Return a number as text has it."""
    return f"{value:,}"


def scaled(value, step, units):
    """Return a number in the unit that fits; each is @step of the one before."""
    unit = 0
    while value >= 999.5 and unit + 1 < len(units):
        value, unit = value / step, unit + 1
    return f"{value:.{int(unit and value < 9.95)}f}{units[unit]}"


def size(value):
    """Return bytes as text has them."""
    return scaled(value, 1024, "BKMGTPE")


def duration(value):
    """Return nanoseconds as text has them."""
    return scaled(value, 1000, ("ns", "us", "ms", "s"))


def percent(part, whole):
    """Return a part of a whole as text has it."""
    return f"{100 * part / whole if whole else 0:.1f}%"


def change(value):
    """Return a change of bytes as text has it."""
    return ("+" if value > 0 else "-" if value < 0 else "") + size(abs(value))


def deviation(value, error):
    """Return a standard error as text has it."""
    part = min(100 * error / value if value else 0, 100)
    return f" ±{part:.{int(part < 0.95)}f}%" if error else ""


UNITS = {"BYTES": size, "NS": duration, "TIME": lambda value: f"{value / 1e9:.9f}",
         "CLOCK": lambda value: f"{value / 1e9:.9f}", "NO_UNIT": str,
         "RATIO": lambda value: f"{100 * value:.1f}%"}
TYPES = {"TEXT": str, "ADDRESS": lambda value: f"{value:#x}" if value else "0",
         "BOOL": lambda value: "yes" if value else "no"}


# What stands for memory that was live when tracing began: it has no call site and no task.
REST = ("(before tracing began)", "(before the first event)", "(unknown)")
# What the only key of such memory may be, and columns that go with a key.
REST_KEYS = ("site", "line", "function", "path", "stack", "module", "file", "dir", "task",
             "process", "task_name")
BESIDE_KEYS = ("allocator", "address", "depth", "task_id", "process_id")


def is_rest(answer, row):
    """Return whether a row is below the list: of its memory, all that is known is that it is old."""
    keys = [name for name, column in answer.columns.items()
            if column.is_key and name not in BESIDE_KEYS]
    return row.get("allocs") == 0 and any(row[name] in REST for name in keys) and \
        all(name in REST_KEYS and row[name] in (*REST, None) for name in keys)


def shown(answer, row, name):
    """Return a value as text has it."""
    column = answer.columns[name]
    if row[name] is None:
        return "-"
    if isinstance(row[name], float) and column.unit == "COUNT":
        return f"{row[name]:.6g}"
    return (TYPES.get(column.kind) or UNITS.get(column.unit) or number)(row[name])


# ---- columns that no relation has ----

STEPS = {"<1us": "ended_in_1us", "<10us": "ended_in_10us", "<100us": "ended_in_100us",
         "<1ms": "ended_in_1ms", "<10ms": "ended_in_10ms", "<100ms": "ended_in_100ms",
         "<1s": "ended_in_1s", "more": "ended"}


def ended_in_step(column, before):
    """Return a function: the part of the lives that ended in a step."""
    def part(row, _):
        nr = row[column] - (row[before] if before else 0)
        return percent(nr, row["ended"]) if nr else "-"
    return part


# By name: a function of a row, and of the totals of its allocator.
DERIVED = {
    "births": lambda row, _: "at once" if row["is_at_once"] else
              "-" if row["kept_per_second"] is None else f"{row['kept_per_second']:.6g}",
    "unit": lambda row, _: ALLOCATORS[row["allocator"]][1],
    "all_allocs": lambda _, total: number(total["allocs"]),
    **{step: ended_in_step(column, before)
       for (step, column), before in zip(STEPS.items(), (None, *STEPS.values()))},
}


# ---- what follows the columns ----

def source_line(row, prefix):
    """Return the line of a call site, and what is inlined there; "": it is unknown."""
    if row[prefix + "file"] is None:
        return ""
    inlined = row.get(prefix + "inlined")
    return f" {row[prefix + 'file']}:{row[prefix + 'line']}" + (f" in {inlined}" if inlined else "")


def place(answer, row, prefix=""):
    """Return where memory was allocated; "": no column of a place is a key."""
    for name in "site", "function", "file", "module", "dir":
        column = answer.columns.get(prefix + name)
        if not column or not column.is_key:
            continue
        text = row[prefix + name] or ""
        line = answer.columns.get(prefix + "line")
        if line and (name == "site" or (name == "function" and line.is_key)):
            text += source_line(row, prefix)
        return text
    return ""


def places(answer, row):
    """Return where memory was allocated and freed."""
    return f"{place(answer, row)}, then {place(answer, row, 'freed_')}"


def task(_, row):
    """Return a task, and its process if it is another one."""
    return row["task"] + (f" of {row['process']}"
                          if None not in (row["pid"], row["tgid"]) and row["pid"] != row["tgid"]
                          else "") + (" (exited)" if row.get("has_exited") else "")


def cgroup(_, row):
    """Return a memory cgroup."""
    return row["cgroup"] + (" (removed)" if row["is_removed"] else "")


def flags(_, row):
    """Return gfp flags, with their names."""
    if row["gfp_flags"] is None:
        return "unknown"
    names = row["gfp_names"]
    return f"{row['gfp_flags']:#x} {'' if names.startswith('0') else names}"


def cache(_, row):
    """Return a slab cache."""
    return (row["cache"] if row["cache_id"] else "none: large kmalloc()") + \
        (f" (also {row['merged']})" if row["merged"] is not None else "") + \
        (", destroyed" if row["destroyed_ns"] is not None else "")


# Lines of text below a row are no longer.
WIDTH = 80


def lines_below(indent, text):
    """Return a text in lines of its own, without a part of a word."""
    return "\n" + "\n".join(textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4),
        break_long_words=False, break_on_hyphens=False))


def calls(path):
    """Return the calls of a path, one in a line."""
    return "".join(lines_below(6, call) for call in path.split(" <- "))


def suspect(answer, row):
    """Return a suspect: what became of the others that were allocated there, and the place."""
    others = "all within " + duration(row["newest_ns"] - row["first_ns"]) + ", " \
        if row["is_at_once"] else ""
    if row["freed_site"] is not None:
        others += f"{row['freed_there']:,} of {row['freed']:,} freed by " + \
            row["freed_site"] + source_line(row, "freed_")
    else:
        others += "none was freed" + ("" if not row["is_suspect"] else ": it grows all the time"
                                      if row["spread"] >= 0.5 else ": it leaks, or grows")
    if row["live_wasted"] >= row["live_bytes"] / 4:
        others += f"; {percent(row['live_wasted'], row['live_bytes'])} of it is waste"
    if row.get("exited_bytes"):
        others += f"; {percent(row['exited_bytes'], row['live_bytes'])} is of tasks that have exited"
    if row.get("below") is not None:
        parts = lines_below(4, f"{row['paths']:,} call paths, all below {row['below']}, "
                               f"allocate parts of the same objects: {row['sites']}")
    else:
        parts = ""
    return lines_below(4, others) + parts + \
        (calls(row["path"]) if "path" in row else lines_below(6, place(answer, row)))


def ram_note(_, row):
    """Return why the rest has a part, or that it grows."""
    if row["missing"] is not None:
        return f"no {row['missing']} in /proc/meminfo: in the rest"
    if row["part"] == "MemTotal" and row["fullest_bytes"] is None:
        return "fullest: kmemtraced --counters reads it all the time"
    return "" if row["per_hour"] is None else \
        f"a suspect: it grew all the time, an hour by {size(row['per_hour'])}"


def holder(_, row):
    """Return the call path that holds references, or the call site."""
    return calls(row["path"] or row["site"])


def counter(_, row):
    """Return a counter, its module and its place."""
    return row["name"] + \
        (f" [{row['module']}]" if row["module"] is not None else "") + \
        (f" {row['place']}" if row["place"] is not None else "") + \
        (" (cache)" if row["object_size"] is not None else "")


def requests(_, rows):
    """Yield the line of sizes that is below a call site."""
    def words(row):
        low, high = row["size_from"], row["size_to"]
        return ("unknown" if not high else number(high) if low == high else
                f"{low:,}-{high:,}") + f": {row['allocs']:,}"
    yield "; ".join([words(row) for row in rows[:3]] + ["..."] * (len(rows) > 3))


def buffers(trace):
    """Yield the line of the memory of the tracer."""
    if trace["own_pages"]:
        yield f"buffers of kmemtrace, in no other sum: {trace['own_pages']:,} pages, " + \
            size(trace["own_bytes"])


# ---- tables ----

class Children(typing.NamedTuple):
    """Rows below a row: those of @query where @column is the same.

    @name: what follows the columns, of at most @most rows. @lines: makes other lines of all rows.
    """
    query: dict
    column: str
    name: typing.Callable = None
    most: int = 1000000
    lines: typing.Callable = None


class Table(typing.NamedTuple):
    """A table of the rows of @query.

    @title: {space}: each allocator has a table; {nr}: its rows; {total[NAME]}: a figure of totals.
    @columns: as in report/table.c, "NAME[%|#|~][=HEADING],...", of the relation or of DERIVED;
    %: a part of the whole; #: all digits; ~: bytes.
    @last: the heading of @name; None: there is no line of headings.
    @needs: what must have been recorded. @is_used: allocators that are not used have no row.
    @more: the lines below the rows, of the trace.
    """
    title: str
    query: dict
    columns: str
    last: str
    name: typing.Callable
    children: Children = None
    needs: str = "events"
    is_used: bool = False
    more: typing.Callable = lambda _: []


BY_LIVE = ", by bytes live at the end"
GROUP = "live_bytes,live={unit},allocs,bytes_req,bytes,waste_ratio,remote_frees"
LIVES = "ended=freed,short_ratio,mean_ns," + ",".join(f"{step}={step}" for step in STEPS)
COUNTED = "value~=now,change~"
SUSPECTS = "allocator=,kept,kept_of=of,live_bytes,births=a second,first_ns=since," \
           "usual_ns=freed in"


def group_table(rows, relation, last, name=place, needs="events"):
    """Return the table of a list of groups."""
    return Table("{space}: {nr} of {nr} " + rows + BY_LIVE,
                 {"relation": relation, "sort": "live_bytes"}, GROUP, last, name, needs=needs)


TABLES = [
    Table("Suspects: {nr} of {nr}: live, and nothing seems to free it",
          {"relation": "suspects", "where": "is_suspect=1"}, SUSPECTS, "", suspect),
    Table("Kept, but not suspected: {nr} of {nr}: few, at once, or on purpose",
          {"relation": "suspects", "where": "is_suspect=0,weight>=0.25"},
          SUSPECTS + ",harmless", "", suspect),
    Table("References taken dropped held", {"relation": "reference_kinds"},
          "kind,gets,puts,held", None, lambda *_: ""),
    Table("Holders: {nr} of {nr} call paths that took references which nothing dropped",
          {"relation": "references", "where": "held>0"},
          "kind=,held,gets=of,held_objects=objects,since_ns=since", "", holder),
    Table("Held: {nr} of {nr} objects and call paths, the oldest first",
          {"relation": "held_references"}, "kind=,object,held,since_ns=since", "", holder),
    Table("Totals alloc calls free calls requested allocated wasted live at end bytes",
          {"relation": "totals"},
          "allocator,allocs,free_calls,bytes_req,bytes,wasted,waste_ratio,live,unit,live_bytes",
          None, lambda _, row: ALLOCATORS[row["allocator"]][2], is_used=True, more=buffers),
    Table("By kmemtrace, in no sum alloc calls frees allocated live at end bytes",
          {"relation": "own"}, "allocator,allocs,frees,bytes,live,unit,live_bytes", None,
          lambda *_: ""),
    Table("{space}: peak of {total[peak_bytes]} at {total[peak_ns]} s, {total[live_bytes]} "
          "at the end",
          {"relation": "sites", "where": "peak_bytes>0", "sort": "peak_bytes"},
          "peak_bytes=live then,peak_bytes%=share,live_bytes=now", "call site", place),
    group_table("call sites", "sites", "call site"),
    group_table("tasks", "tasks", "task", task, "task"),
    Table("{space}: {nr} of {nr} names of tasks" + BY_LIVE,
          {"relation": "task_names", "sort": "live_bytes"}, GROUP + ",tasks,exited_bytes", "task name",
          lambda _, row: row["task_name"], needs="task"),
    group_table("processes", "processes", "process", lambda _, row: row["process"], "task"),
    group_table("memory cgroups", "cgroups", "cgroup", cgroup, "cgroup"),
    Table("{space}: {nr} of {nr} call paths that keep removed cgroups, by live bytes",
          {"relation": "keepers", "where": "is_removed=1,live>0", "sort": "live_bytes"},
          "live_bytes,live={unit},cgroups", "call path", lambda _, row: row["stack"],
          needs="cgroup"),
    group_table("sizes", "sizes", "bytes each",
                lambda _, row: "unknown" if row["size"] is None else number(row["size"])),
    group_table("gfp flags", "gfp", "gfp flags", flags),
    Table("Caches: {nr} of {nr} in use" + BY_LIVE,
          {"relation": "caches", "where": "is_used=1", "sort": "live_bytes"},
          "live_bytes,live=objects,allocs,frees,waste_ratio,object_size#,slot_size#",
          "cache, top call sites", cache,
          Children({"relation": "cache_sites", "sort": "live_bytes"}, "cache_id", place, 3),
          needs="caches"),
    Table("Fragmentation: {nr} of {nr} call sites that waste slab, by bytes wasted: "
          "{total[wasted]}, {total[avoidable]} avoidable",
          {"relation": "sites", "where": "allocator=slab,wasted>0", "sort": "wasted"},
          "wasted,waste_ratio=ratio,avoidable,allocs,live_wasted,live_avoidable=avoidable",
          "call site, sizes: allocations", place,
          Children({"relation": "requests", "sort": "wasted"}, "address", lines=requests)),
    Table("Lifetimes of memory that was allocated and freed in the trace",
          {"relation": "lifetime_totals"}, "allocs,allocator=," + LIVES, "",
          lambda *_: "", is_used=True),
    Table("{space}: lifetimes at {nr} of {nr} call sites, by frees",
          {"relation": "lifetimes", "where": "ended>0", "sort": "ended"},
          "allocs," + LIVES, "call site", place),
    Table("{space}: churn, {nr} of {nr} pairs of call sites, by lives of less than 1 ms",
          {"relation": "churn", "where": "ended_in_1ms>0", "sort": "ended_in_1ms"},
          "ended_in_1ms=short lives,short_ratio=ratio,freed_bytes,median_below_ns=median below,"
          "mean_ns",
          "allocated at, freed at", places),
    Table("{space}: freed on another CPU, {nr} of {nr} pairs of call sites",
          {"relation": "churn", "where": "remote_frees>0", "sort": "remote_frees"},
          "remote_frees,remote_ratio=ratio", "allocated at, freed at", places),
    Table("Percentiles of the sizes of allocations, in bytes", {"relation": "percentiles"},
          "allocator=,all_allocs=allocations,bytes_req_p50#=requested 50%,bytes_req_p90#,"
          "bytes_req_p99#,bytes_req_max#,bytes_p50#=allocated 50%,bytes_p90#,bytes_p99#,"
          "bytes_max#", "", lambda *_: "", is_used=True),
    Table("Failed: {nr} of {nr} call sites, by number", {"relation": "failures"},
          "failed=times,bytes_req,api,gfp_flags=last gfp_flags", "call site", place),
    Table("Call sites: {nr} of {nr}, by bytes live now",
          {"relation": "counters", "where": "table=allocinfo,is_total=0", "sort": "value"},
          "count=allocations,peak~," + COUNTED, "call site or cache", counter,
          needs="counters"),
    Table("Slab caches: {nr} of {nr}, by bytes live now",
          {"relation": "counters", "where": "table=slabinfo,is_total=0", "sort": "value"},
          "count=objects,peak~," + COUNTED, "call site or cache", counter,
          needs="counters"),
    Table("Where the memory is begin fullest end change", {"relation": "memory"},
          "part,begin_bytes,fullest_bytes,end_bytes,change_bytes~", None, ram_note,
          needs="counters"),
    Table("Growth: {nr} of [0-9,]+ call sites and slab caches grew all the time",
          {"relation": "counters", "where": "is_total=0,count>=0,is_growing=1", "sort": "per_hour"},
          "per_hour~,falls=fell," + COUNTED, "call site or cache", counter,
          needs="counters"),
    Table("Larger than in the first reading: {nr} of [0-9,]+",
          {"relation": "counters", "where": "is_total=0,count>=0,change>0", "sort": "change"},
          COUNTED, "call site or cache", counter,
          needs="counters"),
]


# ---- what has other lines than a table of rows ----

def wrapped(first, words):
    """Yield @first and a list, four words in a line."""
    lines = [", ".join(words[i:i + 4]) for i in range(0, len(words), 4)]
    yield ",\n".join([f"{first} {lines[0] if lines else ''}", *lines[1:]])


def is_used(total):
    """Return whether the report has lines of an allocator."""
    return total["allocator"] in ("slab", "pages") or total["is_used"]


def head(_, reasons, cpus):
    """Yield why the trace is incomplete, and the events of CPUs."""
    for row in reasons.rows:
        yield f"because {row['reason']}"
    if cpus.rows:
        yield from wrapped("per CPU", [
            f"cpu{row['cpu']} {row['events']:,}" +
            (f" ({row['lost_events']:,} lost)" if row["lost_events"] else "")
            for row in cpus.rows])


def findings(_, answer):
    """Yield the classes of findings, with their call sites."""
    for (space, _), rows in itertools.groupby(
            answer.rows, lambda row: (row["allocator"], row["class"])):
        rows = list(rows)
        yield f"{space}, {rows[0]['description']}: {sum(row['count'] for row in rows):,}"
        for row in rows:
            first = f"{place(answer, row, 'first_')}, then " if row["first_site"] else ""
            yield f"{row['count']:,} {first}{place(answer, row)}"
            yield f"first at {row['time_ns'] / 1e9:.9f} s" + \
                (f": --address {row['object']:#x}" if row["object"] else "")


def orders(_, answer):
    """Yield live bytes by order and migrate type, with the sums of both."""
    types = ("unmovable", "movable", "reclaimable", "unknown", "all")
    found = collections.defaultdict(int)
    for row in answer.rows:
        order = "unknown" if row["order"] is None else str(row["order"])
        for key in itertools.product((order, "all"), (row["migratetype"], "all")):
            found[key] += row["live_bytes"]
    if found:
        yield " ".join(("order", *types))
    for order in sorted({order for order, _ in found},
                        key=lambda order: (order == "all", len(order), order)):
        yield " ".join((order, *(size(found[order, kind]) if (order, kind) in found else "-"
                                 for kind in types)))


PHASES = {"armed": "tracing armed", "smp_up": "CPUs up", "initcalls_done": "initcalls done",
          "init_freed": "init memory freed", "init_started": "init started"}


def phases(totals, answer):
    """Yield the phases of the boot with all allocators, then those whose record was lost."""
    used = [total["allocator"] for total in totals if is_used(total)]
    seen = list(dict.fromkeys(row["phase"] for row in answer.rows))
    if seen:
        yield "begins " + " ".join(f"{space} maximum" for space in used)
    for phase in seen:
        rows = {row["allocator"]: row for row in answer.rows if row["phase"] == phase}
        yield f"{PHASES[phase]} {rows['slab']['begin_ns'] / 1e9:.6f} s " + " ".join(
            f"{size(rows[space]['live_bytes'])} {size(rows[space]['most_bytes'])}"
            for space in used)
    names = list(PHASES)
    for phase in names[1:names.index(seen[-1])] if seen else ():
        if phase not in seen:
            yield f"{PHASES[phase]} its record was lost: counted with the phase before it"


def share_of_frees(total, part, whole, words):
    """Return a line of the frees of an allocator."""
    return f"{total['allocator']} {part:,} of {whole:,} frees{words} ({percent(part, whole)})"


def remote(totals, pairs, cpus):
    """Yield the frees on another CPU, by pairs of CPUs."""
    for total in totals if len(cpus.rows) > 1 else ():
        if not is_used(total):
            continue
        words = [f"cpu{row['alloc_cpu']}->cpu{row['free_cpu']} {row['remote_frees']:,}"
                 for row in pairs.rows if row["allocator"] == total["allocator"]]
        yield from wrapped(share_of_frees(total, total["remote_frees"], total["frees"], "") +
                           (":" if words else ""), words)


def nodes(totals, flows, frees):
    """Yield the bytes on each node by node of the CPU and requested node, then frees."""
    def name(node, unknown):
        return unknown if node is None else str(node)
    columns = sorted({row["node"] for row in flows.rows}, key=lambda node: (node is None, node))
    if not columns:
        return
    yield "cpu on requested allocations elsewhere " + " ".join(
        "unknown" if node is None else f"node {node}" for node in columns)
    for total, freed in zip(totals, frees.rows):
        space = total["allocator"]
        for (requested, cpu_node), rows in itertools.groupby(
                (row for row in flows.rows if row["allocator"] == space),
                lambda row: (row["requested_node"], row["cpu_node"])):
            rows = list(rows)
            on = {node: sum(row["bytes"] for row in rows if row["node"] == node)
                  for node in columns}
            known = sum(on.values()) - on.get(None, 0)
            wanted = cpu_node if requested is None else requested
            there = on.get(wanted, 0) if wanted is not None else known
            yield " ".join((space, name(cpu_node, "unknown"),
                            "?" if space == "pages" else name(requested, "any"),
                            number(sum(row["allocs"] for row in rows)),
                            percent(known - there, known) if known else "-",
                            *(size(n) if n else "-" for n in on.values())))
        if freed["allocs_before"]:
            yield f"{space} {freed['allocs_before']:,} before the trace reported nodes"
    for total, freed in zip(totals, frees.rows):
        if is_used(total):
            yield share_of_frees(total, freed["frees_by_other_nodes"], freed["frees"],
                                 " by a CPU of another node")


class Layout(typing.NamedTuple):
    """What is below a title: @lines of the totals and of @relations."""
    title: str
    relations: tuple
    lines: typing.Callable
    needs: str = "events"


LAYOUTS = [
    Layout(r".*: (IN)?COMPLETE", ("reasons", "cpus"), head, "counters"),
    Layout(r"Findings.*", ("findings",), findings),
    Layout("Pages: orders and migrate types of blocks" + BY_LIVE, ("orders",), orders),
    Layout("Boot phases: live memory at the end of each, and the maximum in it", ("phases",),
           phases),
    Layout("Remote: freed on another CPU than allocated", ("cpu_pairs", "cpus"), remote),
    Layout("Nodes: bytes allocated on each, by node of the CPU and requested node",
           ("nodes", "node_frees"), nodes),
]


class Columns:
    """The columns of a table: @headings, and the words of a row."""

    def __init__(self, table, answer, space, totals):
        self.answer, self.totals = answer, totals
        self.list = []
        text = table.columns.format(unit=ALLOCATORS[space][1] if space else "")
        for column in text.split(","):
            name, flag, heading = re.fullmatch(r"([^%#~=]+)([%#~]?)(?:=(.*))?", column).groups()
            if name not in answer.columns and name not in DERIVED:
                continue
            if heading is None:
                heading = answer.columns[name].heading if name in answer.columns else ""
            self.list.append((name, flag, heading))
        self.headings = " ".join(heading for _, _, heading in self.list)

    def word(self, answer, row, name, flag):
        """Return a cell."""
        total = self.totals.get(row.get("allocator"))
        if name not in answer.columns:
            return DERIVED[name](row, total)
        if flag == "%":
            return percent(row[name], total[name])
        error = answer.columns[name].error
        form = number if flag == "#" else flag and \
            {"SIGNED": change}.get(answer.columns[name].kind, size)
        text = form(row[name]) if form and row[name] is not None else shown(answer, row, name)
        return text + (deviation(row[name], row[error])
                       if error and error in answer.columns else "")

    def words(self, row, answer=None):
        """Return the cells of a row. One of another relation lacks what may have no value."""
        return " ".join(self.word(answer or self.answer, row, name, flag)
                        for name, flag, _ in self.list
                        if not answer or not self.answer.columns[name].is_optional)


def squeezed(line):
    """Return a line without its charts, and with one blank where there are more."""
    return " ".join(re.sub(r"\|[ .:=+*#%@-]*\|", "", line).split())


def sections(text):
    """Return what is below each title."""
    found = {}
    for part in re.split(r"\n(?=\S)", text):
        title, *lines = part.rstrip("\n").split("\n")
        assert title not in found, f"two lists have the title {title}"
        found[squeezed(title)] = [line for line in map(squeezed, lines)
                                  if not re.match(SENTENCES, line)]
    return found


def queries(trace):
    """Return the queries of all tables: the totals first, then each table and its children."""
    by = "stack" if "stack" in (trace["with"] or "") else "site"
    return [{"relation": "totals"}] + \
        [{**query, **({"group_by": query["group_by"].format(by=by)} if "group_by" in query else {})}
         for table in TABLES
         for query in (table.query, *([table.children.query] if table.children else []))] + \
        [{"relation": name} for layout in LAYOUTS for name in layout.relations]


def lines_of(table, answer, rows, below, columns):
    """Yield the lines of a table."""
    if table.last is not None:
        yield f"{columns.headings} {table.last}"
    for row in rows:
        yield f"{columns.words(row)} {table.name(answer, row)}"
        if not table.children:
            continue
        key = table.children.column
        children = [child for child in below.rows if child[key] == row[key] and
                    child["allocator"] == row["allocator"]]
        if table.children.lines:
            yield from table.children.lines(below, children)
            continue
        for child in children[:table.children.most]:
            yield f"{columns.words(child, below)} {table.children.name(below, child)}"


def tables(answers, trace):
    """Yield each table that has rows, its title and its lines."""
    answers = iter(answers)
    recorded = {"counters", *(trace["with"] or "").split(",")} | \
        ({"events"} if trace["source"] != "counters" else set()) | \
        ({"caches"} if trace["caches"] else set())
    whole = next(answers)
    totals = {row["allocator"]: row for row in whole.rows}
    for table in TABLES:
        answer = next(answers)
        below = next(answers) if table.children else None
        if table.needs not in recorded:
            continue
        for space in ALLOCATORS if "{space}" in table.title else (None,):
            rows = [row for row in answer.rows
                    if (not space or row["allocator"] == space) and
                    (not table.is_used or is_used(totals[row["allocator"]]))]
            if not rows:
                continue
            of = totals[space or "slab"]
            title = table.title.format(
                space=ALLOCATORS[space][0] if space else "",
                nr=sum(not is_rest(answer, row) for row in rows),
                total={name: shown(whole, of, name) for name in of})
            yield table, title, [*lines_of(table, answer, rows, below,
                                           Columns(table, answer, space, totals)),
                                 *table.more(trace)]
    for layout in LAYOUTS:
        lines = list(layout.lines(whole.rows, *(next(answers) for _ in layout.relations)))
        if lines and layout.needs in recorded:
            yield layout, layout.title, lines


def differences(text, wanted):
    """Yield where the text of a report differs from tables()."""
    found = sections(text)
    for _, title, lines in wanted:
        names = [name for name in found if re.fullmatch(title + LOSSES, name)]
        if len(names) != 1:
            yield f"{len(names)} tables {title}: {lines}"
            continue
        lines = [" ".join(line.split()) for text in lines for line in text.split("\n")]
        for line, want in itertools.zip_longest(found.pop(names[0]), lines):
            if line != want:
                yield f"{names[0]}: {line}, expected {want}"
    for title, lines in found.items():
        if not any(re.match(picture, title) for picture in PICTURES):
            yield f"no table in TABLES: {title}: {lines}"
