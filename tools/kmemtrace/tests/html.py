#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Open pages of kmemtrace-report --html in headless Chromium, and compare them with the text
report.

html.py [-k VMLINUX] REPORT: check the pages that the lines of the standard input name, in one
browser. A line is "TRACE PAGE CHECK...": REPORT made PAGE of TRACE, with the lines of VMLINUX.
Each CHECK is one of
    ranges          figures of ranges of steps are those that --between prints
    trust           verdict, reasons, peaks, phases, failures and findings are those of --json
    views           the same, and all views have something in them
    chart           steps, ticks and labels of the timeline
    brush           a range that is dragged in the chart is one of steps, and all follow it
    who             tasks, processes, cgroups and call paths are those of --json
    search          typing in a search shows the rows that match, by the path of the file, too
    sums            allocated memory is kept, churned, or the buffers of kmemtrace
    labels          the labels of the treemap are within their boxes
    rest            what was live when tracing began is below each table, in any order
    only            a row or a box that is chosen is all that the views show
    command         the command that the page prints has the same figures
    lengths         two traces, of which the first one is longer, say so
    hostile         no name became markup
    alike           what has the name of another one is a row of its own; names are of UTF-8
    paper           nothing is cut off where it is printed
    policy          the page's policy stops requests and other scripts
    diff TRACE      the changes are those that --diff prints; TRACE is the older one
    time SECONDS    the page is ready in that time
    shots PREFIX    write screenshots to PREFIX-*.png
