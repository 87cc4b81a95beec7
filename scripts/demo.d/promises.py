#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the report of a boot trace hold what kmemtrace promises of one?

Usage: promises.py REPORT.json
"""

import json
import sys

def promises(report):
    """(promise, kept) pairs."""
    trace = report["trace"]
    sites = [site for space in ("slab", "pages")
             for site in report["sites"][space]]
    # What is older than the trace has no call site.
    top = [site for space in ("slab", "pages")
           for site in report["sites"][space][:50] if "note" not in site]

    yield f"{trace['events']} events, 100000 at least", \
        trace["events"] >= 100000
    yield f"{trace['lost_bytes']} bytes lost", \
        trace["complete"] and trace["lost_bytes"] == 0
    yield f"the {len(top)} top call sites have names", \
        all(site.get("symbol") for site in top)
    yield "begins early enough to see workqueue_init_early()", \
        any(site.get("symbol", "") == "workqueue_init_early" for site in sites)
    yield "all that was live when tracing began is known", \
        report["baseline"]["complete"]
    yield f"{trace['unexplained']} findings that nothing explains", \
        trace["unexplained"] == 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    broken = 0
    for promise, kept in promises(report):
        print(f"{'ok' if kept else 'not ok'} - {promise}")
        broken += not kept
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
