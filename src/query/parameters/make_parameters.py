#!/usr/bin/env python3
"""Writes parameter_table.inc: names, units and codes of the parameters that ecCodes' definitions describe.

usage: make_parameters.py DEFINITIONS VERSION > parameter_table.inc

DEFINITIONS is the folder of ecCodes' definitions, which `codes_info -d` prints, and VERSION that of ecCodes. The folder has one
file for paramId, shortName, cfVarName, cfName and units each, with entries such as `'167' = { conditions }`. Entries of the same
conditions belong together.
"""

import collections
import pathlib
import re
import sys

# The first of these that names a parameter counts. Other centres reuse small numbers for parameters of their own.
FOLDERS = ("grib2", "grib1", *(f"grib{edition}/localConcepts/{name}" for name in (
    "ecmf", "s2s", "tigge", "uerra", "destine", "era6", "nextgems", "kwbc", "egrr", "lfpw") for edition in (2, 1)))
NO_NAME = {"", "~", "unknown"}

Parameter = collections.namedtuple("Parameter", "short variable units standard")


def entries(path):
    """The values of a file of definitions, each with its conditions."""
    if not path.exists():
        return
    text = re.sub(r"^\s*#.*$", "", path.read_text(encoding="latin-1"), flags=re.M)
    for value, body in re.findall(r"'([^']*)'\s*=\s*\{([^}]*)\}", text):
        yield value, frozenset(re.sub(r"\s", "", each) for each in body.split(";") if each.strip())


def read_folder(folder):
    """The parameters of one folder by number."""
    values = {name: {where: value for value, where in entries(folder / f"{name}.def")}
              for name in ("shortName", "cfVarName", "units", "cfName")}
    found = collections.defaultdict(list)
    for number, where in entries(folder / "paramId.def"):
        found[int(number)].append(Parameter(*(values[name].get(where, "") for name in values)))
    out = {}
    for number, parameters in found.items():
        most = [collections.Counter(filter(None, column)).most_common(1) for column in zip(*parameters)]
        out[number] = Parameter(*(each[0][0] if each else "" for each in most))
    return out


def read_parameters(definitions):
    """All parameters by number; a value that the first folder lacks is that of the next one with the same short name."""
    out = {}
    for folder in FOLDERS:
        for number, each in read_folder(definitions / folder).items():
            if each.short in NO_NAME:
                continue
            known = out.setdefault(number, each)
            if known.short == each.short:
                out[number] = Parameter(*(a or b for a, b in zip(known, each)))
    return {number: each._replace(variable="" if each.variable in {each.short, *NO_NAME} else each.variable,
                                  units="" if each.units in NO_NAME else each.units,
                                  standard="" if each.standard in NO_NAME else each.standard)
            for number, each in sorted(out.items())}


def read_codes(definitions, parameters):
    """Codes of GRIB 1, table * 1000 + number, of the parameters that have another number than this rule gives."""
    out = {}
    for number, where in entries(definitions / "grib1/localConcepts/ecmf/paramId.def"):
        conditions = dict(each.split("=") for each in where)
        if set(conditions) != {"table2Version", "indicatorOfParameter"} or int(number) not in parameters:
            continue
        table, code = int(conditions["table2Version"]), int(conditions["indicatorOfParameter"])
        if int(number) != (code if table == 128 else table * 1000 + code):
            out[table * 1000 + code] = int(number)
    return dict(sorted(out.items()))


class Pool:
    """Texts that end in a zero byte, each stored once."""

    def __init__(self):
        self.places, self.texts, self.size = {}, [], 0

    def add(self, text):
        assert text.isascii() and "\\" not in text and '"' not in text and "\0" not in text, text
        if text not in self.places:
            self.places[text] = self.size
            self.texts.append(text)
            self.size += len(text) + 1
        return self.places[text]


def print_items(items):
    line = ""
    for item in items:
        if len(line) + len(item) > 116:
            print(f"  {line.rstrip()}")
            line = ""
        line += item
    print(f"  {line.rstrip()}")


def print_array(declaration, items):
    print(f"constexpr {declaration}[] = {{")
    print_items(f"{item}," for item in items)
    print("};")


def print_pool(name, pool):
    print(f"constexpr char {name}[] =")
    print_items(f'"{text}\\0" ' for text in pool.texts)
    print("  ;")


def main():
    definitions, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    parameters = read_parameters(definitions)
    names, others = Pool(), Pool()
    others.add("")
    rows = [f"{{{number},{names.add(each.short)},{names.add(each.variable)},{others.add(each.units)},{others.add(each.standard)}}}"
            for number, each in parameters.items()]
    assert others.size < 1 << 16 and len(rows) < 1 << 16
    numbers = list(parameters)
    by_name = sorted(range(len(rows)), key=lambda i: (parameters[numbers[i]].short.encode(), numbers[i]))
    print(f"// Made by make_parameters.py from the definitions of ecCodes {version}, (C) ECMWF, Apache License 2.0.")
    print("// Rows by number: the number, places of short name and name of variable, places of units and CF standard name.")
    print_array("row rows", rows)
    print("// Numbers of rows by short name.")
    print_array("std::uint16_t rows_by_name", map(str, by_name))
    print("// Codes of GRIB 1, 1000 * table + number, with the numbers of their parameters.")
    print_array("code codes", (f"{{{code},{number}}}" for code, number in read_codes(definitions, parameters).items()))
    print_pool("names", names)
    print_pool("other_texts", others)


if __name__ == "__main__":
    main()
