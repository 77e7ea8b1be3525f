# SPDX-License-Identifier: Apache-2.0
"""Outputs whose elements overlap in memory are refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import tgmap
from tgmap._gathering.overlap import refuse_overlap
from tgmap.samples import Samples

COUNT, SHAPE = 4, (3, 4)
TEXT = "elements of out overlap"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("overlap") / "a.tgm"
    with tgmap.create(path) as out:
        for i in range(COUNT):
            out.write([tgmap.NewObject(np.full(SHAPE, i, "f4"), {"n": i})])
    return tgmap.open(path)


def readers(archive):
    places = archive.places(range(COUNT))
    points = [np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)]
    return {
        "gather": lambda out: tgmap.gather(places, out=out),
        "points": lambda out: tgmap.gather(places, points=points, out=out.reshape(COUNT, 12)),
        "Archive.gather": lambda out: archive.gather(range(COUNT), out=out),
        "Samples.read": lambda out: Samples(archive, sample="n").read(range(COUNT), out=out),
    }


def outputs():
    """Yield arrays with whether their elements overlap."""
    base = np.zeros(400, "f4")
    shape = (COUNT, *SHAPE)
    one = np.zeros(SHAPE, "f4")
    yield "rows are one", as_strided(one, shape, (0, 16, 4)), True
    yield "rows share a half", as_strided(base, shape, (24, 16, 4)), True
    yield "columns are one", as_strided(base, shape, (48, 16, 0)), True
    yield "halves of elements", as_strided(base, shape, (96, 32, 2)), True
    yield "backwards", as_strided(base[300:], shape, (-24, 16, 4)), True
    yield "each second", np.zeros((8, 3, 8), "f4")[::2, :, ::2], False
    yield "transposed", np.zeros((4, 3, 4), "f4").transpose(2, 1, 0), False
    yield "reversed", np.zeros(shape, "f4")[::-1, ::-1, ::-1], False
    yield "columns of a table", np.zeros((4, 12, 3), "f4")[..., 1].reshape(shape), False


def cases():
    """Yield names of readers and of outputs. Points need an output of two dimensions."""
    for kind, out, _ in outputs():
        flat = out.reshape(COUNT, 12)
        yield from ((reader, kind) for reader in ("gather", "Archive.gather", "Samples.read"))
        if np.shares_memory(flat, out):
            yield "points", kind


@pytest.mark.parametrize("reader, kind", list(cases()))
def test_outputs(archive, reader, kind):
    out, overlaps = next((out, overlaps) for name, out, overlaps in outputs() if name == kind)
    read = readers(archive)[reader]
    if overlaps:
        with pytest.raises(ValueError, match=TEXT):
            read(out)
        assert not out.any()
    else:
        read(out)
        assert out.reshape(COUNT, -1)[:, 0].tolist() == [0, 1, 2, 3] and (out == out[:, :1, :1]).all()


def test_holes_alone(archive):
    holes = archive.places(range(COUNT)).take([-1, -1])
    with pytest.raises(ValueError, match=TEXT):
        tgmap.gather(holes, out=as_strided(np.zeros(4, "f4"), (2, 4), (0, 4)))


def test_every_layout_of_small_arrays():
    """Beside the offsets of all bytes."""
    base = np.zeros(200, "u1")
    for itemsize in (1, 2):
        for shape in itertools.product((1, 2, 3), repeat=2):
            for strides in itertools.product(range(-5, 8), repeat=2):
                out = as_strided(base[80:].view(f"u{itemsize}"), shape, strides)
                found = [
                    i * strides[0] + j * strides[1] + k
                    for i in range(shape[0])
                    for j in range(shape[1])
                    for k in range(itemsize)
                ]
                if len(set(found)) == len(found):
                    refuse_overlap(out)
                else:
                    with pytest.raises(ValueError, match=TEXT):
                        refuse_overlap(out)


def test_arrays_that_state_much_more_than_they_have():
    for shape, strides in (((10**9, 10**9), (0, 0)), ((10**8, 10**8), (4, 4)), ((2**20, 2**20, 2**20), (4, 8, 12))):
        with pytest.raises(ValueError, match=TEXT):
            refuse_overlap(as_strided(np.zeros(1, "f4"), shape, strides))
    refuse_overlap(as_strided(np.zeros(1, "f4"), (0, 10**9), (0, 0)))
    refuse_overlap(np.zeros(()))
    refuse_overlap([1, 2])
