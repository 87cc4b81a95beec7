# SPDX-License-Identifier: GPL-2.0
"""The layouts of records: the rows of src/common/records.def, which says what they mean."""
import collections
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common/records.def")
ROW = re.compile(r"^(RECORD|FIELD|CHOICE|CONSTANT|ZEROS|TAIL)\(((?:[^()\"]|\"[^\"]*\")*)\)$", re.M)
VALUE = re.compile(r"VALUE\((\w+), (\d+), \"(\w+)\", ((?:\"[^\"]*\"|[\\\s])*)\)")
CHOICES = re.compile(r"^#define (\w+)\(VALUE\)((?:.*\\\n)*.*)$", re.M)
# The words before the timestamp: the second byte, the s32 and five u64.
HEAD_WORDS = 7

# @constant is the value where none is given, @words how many words it has, @text what it means.
Field = collections.namedtuple("Field", "name kind constant words text", defaults=[0, 1, ""])


class Layout:
    """A record: its name, its number, the values of its type_id, and its fields."""

    def __init__(self, name, constant, number, first, last, abi, _):
        self.name, self.constant, self.id = name, constant, int(number)
        self.first, self.last, self.abi = int(first), int(last), int(abi)
        self.fields = []
        if self.first >= 0:
            self.fields.append(Field("type_id", "TYPE", self.first))

    def words(self):
        """Return the name and the constant of each word before the text or the words at the end."""
        return [(field.name, field.constant) for field in self.fields
                if field.kind not in ("TEXT", "NAME", "WORDS") for _ in range(field.words)]


def text_of(strings):
    """Return the text of strings of C that follow each other."""
    return "".join(re.findall(r"\"([^\"]*)\"", strings))


def read_table():
    """
    Return the numbers by their constants, without KMEMTRACE_, the layouts by their names, and the
    number and text of each type_id.
    """
    with open(TABLE, encoding="ascii") as file:
        table = file.read()
    numbers, choices, layouts = {}, {}, {}
    for name, values in CHOICES.findall(table):
        choices[name] = [(int(number), text_of(text))
                         for _, number, _, text in VALUE.findall(values)]
        numbers.update((constant, int(number))
                       for constant, number, _, _ in VALUE.findall(values))
    layout = None
    for row, arguments in ROW.findall(table):
        _, name, *rest = re.split(r",\s*", arguments, maxsplit=3)
        if row == "RECORD":
            layout = Layout(*re.split(r",\s*", arguments))
            layouts[layout.name] = layout
            numbers[layout.constant] = layout.id
        elif row == "CONSTANT":
            layout.fields.append(Field(name, row, int(rest[0])))
        elif row == "ZEROS":
            layout.fields.append(Field(name, row, 0, int(rest[0])))
        elif row == "CHOICE":
            text = "; ".join([text_of(rest[1])] * bool(text_of(rest[1])) +
                             [f"{number} {text}" for number, text in choices[rest[0]]])
            layout.fields.append(Field(name, row, text=text))
        else:
            layout.fields.append(Field(name, rest[0], text=text_of(rest[1])))
    return numbers, layouts, choices["TYPES"]


NUMBERS, LAYOUTS, TYPES = read_table()
