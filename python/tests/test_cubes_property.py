# SPDX-License-Identifier: Apache-2.0
"""Never a value under the wrong label: random cubes whose objects are shuffled, left out and repeated."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from cube_rows import table
from tgmap.cubes import Options, plan

CHOICES = {
    "number": [1, 2, 3, 7, 50],
    "date": [20231231, 20240101, 20240229, 20240301],
    "time": ["0000", "0600", "1200", "1830"],
    "step": [0, 3, 6, 120, 240],
    "levelist": [1000, 850, 500, 10, 5],
    "direction": [1, 2, 3],
    "quantile": ["1:10", "2:10", "10:10"],
    "stream": ["oper", "enfo"],
    "expver": ["0001", "0002", "a"],
}


def random_rows(rng):
    """Return rows of one to three variables, each with some keys of its own."""
    rows = []
    for param in rng.sample(["t", "u", "2t", "tp"], rng.randint(1, 3)):
        keys = rng.sample(list(CHOICES), rng.randint(0, 4))
        if "time" in keys and "date" not in keys:
            keys.append("date")
        values = [rng.sample(CHOICES[key], rng.randint(1, min(3, len(CHOICES[key])))) for key in keys]
        rows += [{"param": param, **dict(zip(keys, each))} for each in itertools.product(*values)]
    rng.shuffle(rows)
    dropped = rng.choice([0, 0, 0.2])
    rows = [row for row in rows if rng.random() >= dropped] or rows[:1]
    repeated = rng.choice([0, 0, 0.2])
    rows += [dict(row) for row in rows if rng.random() < repeated]
    rng.shuffle(rows)
    return rows


def decoded(group, name, index, dims):
    """Return the keys that the labels of a cell mean."""
    out = {}
    positions = dict(zip(dims, index))
    for key, coordinate in group.coordinates.items():
        if coordinate.values is None or not set(coordinate.dims) <= set(positions):
            continue
        value = coordinate.values[tuple(positions[dim] for dim in coordinate.dims)]
        if key == "forecast_reference_time":
            text = str(value.astype("datetime64[m]"))
            out["date"], out["time"] = int(text[:10].replace("-", "")), text[11:13] + text[14:]
        elif key == "step":
            out["step"] = int(value // np.timedelta64(1, "h"))
        else:
            out[key] = value.item()
    return out


@pytest.mark.parametrize("seed", range(150))
def test_every_cell_has_the_object_of_its_labels(seed):
    rng = random.Random(seed)
    rows = random_rows(rng)
    duplicates, names = rng.choice(["first", "last", "stack"]), "mars"
    join = rng.choice(["exact", "exact", "outer"])
    squeeze = rng.random() < 0.7
    options = Options(duplicates=duplicates, names=names, allow_holes=True, join=join, squeeze=squeeze)
    found = plan(table(rows), options)
    placed = []
    for group in found.groups:
        for name, variable in group.variables.items():
            assert variable.cells.shape == tuple(group.sizes[dim] for dim in variable.dims[: variable.cells.ndim])
            for index, row in np.ndenumerate(variable.cells):
                if row < 0:
                    continue
                placed.append(int(row))
                keys = decoded(group, name, index, variable.dims)
                assert rows[row]["param"] == name
                for key, value in rows[row].items():
                    if key not in keys:
                        known = variable.attrs.get(key, group.attrs.get(key))
                        assert known == value or key in ("date", "time"), key
                    elif key in keys:
                        assert keys[key] == value, (key, keys, rows[row])
    assert len(placed) == len(set(placed))
    if duplicates == "stack":
        assert sorted(placed) == list(range(len(rows)))  # nothing is lost
    else:
        kept = {tuple(sorted(rows[row].items(), key=str)) for row in placed}
        assert kept == {tuple(sorted(row.items(), key=str)) for row in rows}


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_objects_changes_nothing_but_rows(seed):
    rng = random.Random(1000 + seed)
    rows = random_rows(rng)
    unique = [dict(each) for each in dict.fromkeys(tuple(row.items()) for row in rows)]
    options = Options(allow_holes=True)
    first = plan(table(unique), options)
    order = rng.sample(range(len(unique)), len(unique))
    second = plan(table([unique[i] for i in order]), options)
    assert [each.name for each in first.groups] == [each.name for each in second.groups]
    for a, b in zip(first.groups, second.groups):
        assert list(a.variables) == list(b.variables) and list(a.coordinates) == list(b.coordinates)
        for name in a.variables:
            where = np.append(np.array(order), -1)
            assert np.array_equal(a.variables[name].cells, where[b.variables[name].cells])
            assert a.variables[name].attrs == b.variables[name].attrs
        for name in a.coordinates:
            assert np.array_equal(a.coordinates[name].values, b.coordinates[name].values)
