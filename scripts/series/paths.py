#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""List the functions of the allocators that allocate or free memory without a hook.

The calls in the text of the allocators' files are a graph. A function that changes a list
of free memory is a core. A function is listed if other files can call it, or if it is a
callback, and

  - a chain of calls leads from it to a core, and no function of the chain has a hook or
    calls a function that has one, or that reaches a hook and no core; or
  - by its name it allocates or frees, and it reaches neither a core nor a hook that records
    this: hooks of pages don't record objects, hooks of frees don't record allocations; or
  - it changes the size of an allocation, and has no hook.

Many of these are right: they move free memory, or their callers have the hook. Those are in
the table kernels/VERSION/unhooked, with the columns file, function, reason. For another
kernel, its difference to the table of the nearest kernel is what somebody has to read.

Usage: paths.py check TREE [TABLE]	exit 1 if the tree has others than the table
       paths.py print TREE [TABLE]	print the table for the tree; reasons are from TABLE
       paths.py why TREE FUNCTION	print a chain of calls without a hook
"""

import os
import re
import sys

import hooks
from overlay import OverlayError, read

# The lists of free memory in each file: fields and functions that only its cores use.
CORES = {
    "mm/slub.c": r"(->|\.)freelist\b|->objects\[",
    "mm/slab.c": r"(->|\.)entry\[|(->|\.)freelist\b",
    "mm/slob.c": r"\bslob_page_alloc\b|\bset_slob\b",
    "mm/page_alloc.c": r"_free_list\(|(->|\.)lists\[|(->|\.)(pcp|buddy)_list\b",
    "mm/percpu.c": r"(->|\.)alloc_map\b",
    "mm/vmalloc.c": r"\b_*insert_vmap_area\(|\b_*unlink_va\(|->nr_pages = ",
    "mm/slab_common.c": None,
    "mm/util.c": None,
    "mm/mempool.c": None,
    "mm/mempolicy.c": None,
    "mm/page_frag_cache.c": None,
    "mm/compaction.c": r"(->|\.)freepages\b",
}
# Fields with the size of what a caller has.
SIZES = {"mm/vmalloc.c": re.compile(r"->nr_pages = ")}
# Their macros and inline functions lead from one function of the allocators to another.
HEADERS = ("include/linux/slab.h", "include/linux/gfp.h", "include/linux/vmalloc.h",
           "include/linux/percpu.h", "include/linux/string.h", "include/linux/mm.h",
           "mm/internal.h", "mm/slab.h")
MACRO = re.compile(r"^#\s*define\s+(\w+)\(((?:.*\\\n)*.*)$", re.M)
NAMES = {"alloc": re.compile(r"alloc|get_zeroed|dup(_|$)"), "free": re.compile(r"free(?!z)")}
# Hooks that record no allocation and no free.
CHARGES = re.compile(r"\w+_charge$|memcg_change$")
# What the hooks record, of which memory.
KINDS = {
    "alloc": {"slab": r"kmalloc|kmem_cache_alloc\w*", "page": "page_alloc",
              "percpu": "percpu_alloc", "vmalloc": "vmalloc"},
    "free": {"slab": r"kfree|kmem_cache_free\w*", "page": "page_free",
             "percpu": "percpu_free", "vmalloc": "vm_area_free"},
}
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
SLAB_ALLOCATORS = ("mm/slub.c", "mm/slab.c", "mm/slob.c")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def kind(file):
    """Return the kind of memory that the functions of a file hand out, or None."""
    if file in (*SLAB_ALLOCATORS, "mm/slab_common.c"):
        return "slab"
    return {"mm/page_alloc.c": "page", "mm/percpu.c": "percpu",
            "mm/vmalloc.c": "vmalloc"}.get(file)


class Function:
    """A function of a file: what it calls, and what it does itself."""

    def __init__(self, file, head, body, core):
        self.file = file
        self.is_static = bool(re.search(r"\bstatic\b", head))
        self.words = set(CALL.findall(STRING.sub("", body)))
        self.hooks = [name for name in hooks.HOOK.findall(body) if not CHARGES.match(name)]
        self.has_hook = bool(self.hooks)
        self.is_core = bool(core and re.search(core, body))
        self.resizes = bool(file in SIZES and SIZES[file].search(body))


def parse(file, text):
    """Yield (name, Function) of each function in the @text of @file."""
    code = hooks.NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    end = 0
    for body in hooks.BODY.finditer(code):
        head = hooks.CPP_LINE.sub("", code[end:body.start()])
        end = body.end()
        name = hooks.function_name(head)
        start = max(head.rfind(";"), head.rfind("}")) + 1
        if re.match(r"\w", name) and f"{name}" in head[start:]:
            yield name, Function(file, head[start:], body[0], CORES.get(file))
    for macro in MACRO.finditer(code):
        yield macro[1], Function(file, "static", macro[2], None)


class Graph:
    """The functions of the allocators in a tree, with one slab allocator."""

    def __init__(self, tree, slab_allocator):
        self.functions = {}
        for file in [*CORES, *HEADERS]:
            if file in SLAB_ALLOCATORS and file != slab_allocator:
                continue
            if os.path.exists(f"{tree}/{file}"):
                for name, function in parse(file, read(f"{tree}/{file}")):
                    self.functions.setdefault(name, function)
        for name, function in self.functions.items():
            function.calls = sorted(word for word in function.words
                                    if word in self.functions and word != name)
        self.to_core = self.reaching(lambda function: function.is_core)
        self.to_hook = self.reaching(lambda function: function.has_hook)
        self.hooked = {name for name in self.to_hook
                       if name not in self.to_core or self.functions[name].has_hook}
        self.to_kind = {(action, of): self.reaching(lambda function, hook=re.compile(hook):
                                                    any(map(hook.fullmatch, function.hooks)))
                        for action, kinds in KINDS.items() for of, hook in kinds.items()}
        self.covered = {name for name, function in self.functions.items()
                        if function.has_hook or self.hooked.intersection(function.calls)}

    def reaching(self, goal):
        """Return the functions from which calls lead to a function that is a @goal."""
        callers = {}
        for name, function in self.functions.items():
            for call in function.calls:
                callers.setdefault(call, []).append(name)
        found = {name for name, function in self.functions.items() if goal(function)}
        todo = list(found)
        while todo:
            for caller in callers.get(todo.pop(), []):
                if caller not in found:
                    found.add(caller)
                    todo.append(caller)
        return found

    def chain(self, name):
        """Return a chain of calls from @name to a core without a hook, or None."""
        came_from = {name: None}
        todo = [name]
        while todo:
            here = todo.pop(0)
            if here in self.covered:
                continue
            function = self.functions[here]
            if function.is_core:
                chain = []
                while here:
                    chain.append(here)
                    here = came_from[here]
                return chain[::-1]
            for call in function.calls:
                if call in self.to_core and call not in came_from:
                    came_from[call] = here
                    todo.append(call)
        return None

    def unhooked(self):
        """Return the rows (file, function) of the functions to list."""
        rows = []
        called = {call for function in self.functions.values() for call in function.calls}
        for name, function in self.functions.items():
            if function.file in HEADERS or (function.is_static and name in called):
                continue
            if self.chain(name) or (not function.is_static and self.lacks(name)):
                rows.append((function.file, name))
        return rows

    def lacks(self, name):
        """Return true if @name resizes, allocates or frees, and nothing records that."""
        function = self.functions[name]
        if function.resizes and not function.has_hook:
            return True
        of = kind(function.file)
        for action, pattern in NAMES.items():
            if pattern.search(name):
                found = self.to_kind[action, of] if of else self.to_core | self.to_hook
                if name not in found:
                    return True
        return False


class Graphs:
    """A graph for each slab allocator of a tree."""

    def __init__(self, tree):
        self.graphs = [Graph(tree, file) for file in SLAB_ALLOCATORS
                       if os.path.exists(f"{tree}/{file}")]

    def unhooked(self):
        """Return the sorted rows of all graphs."""
        return sorted(set().union(*(graph.unhooked() for graph in self.graphs)))

    def chain(self, name, file=None):
        """Return a chain of calls from @name, of @file, to a core without a hook, or None."""
        chains = (graph.chain(name) for graph in self.graphs if name in graph.functions
                  and file in (None, graph.functions[name].file))
        return next(filter(None, chains), None)


def read_table(path):
    """Return {(file, function): reason} of a table."""
    return {tuple(line.split("\t")[:2]): line.split("\t")[2]
            for line in read(path).splitlines()}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    command, tree, table = (sys.argv[1:] + [None])[:3]
    graph = Graphs(tree)
    if command == "why":
        print(" -> ".join(graph.chain(table) or ["no chain without a hook"]))
        return
    if not table:
        table = os.path.join(os.path.dirname(hooks.table_path(tree)), "unhooked")
    known = read_table(table) if os.path.exists(table) else {}
    rows = graph.unhooked()
    if command == "print":
        for row in rows:
            print(*row, known.get(row, "?"), sep="\t")
    elif command == "check":
        for row in rows:
            if row not in known:
                print(f"no hook: {row[0]}: {' -> '.join(graph.chain(row[1], row[0]) or [row[1]])}")
        for row in known:
            if row not in rows:
                print(f"not there or with a hook: {row[0]}: {row[1]}")
        sys.exit(set(rows) != set(known))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except OverlayError as error:
        sys.exit(f"paths.py: {error}")
