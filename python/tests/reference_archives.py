# SPDX-License-Identifier: Apache-2.0
"""Archives for the tests of references, and comparisons of what others read with what this package reads."""

from __future__ import annotations

import numpy as np

import tgmap

SHAPE = (3, 5)
COMMON = {"date": 20240101, "time": "0000", "levtype": "sfc"}


def fields(dtype, count=4, shape=SHAPE):
    """Return arrays of random elements, among which are 0, and 1 of bool."""
    random = np.random.default_rng(1)
    if np.dtype(dtype) == bool:
        return [random.random(shape) > 0.5 for _ in range(count)]
    arrays = [(random.normal(size=shape) * 50).astype(dtype) for _ in range(count)]
    for array in arrays:
        array.flat[0] = 0
    return arrays


def write(path, arrays, options=None, name="v", first_step=0, **pipeline):
    """Write a message for each array, or None for none, as the steps of one variable.

    Args:
        options: of each array, which come before `pipeline`.
    """
    with tgmap.create(path) as out:
        for number, array in enumerate(arrays):
            if array is None:
                continue
            keys = {"mars": {**COMMON, "param": name, "step": first_step + number}}
            own = {**pipeline, **(options[number] if options else {})}
            out.write([tgmap.NewObject(array, keys, **own)])
    return str(path)


def check_same(found, expected):
    """Compare a Dataset that was read by others: dimensions, dtypes and elements of all variables, by `.values`."""
    assert set(found.variables) == set(expected.variables)
    assert set(found.coords) == set(expected.coords)
    for name in expected.variables:
        a, b = found[name], expected[name]
        assert a.dims == b.dims, name
        x, y = a.values, b.values
        if y.dtype.name == "bfloat16":
            y = y.astype(np.float32)
        assert x.dtype == y.dtype, name
        if x.dtype.kind in "fc":
            assert np.array_equal(x, y, equal_nan=True), name
        else:
            assert x.tolist() == y.tolist(), name
