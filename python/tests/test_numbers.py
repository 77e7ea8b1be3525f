# SPDX-License-Identifier: Apache-2.0
"""Numbers of every kind mean the same in every argument."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from archives import write_fields

import tgmap
import tgmap.compat

THREE = [3, np.int8(3), np.uint64(3), np.array(3), np.array(3, "u1"), Decimal(3), Decimal("3.0"), Fraction(6, 2)]
HALF = [0.5, np.float16(0.5), np.float32(0.5), np.longdouble(0.5), np.array(0.5), Decimal("0.5"), Fraction(1, 2)]
TRUTHS = [np.True_, np.array(True), np.bool_(1)]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return tgmap.open(write_fields(tmp_path_factory.mktemp("numbers") / "a.tgm"))


def streamed(shape):
    import io

    memory = io.BytesIO()
    with tgmap.stream(memory, reproducible=True) as out:
        out.begin_object(shape, "u1")
        out.append(np.zeros(3 if np.ndim(shape) == 0 else 9, "u1"))
        out.end_object()
        out.finish(backfill=np.True_)
    return memory.getvalue()


INTEGERS = {
    "message": lambda a, n: a[n].index,
    "object": lambda a, n: a[0][:][n - n].index if isinstance(n, int) else a[0][0].index,
    "base": lambda a, n: tgmap.open(tgmap.encode([np.zeros(1)] * 4))[0].base(n).to_dict().keys(),
    "partition": lambda a, n: len(a.partition(n)),
    "threads of a table": lambda a, n: a.table("x", threads=n)["x"].tolist(),
    "threads of decode": lambda a, n: a[0][0].decode(threads=n).tolist(),
    "threads of gather": lambda a, n: a.gather([0, 1], threads=n).tolist(),
    "ranges": lambda a, n: a[0][0].ranges([(n, n)], threads=n)[0].tolist(),
    "validate": lambda a, n: bool(tgmap.validate(a, threads=n, max_findings=n)),
    "width": lambda a, n: tgmap.show(a[0][0], width=n * 20, height=n * 4),
    "size": lambda a, n: tgmap.show(a[0][0], png=True, size=(n + 97, n + 97)),
    "selection": lambda a, n: [m.index for m in a.find({"x": n})],
    "end of a slice": lambda a, n: [m.index for m in a.find({"x": slice(n, None)})],
    "list": lambda a, n: [m.index for m in a.find({"x": [n, 99]})],
    "quote": lambda a, n: tgmap.quote(n),
    "bits": lambda a, n: tgmap.encode(np.arange(4.0), encoding="simple_packing", bits=n, reproducible=True),
    "level": lambda a, n: tgmap.encode(np.arange(4.0), compression="zstd", level=n, reproducible=True),
    "version": lambda a, n: tgmap.encode(np.arange(4.0), version=n, reproducible=True),
    "metadata": lambda a, n: tgmap.encode(np.arange(4.0), {"n": n, "l": [n]}, reproducible=True),
    "subscript": lambda a, n: a[0][0][:, 3].tolist(),
    "limit": lambda a, n: tgmap.open(tgmap.encode(np.zeros(1)), max_decoded=n)._opened.max_decoded,
    "offset": lambda a, n: tgmap.open(b"..." + tgmap.encode(np.zeros(1)), offset=n)[0][0].shape,
    "length": lambda a, n: tgmap.open(bytes(3), length=n).nbytes,
    "extent": lambda a, n: streamed(n),
    "extents": lambda a, n: streamed((n, n)),
    "threads of compat": lambda a, n: tgmap.compat.decode(bytes(a[0].bytes), threads=n).objects[0][1].tolist(),
    "compat range": lambda a, n: tgmap.compat.decode_range(bytes(a[0].bytes), 0, [(n, n)])[0].tolist(),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(archive, name):
    wanted = INTEGERS[name](archive, 3)
    for number in THREE[1:]:
        assert INTEGERS[name](archive, number) == wanted, repr(number)


REALS = {
    "range": lambda a, x: tgmap.show(a[0][0], range=(x, x * 7)),
    "selection": lambda a, x: [m.index for m in a.find({"x": x})],
    "quote": lambda a, x: tgmap.quote(x),
    "max_error": lambda a, x: tgmap.encode(np.arange(4.0), encoding="simple_packing", max_error=x, reproducible=True),
    "tolerance": lambda a, x: tgmap.encode(np.arange(64.0), compression="zfp", tolerance=x, reproducible=True),
    "packing": lambda a, x: tgmap.compute_packing(np.arange(4.0), max_error=x),
    "metadata": lambda a, x: tgmap.encode(np.arange(4.0), {"x": x, "l": [x]}, reproducible=True),
}


@pytest.mark.parametrize("name", REALS)
def test_reals(archive, name):
    wanted = REALS[name](archive, 0.5)
    for number in HALF[1:]:
        assert REALS[name](archive, number) == wanted, repr(number)


TRUTH = {
    "png": lambda a, t: tgmap.show(a[0][0], png=t),
    "log": lambda a, t: tgmap.show(a[1][0], log=t),
    "restore": lambda a, t: a[0][0].decode(restore_missing=t, verify=t, ignore_strides=t).tolist(),
    "ranges": lambda a, t: a[0][0].ranges([(0, 3)], restore_missing=t, verify=t)[0].tolist(),
    "objects": lambda a, t: a.table("x", objects=t, skip_unread=t).names,
    "canonical": lambda a, t: bool(tgmap.validate(a, check_canonical=t)),
    "cache": lambda a, t: len(tgmap.open(a.path, index_cache=t)),
    "nan": lambda a, t: tgmap.encode(np.array([np.nan]), allow_nan=t, reproducible=t),
    "preceder": lambda a, t: tgmap.encode(tgmap.NewObject(np.zeros(1), {"a": 1}, preceder=t), reproducible=t),
    "metadata": lambda a, t: tgmap.encode(np.zeros(1), {"t": t}, reproducible=True),
    "selection": lambda a, t: [m.index for m in a.find({"ok": t})],
}


@pytest.mark.parametrize("name", TRUTH)
def test_truths(archive, name):
    wanted = TRUTH[name](archive, True)
    for truth in TRUTHS:
        assert TRUTH[name](archive, truth) == wanted, repr(truth)


def test_what_is_no_number(archive):
    o = archive[0][0]
    for value in ("x", np.array([1, 2]), object(), [3], 1j, np.datetime64("2020-01-01")):
        for call in (lambda: tgmap.show(o, width=value), lambda: tgmap.show(o, range=(0, value)),
                     lambda: o.decode(threads=value), lambda: archive[value], lambda: tgmap.show(o, log=value),
                     lambda: tgmap.encode(np.zeros(1), encoding="simple_packing", bits=value),
                     lambda: tgmap.encode(np.zeros(1), encoding="simple_packing", max_error=value),
                     lambda: tgmap.encode(np.zeros(1), allow_nan=value)):  # fmt: skip
            with pytest.raises(TypeError):
                call()
    for value in (2.5, Decimal("2.5"), Fraction(5, 2), np.float32(3)):
        with pytest.raises(TypeError):
            tgmap.show(o, width=value)
        with pytest.raises(TypeError, match="bits must be an integer"):
            tgmap.encode(np.zeros(1), encoding="simple_packing", bits=value)
    for value in (Decimal("1e999999"), 10**400):
        with pytest.raises((ValueError, OverflowError, TypeError)):
            tgmap.encode(np.zeros(1), encoding="simple_packing", max_error=value)
    with pytest.raises(ValueError, match="show"):
        tgmap.show(o, range=(np.nan, 1))
