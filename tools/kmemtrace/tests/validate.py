#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""validate.py SCHEMA FILE...: check JSON files against a JSON Schema.

Knows the keywords that the schemas of the reports use, and refuses others.
"""

import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "number": (int, float), "null": type(None)}
NOTES = {"$schema", "title", "description", "definitions", "unit"}


class Invalid(Exception):
    """A value does not match the schema."""


def check_type(schema, value, _root, path):
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    for kind in map(TYPES.get, names):
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return
    raise Invalid(f"{path}: no {' or '.join(names)}")


def check_properties(schema, value, root, path):
    if value is None:
        return
    for key, member in schema["properties"].items():
        if key in value:
            check(member, value[key], root, f"{path}/{key}")


def check_required(schema, value, _root, path):
    for key in schema["required"]:
        if value is not None and key not in value:
            raise Invalid(f"{path}: has no {key}")


def check_additional(schema, value, _root, path):
    for key in value:
        if key not in schema["properties"]:
            raise Invalid(f"{path}: unknown {key}")


def check_items(schema, value, root, path):
    for i, item in enumerate(value):
        check(schema["items"], item, root, f"{path}/{i}")


def check_any(schema, value, root, path):
    reasons = []
    for choice in schema["anyOf"]:
        try:
            check(choice, value, root, path)
            return
        except Invalid as e:
            reasons.append(str(e))
    raise Invalid(" and ".join(reasons))


def check_ref(schema, value, root, path):
    check(root["definitions"][schema["$ref"].removeprefix("#/definitions/")], value, root, path)


def check_enum(schema, value, _root, path):
    if value not in schema["enum"]:
        raise Invalid(f"{path}: {value!r}")


def check_const(schema, value, _root, path):
    if value != schema["const"]:
        raise Invalid(f"{path}: {value!r}")


def check_minimum(schema, value, _root, path):
    if value < schema["minimum"]:
        raise Invalid(f"{path}: {value}")


def check_pattern(schema, value, _root, path):
    if not re.search(schema["pattern"], value):
        raise Invalid(f"{path}: {value!r}")


CHECKS = {
    "type": check_type, "required": check_required, "properties": check_properties,
    "additionalProperties": check_additional, "items": check_items, "anyOf": check_any,
    "$ref": check_ref, "enum": check_enum, "const": check_const,
    "minimum": check_minimum, "pattern": check_pattern,
}


def check(schema, value, root, path):
    """Raise Invalid unless the value matches the schema."""
    for keyword in schema:
        if keyword not in CHECKS and keyword not in NOTES:
            sys.exit(f"the schema has {keyword!r}, which is not known")
    for keyword, function in CHECKS.items():
        if keyword in schema:
            function(schema, value, root, path)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    status = 0
    for name in sys.argv[2:]:
        try:
            with open(name, encoding="utf-8") as f:
                check(schema, json.load(f), schema, "")
        except (Invalid, ValueError) as e:
            print(f"{name}: {e}")
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