No page may make a request, or say that its policy was violated.
"""
import base64
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

SPACES = ["slab", "pages", "percpu", "vmalloc"]
# Column of the library: heading of the page, of a range
FIGURES = {
    "live_bytes": "kept",
    "live": "objects kept",
    "allocs": "allocations",
    "bytes": "allocated",
    "frees": "frees of churned",
}


class Browser:
    """Chromium, by its protocol over a pair of pipes."""

    def __init__(self):
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                   "--remote-debugging-pipe", "--window-size=1400,1000",
                   "--user-data-dir=" + self.folder.name, "about:blank"]

        # The descriptors may be 3 and 4 already: copy them out of the way at first.
        def connect():
            read, write = os.dup(to_read), os.dup(from_write)
            os.dup2(read, 3)
            os.dup2(write, 4)
        self.process = subprocess.Popen(
            command, preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.last = 0
        self.events = []
        self.rest = b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.come, 1 << 20)
            if not data:
                sys.exit("html.py: chromium has ended")
            self.rest += data
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if getattr(self, "session", None):
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") != self.last:
                self.events.append(message)
            elif "error" in message:
                sys.exit(f"html.py: {method}: {message['error']['message']}")
            else:
                return message["result"]

    def evaluate(self, expression):
        """Return the value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"html.py: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path, state=""):
        """Open a page. Return the seconds until it was ready."""
        self.call("Page.navigate", url="about:blank")
        self.events = []
        answer = self.call("Page.navigate", url="file://" + os.path.abspath(path) + state)
        if "errorText" in answer:
            sys.exit(f"html.py: {path}: {answer['errorText']}")
        end = time.time() + 120
        while not self.evaluate("document.body && document.body.dataset.ready || ''"):
            text = str(self.evaluate("document.body && document.body.innerText"))
            errors = [event["params"] for event in self.events
                      if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
            if errors or "This page could not show the trace" in text or time.time() > end:
                sys.exit(f"html.py: {path}{state} is not ready: {errors or text[:500]}")
            time.sleep(.05)
        return int(self.evaluate("document.body.dataset.ready")) / 1000

    def settle(self):
        """Wait until the page has drawn what was chosen."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => "
                      "requestAnimationFrame(done)))")

    def choose(self, control, value):
        """Choose an option of a control of the page, as a user does."""
        self.evaluate("""(() => {
            const select = find("#%s");
            select.value = "%s";
            select.dispatchEvent(new Event("change"));
        })()""" % (control, value))

    def mouse(self, kind, x, y, buttons):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                  buttons=buttons, clickCount=1)

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        self.folder.cleanup()


failed = False
vmlinux = []


def expect(is_right, text):
    global failed
    if not is_right:
        print("FAIL:", text)
        failed = True


def table(browser, where):
    """Return the rows of a table: numbers as they are, other columns as text."""
    return browser.evaluate("""(() => {
        const table = document.querySelector("%s table");
        const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
        return [...table.tBodies[0].rows].map(row => Object.fromEntries(
            [...row.cells].map((cell, i) => [names[i], cell.dataset.value === undefined ?
                cell.textContent : Number(cell.dataset.value)])));
    })()""" % where)


def show_all(browser):
    browser.evaluate("[...document.querySelectorAll('.tools button')].filter(button => "
                     "button.textContent === 'Show all').forEach(button => button.click())")


def report(program, trace, *options):
    out = subprocess.run([program, "--json", "-n", "1000000", *vmlinux, *options, *trace],
                         stdout=subprocess.PIPE, check=False).stdout
    return json.loads(out)


def of(rows, space):
    """Return the rows of an allocator."""
    return [row for row in rows if row["allocator"] == space]


def site_name(row):
    return row["site"] + (f" {row['file']}:{row['line']}" if "file" in row else "")


def figures(rows, name_of, columns):
    """Return the names and figures of rows, in their order: names need not differ."""
    return sorted((name_of(row), *(row[name] for name in columns)) for row in rows
                  if any(row[name] for name in columns))


def compare_orders(browser, wanted, what):
    """Compare the orders and migrate types of pages that were allocated and kept."""
    browser.choose("measure", "kept_bytes")
    orders = {row["order"]: row for row in table(browser, "#orders")}
    for row in wanted["orders"]:
        got = orders.get(row.get("order", "unknown"), {}).get(
            row["migratetype"], 0)
        expect(got == row["live_bytes"],
               f"{what}: {got} bytes of order {row.get('order')}, expected {row}")


def compare_rows(got, wanted, what):
    expect(got == wanted, f"{what}: only the page has {[row for row in got if row not in wanted][:3]}"
           f", only the report {[row for row in wanted if row not in got][:3]}")


def compare_range(browser, program, trace, page, state, begin, end):
    """Compare all figures of a range with those of --between."""
    options = ["--between", f"{begin / 1e9:.9f},{end / 1e9:.9f}", "--show", "totals,sites,caches,orders"]
    wanted = report(program, [trace], *options)
    browser.open(page, f"#{state}")
    for i, space in enumerate(SPACES):
        browser.choose("space", i)
        show_all(browser)
        totals = {row["allocator"]: row for row in table(browser, "#totals")}
        what = f"{os.path.basename(page)}, {options[1]}, {space}"
        total, = of(wanted["totals"], space)
        for key, name in FIGURES.items():
            expect(totals.get(space, {}).get(name, 0) == total[key],
                   f"{what}: {name}: {totals.get(space)}, expected {total[key]}")
        compare_rows(figures(table(browser, "#sites"), lambda row: row["call site"],
                             FIGURES.values()),
                     figures(of(wanted["sites"], space), site_name, FIGURES), what)
    compare_rows(
        figures(table(browser, "#caches"), lambda row: row["cache"].removesuffix(" and others"),
                FIGURES.values()),
        figures(wanted["caches"], lambda row: row["cache"].replace("(none)", "(none: large kmalloc)"),
                FIGURES), what)
    compare_orders(browser, wanted, what)


def steps_of(browser):
    return browser.evaluate("[shown().stepNs, shown().steps, shown().endNs]")


def check_ranges(browser, program, trace, page):
    browser.open(page)
    width, nr, last = steps_of(browser)
    ranges = [(0, 0), (nr // 3, nr // 3), (nr // 4, nr // 2), (1, nr - 1), (0, nr - 1)]
    for first, final in sorted(set((min(a, nr - 1), min(b, nr - 1)) for a, b in ranges)):
        compare_range(browser, program, trace, page, f"from={first}&to={final}",
                      first * width, min((final + 1) * width - 1, last))
    # Without a begin, older memory is live, too.
    end = nr // 2
    wanted = report(program, [trace], "--at", f"{min((end + 1) * width - 1, last) / 1e9:.9f}",
                    "--show", "totals,sites")
    browser.open(page, f"#from=0&to={end}")
    totals = {row["allocator"]: row for row in table(browser, "#totals")}
    for row in wanted["totals"]:
        expect(totals.get(row["allocator"], {}).get("live bytes", 0) == row["live_bytes"],
               f"{page}: live {row['allocator']} at {end}")


def stack_name(row):
    """Return the functions of a call path as the tree has them, the outermost caller first."""
    names = row["stack"].split(" <- ")
    if names[-1] in ("(more)", "(unknown)"):
        names[-1] = names[-1].replace(")", " callers)")
    return "/".join(reversed(names))


def stacks_of(program, trace, *options):
    """Return the live bytes of each stack of functions, by allocator."""
    out = subprocess.run([program, "--csv", "paths", "-g", "stack", *options, trace],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    stacks = {space: {} for space in SPACES}
    for row in csv.DictReader(out.splitlines()):
        stacks[row["allocator"]][stack_name(row)] = int(row["live_bytes"])
    return stacks


def check_who(browser, program, trace, page):
    """Compare who allocated: in the whole trace, and in a range of steps."""
    browser.open(page)
    width, nr, end_ns = steps_of(browser)
    for first, last in (0, nr - 1), (nr // 4, nr // 2):
        begin, end = first * width, min((last + 1) * width - 1, end_ns)
        times = ["--between", f"{begin / 1e9:.9f},{end / 1e9:.9f}"]
        wanted = report(program, [trace], *times, "--show", "tasks,processes,cgroups")
        stacks = stacks_of(program, trace, *times)
        names = {
            "tasks": lambda row: row["task"],
            "processes": lambda row: row["process"],
            "cgroups": lambda row: (row["cgroup"] +
                                    (" (removed)" if row.get("is_removed") else "")),
        }
        state = f"#from={first}&to={last}&measure=kept_bytes"
        browser.open(page, state)
        for i, space in enumerate(SPACES):
            browser.choose("space", i)
            show_all(browser)
            for view, name_of in names.items():
                compare_rows(figures(table(browser, f"#{view}"), lambda row: row[list(row)[0]],
                                     FIGURES.values()),
                             figures(of(wanted[view], space), name_of, FIGURES),
                             f"{page}{state}, {space}: {view}")
            found = browser.evaluate("""(() => {
                const sums = {}, name = row => textPart(row.calls.join("/"));
                for (const sum of sumsBy(state.space, name, "kept_bytes"))
                    sums[sum.key] = sum.kept_bytes;
                return sums;
            })()""")
            for name in stacks[space].keys() | found.keys():
                expect(stacks[space].get(name, 0) == found.get(name, 0),
                       f"{page}{state}, {space}: {name}: {found.get(name)}, "
                       f"expected {stacks[space].get(name)}")
    for by in "calls", "callers", "task", "cgroup":
        browser.open(page, f"#by={by}")
        expect(browser.evaluate("document.querySelectorAll('#tree g.node').length") > 5,
               f"{page}: nothing by {by}")


def check_trust(browser, program, trace, page):
    browser.open(page)
    wanted = report(program, [trace])
    text = browser.evaluate("document.getElementById('trust').innerText")
    verdict = "COMPLETE" if wanted["trace"]["complete"] else "INCOMPLETE"
    expect(": " + verdict in text, f"{page}: no verdict {verdict}")
    for row in wanted["reasons"]:
        expect(row["reason"] in text, f"{page}: lacks the reason: {row['reason']}")
    sample = wanted["trace"]["sample"]
    expect((f"one of {sample} slab objects" in text) == (sample > 1),
           f"{page}: is the trace a sample?")
    for row in wanted["totals"]:
        browser.choose("space", SPACES.index(row["allocator"]))
        peak = browser.evaluate("peakOf(shown())") or { "peak_bytes": 0 }
        expect(peak["peak_bytes"] == row["peak_bytes"] and
               peak.get("peak_ns") == row.get("peak_ns"), f"{page}: peak of {row['allocator']}")
    nr = sum(f["count"] for f in wanted["findings"])
    got = sum(row["times"] for row in table(browser, "#findings"))
    expect(got == nr, f"{page}: {got} findings, expected {nr}")
    got = sum(row["times"] for row in table(browser, "#failed"))
    expect(got == sum(f["failed"] for f in wanted["failures"]), f"{page}: {got} failed")
    # Phases and findings have the words of the text report.
    text = subprocess.run([program, "--show", "phases,findings", trace],
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    phases = browser.evaluate("find('#timeline .phases').textContent")
    phases = [title.partition(" ")[2] for title in phases.split(", ") if title]
    expect(len(phases) == len(of(wanted["phases"], "slab")), f"{page}: phases: {phases}")
    for words in phases + [row["finding"] for row in table(browser, "#findings")]:
        expect(words in text, f"{page}: the text report does not say: {words}")


def check_suspects(browser, program, trace, page):
    """The page has the suspects of the text report, in their order, and what is kept, too."""
    browser.open(page)
    wanted = report(program, [trace], "--show", "suspects")
    expect(wanted["suspects"] and wanted["kept"], f"{trace}: no suspects")
    for name in "suspects", "kept":
        got = [(row["call path"], row["kept"], row["freed at"])
               for row in table(browser, "#" + name)]
        want = [(row["path"], row["kept"], row.get("freed_site", "")) for row in wanted[name]]
        # Tables are sorted by a number, so equal weights may change places.
        expect(sorted(got) == sorted(want), f"{page}: {name}: {got}, expected {want}")


def check_views(browser, program, trace, page):
    for state in "", "#stacked=1&shape=treemap&by=cache", "#space=pages&measure=bytes":
        browser.open(page, state)
        counts = browser.evaluate("""Object.fromEntries(["#trust p", "#timeline svg path",
            "#totals tbody tr", "#tree svg g.node", "#sites tbody tr", "#caches tbody tr",
            "#orders tbody tr", "#blocks svg g rect"].map(where =>
            [where, document.querySelectorAll(where).length]))""")
        for where, nr in counts.items():
            expect(nr > 0, f"{page}{state}: {where}: empty")
        text = browser.evaluate("document.body.innerText")
        for bad in "NaN", "undefined", "[object", "Infinity":
            expect(bad not in text, f"{page}{state}: the page says {bad}")
        for row in table(browser, "#caches"):
            expect(row["slabs"] == "" or row["live bytes"] <= row["slabs"],
                   f"{page}{state}: slabs with more than they have room for: {row}")
    check_trust(browser, program, trace, page)
    check_chart(browser, page)
    # The keyboard reaches a node of the tree.
    browser.evaluate("document.querySelectorAll('#tree g.node')[1].focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter")
    expect(browser.evaluate("find('#only').textContent").startswith("only: "),
           f"{page}: Enter does not choose a node")
    # A narrow window scrolls within its tables only.
    browser.call("Emulation.setDeviceMetricsOverride", width=420, height=800,
                 deviceScaleFactor=1, mobile=False)
    browser.open(page)
    expect(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"),
           f"{page}: wider than a narrow window")
    browser.call("Emulation.clearDeviceMetricsOverride")
    check_labels(browser, page)


def check_labels(browser, page):
    """The labels of the treemap are within their boxes, and none is over another one."""
    browser.open(page, "#shape=treemap")
    over, wide = browser.evaluate("""(() => {
        const over = [], wide = [];
        for (TREE.height = 100; TREE.height <= 400; TREE.height += 50) {
            drawTree();
            const boxes = [...document.querySelectorAll("#tree text")].map(text =>
                [text.textContent, text.getBoundingClientRect(),
                 text.parentNode.querySelector("rect").getBoundingClientRect()]);
            over.push(...boxes.filter(([, p], i) => boxes.slice(i + 1).some(([, q]) =>
                p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 4 &&
                q.top < p.bottom - 4)));
            wide.push(...boxes.filter(([, text, box]) => text.right > box.right));
        }
        return [over, wide].map(boxes => boxes.map(([name]) => name));
    })()""")
    expect(not over, f"{page}: labels of the treemap overlap: {over[:3]}")
    expect(not wide, f"{page}: labels of the treemap are wider than their boxes: {wide[:3]}")


def check_chart(browser, page):
    """The timeline has steps from 0 s, ticks at binary units, and labels that can be read."""
    browser.open(page)
    first = browser.evaluate("document.querySelector('#timeline .area').getAttribute('d')")
    expect(first.startswith("M60,"), f"{page}: the area begins at {first[:20]}")
    x = browser.evaluate("""document.querySelector("#timeline .area").getAttribute("d")
        .split("L").slice(0, 3).map(point => point.replace("M", "").split(",")[0])""")
    expect(x[2] == x[1] != x[0], f"{page}: the area is no step function: {x}")
    ticks = browser.evaluate("""[...document.querySelectorAll("#timeline .axis:nth-of-type(2)
        .tick")].map(tick => tick.__data__)""".replace("\n        ", " "))
    expect(len(ticks) > 2 and ticks[1] & (ticks[1] - 1) == 0 and
           all(b - a == ticks[1] for a, b in zip(ticks, ticks[1:])), f"{page}: ticks {ticks}")
    labels = browser.evaluate("""[...document.querySelectorAll("#timeline text.phase")].map(
        text => { const box = text.getBoundingClientRect(); return [box.left, box.right]; })""")
    expect(all(a[1] <= b[0] + 1 for a, b in zip(labels, labels[1:])),
           f"{page}: numbers of phases overprint: {labels}")
    browser.open(page, "#stacked=1")
    colours, bands = browser.evaluate("""["#timeline .square", "#timeline .band"].map(where =>
        [...document.querySelectorAll(where)].map(node => where.endsWith("band") ?
            getComputedStyle(node).fill : getComputedStyle(node).backgroundColor))""")
    expect(colours and colours == bands, f"{page}: the legend has {colours}, not {bands}")


def check_lengths(browser, page):
    """A comparison with a trace that is longer says so, and its line ends with the chart."""
    browser.open(page)
    expect("the whole trace all of both" in
           browser.evaluate("find('#timeline .lengths').textContent"),
           f"{page}: does not say that the traces differ in length")
    expect(browser.evaluate("document.querySelector('#timeline .before')"
                            ".getAttribute('clip-path')") == "url(#plot)" and
           browser.evaluate("document.querySelector('#plot rect').getBBox().width <= "
                            "find('#timeline svg').getBBox().width"),
           f"{page}: the line of the first trace is not clipped")
    expect("dashes: before" in browser.evaluate("find('#timeline .key').textContent"),
           f"{page}: does not say what the lines are")


def check_brush(browser, program, trace, page):
    del program, trace
    browser.open(page)
    nr = steps_of(browser)[1]
    box = browser.evaluate("""(() => {
        const box = document.querySelector("#timeline .brush .overlay").getBoundingClientRect();
        return [box.x, box.y, box.width, box.height];
    })()""")
    before = table(browser, "#totals")
    x, y = box[0] + box[2] * .3, box[1] + box[3] / 2
    browser.mouse("mousePressed", x, y, 1)
    for i in range(1, 6):
        browser.mouse("mouseMoved", x + box[2] * .04 * i, y, 1)
    browser.mouse("mouseReleased", x + box[2] * .2, y, 0)
    browser.settle()
    first, final = browser.evaluate("[state.from, state.to]")
    expect(first == int(nr * .3) and abs(final - nr * .5) <= 1,
           f"{page}: the brush chose {first} to {final} of {nr}")
    after = table(browser, "#totals")
    expect(before != after, f"{page}: the figures don't follow the brush")
    wanted = browser.evaluate("""(() => {
        const sums = shown().figures(state.from, state.to).allocs;
        return sums.reduce((p, q) => p + q, 0);
    })()""")
    expect(sum(row["allocations"] for row in after) == wanted, f"{page}: figures of the brush")
    expect(f"Steps {first} to {final}" in browser.evaluate("find('#range').textContent"),
           f"{page}: the range is not written")
    # A click without a drag keeps the range, and the pointer tells the time.
    browser.mouse("mousePressed", box[0] + box[2] * .8, y, 1)
    browser.mouse("mouseReleased", box[0] + box[2] * .8, y, 0)
    browser.settle()
    expect(browser.evaluate("[state.from, state.to]") == [first, final],
           f"{page}: a click drops the range")
    browser.mouse("mouseMoved", box[0] + box[2] * .805, y, 0)
    step = int(nr * .805)
    expect(browser.evaluate(f"find('#timeline .detail').textContent.includes("
                            f"'step {step}: ' + bytesText(totalOf(shown())[{step}]))"),
           f"{page}: the pointer does not tell the bytes of step {step}")
    browser.evaluate("find('#all').click()")
    browser.settle()
    expect(table(browser, "#totals") == before, f"{page}: the whole trace does not come back")
    browser.evaluate("find('#peak').click()")
    browser.settle()
    expect(browser.evaluate("state.measure") == "peak_bytes", f"{page}: at the peak")
    expect('"At the peak" is at exactly' in browser.evaluate("find('#range').textContent"),
           f"{page}: the page does not say when the peak was")


def check_only(browser, page):
    """A row that is chosen, and a box of the tree, are all that the views show."""
    for where, key in ("#sites tbody tr", "call site"), ("#caches tbody tr", "cache"):
        browser.open(page)
        row = table(browser, where.split()[0])[1]
        click(browser, where + ":nth-child(2)")
        name = row[key].removesuffix(" and others")
        expect(browser.evaluate("find('#only').textContent") == f"only: {name} \u00d7",
               f"{page}: {name} is not what was chosen")
        address = browser.evaluate("location.hash")
        for state in None, address:
            if state:
                browser.open(page, state)
            total = table(browser, "#totals")[0]
            expect(all(total[figure] == row[figure] for figure in
                       ("live bytes", "kept", "allocations", "churned", "wasted", "at the peak")),
                   f"{page}: totals {total} of {row}")
            expect(browser.evaluate("totalOf(shown())[shown().steps - 1]") == row["live bytes"],
                   f"{page}: the timeline is not that of {name}")
        click(browser, "#only")
        expect(browser.evaluate("find('#only').hidden") and
               browser.evaluate("location.hash").find("only") < 0, f"{page}: {name} stays")
    browser.evaluate("find('#sites tbody tr').focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter")
    expect(browser.evaluate("state.only.by") == "site" and
           browser.evaluate("document.activeElement.id") == "only",
           f"{page}: Enter does not choose a row")
    click(browser, "#only")
    click(browser, "#tree g.node:nth-of-type(3)")
    expect(browser.evaluate("find('#tree .chosen title').textContent.startsWith("
                            "state.only.texts[state.only.texts.length - 1])"),
           f"{page}: a box of the tree is not chosen")


# Measures of the page, and what they are in the JSON of the command that the page prints.
COMMANDS = {
    "live_bytes": "live_bytes",
    "live": "live",
    "kept_bytes": "live_bytes",
    "bytes": "bytes",
    "allocs": "allocs",
    "wasted": "wasted",
}


def check_command(browser, program, page):
    """The command that the page prints has the figures that the page shows."""
    for steps in "", "&from=20&to=40":
        browser.open(page, f"#space=pages{steps}")
        for measure, column in COMMANDS.items():
            browser.choose("measure", measure)
            words = shlex.split(browser.evaluate("find('#command').textContent"))
            out = subprocess.run([program, "-j", "--show", "totals,sites", *words[1:]],
                                 stdout=subprocess.PIPE, check=True).stdout
            row = [row for row in table(browser, "#totals") if row["allocator"] == "pages"][0]
            total, = of(json.loads(out)["totals"], "pages")
            wanted = total[column]
            name = browser.evaluate("MEASURES[state.measure].heading")
            expect(row[name] == wanted, f"{page}: {words}: {row[name]}, expected {wanted}")
    browser.open(page, "#only=cache&only=1")
    expect(f"--cache {browser.evaluate('shown().cacheText(1)')} " in
           browser.evaluate("find('#command').textContent"), f"{page}: no command for a cache")


def click(browser, where):
    """Click with the mouse on the first element that a selector finds."""
    x, y = browser.evaluate("""(() => {
        const node = document.querySelector(%s);
        node.scrollIntoView({ block: "center" });
        const box = node.getBoundingClientRect();
        return [box.x + Math.min(box.width / 2, 50), box.y + box.height / 2];
    })()""" % json.dumps(where))
    browser.mouse("mousePressed", x, y, 1)
    browser.mouse("mouseReleased", x, y, 0)
    browser.settle()


def check_search(browser, page):
    """The page has call sites in fs/super.c."""
    browser.open(page)
    search = "#sites input[type=search]"
    for text, found in ("fs/", True), ("super.c:318", True), ("no such row", False):
        browser.evaluate(f"document.querySelector('{search}').select()")
        browser.call("Input.insertText", text=text)
        rows = table(browser, "#sites")
        expect(rows and all((text in row["call site"]) == found for row in rows) and
               (found or "no row matches" in rows[0].values()),
               f"{page}: a search for {text} shows {rows[:3]}")
        expect(browser.evaluate(f"document.activeElement.matches('{search}')"),
               f"{page}: the search lost the focus")
    browser.evaluate(f"document.querySelector('{search}').select()")
    browser.call("Input.insertText", text="fs/")
    click(browser, "#sites th:nth-child(3) button")
    expect(browser.evaluate("document.querySelector('#sites th:nth-child(3)').ariaSort") ==
           "descending", f"{page}: a click after a search does not sort")
    expect(all("fs/" in row["call site"] for row in table(browser, "#sites")),
           f"{page}: sorting ends the search")


def check_rest(browser, page):
    """The page has older memory, and more call sites than a table shows."""
    browser.open(page)
    for view, rest in ("sites", "(before tracing began)"), ("tasks", "(unknown)"), \
                      ("processes", "(unknown)"):
        for column in 1, 2, 2:
            click(browser, f"#{view} th:nth-child({column}) button")
            rows = [next(iter(row.values())) for row in table(browser, "#" + view)]
            expect(rows.index(rest) == len(rows) - 1 and (view != "sites" or len(rows) == 21),
                   f"{page}: {view}: {rest} is not below the rows {rows}")


def check_sums(browser, program, trace, page):
    wanted = report(program, [trace])["trace"]["own_pages"]
    browser.open(page)
    for i, space in enumerate(SPACES):
        browser.choose("space", i)
        show_all(browser)
        for row in table(browser, "#totals") + table(browser, "#sites"):
            expect(row["allocated"] == row["kept"] + row["churned"] + row.get("own buffers", 0),
                   f"{page}: {space}: allocated is not the sum of its parts: {row}")
    text = browser.evaluate("document.querySelector('#totals .own').textContent")
    expect(wanted == 0 or f"{wanted:,} pages" in text,
           f"{page}: not the {wanted} pages of the buffers: {text}")


def check_hostile(browser, program, trace, page):
    del program, trace
    for by in "source", "cache", "calls", "task", "cgroup":
        browser.open(page, f"#stacked=1&by={by}")
        expect(browser.evaluate("document.querySelectorAll('img,iframe,b,object').length") == 0,
               f"{page}: a name became an element")
        expect(browser.evaluate("window.hacked") is None, f"{page}: a name ran as a script")
        text = browser.evaluate("document.body.textContent")
        for name in "<img", "</script>":
            expect(name in text, f"{page}: the name with {name} is not text")


def check_alike(browser, page):
    """The page is of the trace that alike() of lib.sh writes."""
    browser.open(page)
    expect("kernel böard" in browser.evaluate("find('#trust').textContent"),
           f"{page}: lacks the kernel")
    for view, live in ("cgroups", [("/é", 256), ("/è", 128), ("/é", 64), ("/\\xff", 32),
                                   ("/\\xfe", 16), ("/\\x5cxff", 8)]), \
                      ("caches", [("same", 128), ("same", 64), ("(none: large kmalloc)", 312)]):
        browser.open(page)
        rows = table(browser, "#" + view)
        key = list(rows[0])[0]
        expect(sorted((row[key], row["live bytes"]) for row in rows) == sorted(live),
               f"{page}: {view}: {rows}")
        # Each of them can be chosen, also by the address.
        for i, row in enumerate(rows):
            browser.open(page)
            click(browser, f"#{view} tbody tr:nth-child({i + 1})")
            browser.open(page, browser.evaluate("location.hash"))
            expect(browser.evaluate("find('#only').textContent") == f"only: {row[key]} \u00d7" and
                   table(browser, "#totals")[0]["live bytes"] == row["live bytes"],
                   f"{page}: {row} is not what was chosen")
    browser.open(page, "#by=module")
    nodes = browser.evaluate("[...document.querySelectorAll('#tree title')].map(node => "
                             "node.textContent.split('\\n')[0])")
    expect([name for name in nodes if name.startswith("init_once (")] ==
           ["init_once (2 of 2) 312B 61.9%", "init_once (1 of 2) 192B 38.1%"],
           f"{page}: functions {nodes}")


def check_diff(browser, program, traces, page):
    before, after = traces
    wanted = report(program, [before, after], "--diff")
    browser.open(page)
    for i, space in enumerate(SPACES):
        browser.choose("space", i)
        totals = {row["allocator"]: row for row in table(browser, "#totals")}
        row = totals.get(space, {"before": 0, "after": 0, "change": 0})
        total, = of(wanted["totals"], space)
        old, new = total["live_bytes_before"], total["live_bytes_after"]
        expect((row["before"], row["after"], row["change"]) == (old, new, new - old),
               f"{page}: change of {space}: {row}, expected {old}, {new}")
    check_changes(browser, wanted, page)
    words = shlex.split(browser.evaluate("find('#command').textContent"))
    expect(words[:2] == ["kmemtrace-report", "-d"] and words[-2:] == traces,
           f"{page}: not the command of the difference: {words}")
    columns = list(table(browser, "#caches")[0])
    expect(columns == ["cache", "change", "before", "after", "change of objects",
                       "change of allocations", "bytes each"], f"{page}: columns {columns}")


def check_changes(browser, wanted, page):
    """The largest changes of each measure are those of the text report."""
    got = browser.evaluate("""[...document.querySelectorAll("#changes tbody tr")].map(row =>
        [...row.cells].slice(1).map(cell => [...cell.querySelectorAll("a")].map(link =>
            Math.abs(Number(link.dataset.value)))))""")
    order = browser.evaluate("CHANGES")
    for space, row in zip(SPACES, got):
        for i, measure in enumerate(order):
            changes = sorted((abs(site[measure + "_change"]) for site in of(wanted["sites"], space)
                              if site[measure + "_change"]), reverse=True)
            expect(row[i] == changes[:3],
                   f"{page}: largest changes of {space}, {measure}: {row}, not {changes[:3]}")
    browser.evaluate("document.querySelector('#changes tr:nth-child(2) td:nth-child(4) a').click()")
    browser.settle()
    expect(browser.evaluate("[state.space, state.measure]") == [1, "bytes"],
           f"{page}: a change does not lead to its measure")


def check_paper(browser, page):
    """Landscape A4 has 1032 pixels between its margins."""
    browser.call("Emulation.setDeviceMetricsOverride", width=1032, height=700,
                 deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.open(page)
    show_all(browser)
    wide = browser.evaluate("""[...document.querySelectorAll("table, svg")].filter(box =>
        box.getBoundingClientRect().right > innerWidth).map(box => box.closest("section").id)""")
    expect(not wide, f"{page}: wider than paper: {wide}")
    cut = browser.evaluate("""[...document.querySelectorAll(".table")].filter(box =>
        getComputedStyle(box).overflow !== "visible").map(box => box.closest("section").id)""")
    expect(not cut, f"{page}: cut off on paper: {cut}")
    expect("live at the end" in browser.evaluate("document.querySelector('nav').innerText"),
           f"{page}: paper lacks what was chosen")
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setEmulatedMedia", media="")


def check_policy(browser, page):
    """The page's policy must stop what a script could ask for."""
    browser.open(page)
    for what in ("new Image().src = 'http://127.0.0.1:9/'",
                 "fetch('http://127.0.0.1:9/').catch(() => 0)",
                 "document.body.append(Object.assign(document.createElement('script'), "
                 "{ textContent: 'hacked = 1' }))"):
        stopped = browser.evaluate("""new Promise(done => {
            addEventListener("securitypolicyviolation", () => done(true), { once: true });
            setTimeout(() => done(false), 2000);
            %s;
        })""" % what)
        expect(stopped, f"{page}: the policy allows {what}")
    browser.events = []


def shots(browser, page, prefix):
    for name, state in ("light", "#stacked=1"), ("dark", "#space=pages&shape=treemap"):
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": name}])
        browser.open(page, state)
        browser.settle()
        data = browser.call("Page.captureScreenshot", captureBeyondViewport=True,
                            format="png")["data"]
        with open(f"{prefix}-{name}.png", "wb") as out:
            out.write(base64.b64decode(data))


def no_requests(browser, page):
    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            expect(url.startswith("file://") and params.get("type") == "Document",
                   f"{page} requests {url}")
        if method == "Log.entryAdded":
            expect(False, f"{page}: {params['entry']['text']}")
        if method == "Runtime.exceptionThrown":
            expect(False, f"{page}: {params['exceptionDetails']}")


def check_page(browser, program, trace, page, *checks):
    checks = iter(checks)
    for check in checks:
        if check == "ranges":
            check_ranges(browser, program, trace, page)
        elif check == "trust":
            check_trust(browser, program, trace, page)
        elif check == "views":
            check_views(browser, program, trace, page)
        elif check == "suspects":
            check_suspects(browser, program, trace, page)
        elif check == "labels":
            check_labels(browser, page)
        elif check == "chart":
            check_chart(browser, page)
        elif check == "brush":
            check_brush(browser, program, trace, page)
        elif check == "who":
            check_who(browser, program, trace, page)
        elif check == "rest":
            check_rest(browser, page)
        elif check == "search":
            check_search(browser, page)
        elif check == "only":
            check_only(browser, page)
        elif check == "command":
            check_command(browser, program, page)
        elif check == "lengths":
            check_lengths(browser, page)
        elif check == "sums":
            check_sums(browser, program, trace, page)
        elif check == "hostile":
            check_hostile(browser, program, trace, page)
        elif check == "alike":
            check_alike(browser, page)
        elif check == "diff":
            check_diff(browser, program, [next(checks), trace], page)
        elif check == "paper":
            check_paper(browser, page)
        elif check == "policy":
            check_policy(browser, page)
        elif check == "time":
            limit = float(next(checks))
            times = sorted(browser.open(page) for _ in range(3))
            print(f"{os.path.basename(page)}: ready in {times[1]:.2f} s, "
                  f"{os.path.getsize(page)} bytes")
            expect(times[0] < limit, f"{page}: ready in {times[0]} s, expected {limit}")
        elif check == "shots":
            shots(browser, page, next(checks))
        else:
            sys.exit(f"html.py: no check {check}")
        no_requests(browser, page)


def main():
    if sys.argv[1] == "-k":
        vmlinux.extend(sys.argv[1:3])
        del sys.argv[1:3]
    program, = sys.argv[1:]
    browser = Browser()
    for line in sys.stdin:
        check_page(browser, program, *shlex.split(line))
    browser.close()
    sys.exit(failed)


main()
