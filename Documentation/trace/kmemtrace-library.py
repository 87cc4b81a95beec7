#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the rows of a relation: kmemtrace-library.py DIR RELATION [MEMBER=VALUE]...

The members are group_by, where, sort, limit and columns of struct kmemtrace_query, such as
sort=live_bytes.
"""

import ctypes
import sys
from ctypes import byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p

library = ctypes.CDLL("libkmemtrace.so.2")


class Query(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("relation", c_char_p), ("group_by", c_char_p),
                ("where", c_char_p), ("sort", c_char_p), ("limit", c_size_t),
                ("columns", c_char_p)]


class Column(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("heading", c_char_p),
                ("help", c_char_p), ("type", c_int), ("unit", c_int), ("is_key", c_bool),
                ("is_optional", c_bool), ("error", c_char_p)]


class Number(ctypes.Union):
    _fields_ = [("number", c_uint64), ("signed_number", c_int64), ("real", c_double)]


class Value(ctypes.Structure):
    _anonymous_ = ["a_number"]
    _fields_ = [("a_number", Number), ("text", c_char_p)]


# By enum kmemtrace_type: the member of a value, and what Python makes of it.
TYPES = [("number", int), ("signed_number", int), ("real", float), ("number", bool),
         ("number", hex), ("text", bytes.decode)]

library.kmemtrace_relation_column.restype = ctypes.POINTER(Column)
library.kmemtrace_relation_column.argtypes = [c_void_p, c_size_t]
library.kmemtrace_relation_next.restype = c_bool
library.kmemtrace_relation_value.restype = c_bool
library.kmemtrace_relation_value.argtypes = [c_void_p, c_size_t, ctypes.POINTER(Value)]


def read(path):
    """Return a trace that was read."""
    trace = c_void_p()
    if library.kmemtrace_open(byref(trace), path.encode(), None) or \
            library.kmemtrace_read(trace):
        sys.exit(f"{path}: no trace that can be read")
    return trace


def columns_of(relation):
    """Yield name and type of each column."""
    i = 0
    while column := library.kmemtrace_relation_column(relation, i):
        yield column[0].name.decode(), TYPES[column[0].type]
        i += 1


def rows_of(trace, **members):
    """Yield the rows of a query as dictionaries."""
    query = Query(ctypes.sizeof(Query), **{
        name: int(value) if name == "limit" else value.encode()
        for name, value in members.items()})
    relation, problem, value = c_void_p(), c_char_p(), Value()
    if library.kmemtrace_relation_open(trace, byref(query), byref(relation), byref(problem)):
        sys.exit((problem.value or b"no memory").decode())
    columns = list(columns_of(relation))
    while library.kmemtrace_relation_next(relation):
        yield {name: kind(getattr(value, member)) for i, (name, (member, kind)) in
               enumerate(columns) if library.kmemtrace_relation_value(relation, i, byref(value))}
    library.kmemtrace_relation_close(relation)


def main():
    """Print the rows that the arguments choose."""
    members = [member.partition("=") for member in sys.argv[3:]]
    known = {name for name, _ in Query._fields_[2:]}
    chosen = {name: value for name, _, value in members}
    if len(sys.argv) < 3 or any(name not in known or not equals for name, equals, _ in members) \
            or not chosen.get("limit", "0").isdigit():
        sys.exit(__doc__)
    for row in rows_of(read(sys.argv[1]), relation=sys.argv[2], **chosen):
        print(*(f"{name}={value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
