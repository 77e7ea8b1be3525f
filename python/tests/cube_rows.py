# SPDX-License-Identifier: Apache-2.0
"""Tables of keys, written by hand."""

from __future__ import annotations

import itertools

from tgmap.cubes import Options, Rows, plan

GRID = (3, 4)


def product(**keys):
    """Return rows for all combinations of values of keys; what is no list is one value."""
    lists = {key: value if isinstance(value, list) else [value] for key, value in keys.items()}
    return [dict(zip(lists, values)) for values in itertools.product(*lists.values())]


def table(rows, shape=GRID, dtype="float32", **more):
    """Return Rows of dicts. Keys without a dot are those of MARS, but for name, variables and grib_sections.

    "_shape", "_dtype", "_dims", "_digest" and "_message" are of the object.
    """
    names = dict.fromkeys(key for row in rows for key in row if not key.startswith("_"))
    columns = {
        key if "." in key or key in ("name", "variables", "grib_sections") else f"mars.{key}": [
            row.get(key) for row in rows
        ]
        for key in names
    }
    options = {}
    for key, name in (("_dims", "dim_names"), ("_digest", "digests"), ("_message", "messages")):
        if any(key in row for row in rows):
            options[name] = [row.get(key) for row in rows]
    if "messages" in options:
        seen = {}
        options["objects"] = [seen.setdefault(m, itertools.count()).__next__() for m in options["messages"]]
    return Rows.of(
        columns,
        dtypes=[row.get("_dtype", dtype) for row in rows],
        shapes=[row.get("_shape", shape) for row in rows],
        **options,
        **more,
    )


def groups(rows, **options):
    """Return the groups of rows by their names."""
    return {each.name: each for each in plan(table(rows), Options(**options)).groups}


def only(rows, **options):
    """Return the one group of rows."""
    return plan(table(rows), Options(**options)).only()


def labels(group, name):
    """Return the labels of a coordinate as a list of text or numbers."""
    values = group.coordinates[name].values
    return [str(each) for each in values] if values.dtype.kind in "mM" else values.tolist()


def sections(grid=b"O96", edition=2, start=0, is_interval=True):
    """Return the first sections of a GRIB message: some bytes as its grid, and the start of an interval in hours."""

    def section(number, content):
        return (len(content) + 5).to_bytes(4, "big") + bytes([number]) + content

    if edition == 2:
        template = (8 if is_interval else 0).to_bytes(2, "big")
        statistics = bytes(2) + template + bytes(8) + b"\1" + start.to_bytes(4, "big") + bytes(36)
        body = section(1, b"origin") + section(3, grid) + section(4, statistics) + section(5, b"packing")
        return b"GRIB\0\0\0\2" + bytes(8) + body
    first = (28).to_bytes(3, "big") + bytes(4) + b"\x80" + bytes(9) + b"\1" + bytes([start, start + 6])
    first += (b"\4" if is_interval else b"\0") + bytes(7)
    return b"GRIB\0\0\0\1" + first + (3 + len(grid)).to_bytes(3, "big") + grid
