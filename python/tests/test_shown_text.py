# SPDX-License-Identifier: Apache-2.0
"""Text of a file is escaped where people read it: it cannot move the cursor, hide or add lines."""

from __future__ import annotations

import unicodedata
import warnings

import numpy as np
import pytest
from cube_archives import write

import tgmap
import tgmap.compat
import tgmap.cubes

EVIL = "a\x1b[2J\r\n\x07\u202e\u2066\u2028\x85b"
SHOWN = r"a\x1b[2J\x0d\n\x07\u{202e}\u{2066}\u{2028}\x85b"


def check(text, lines=1):
    assert len(text.splitlines()) <= lines, text
    for each in text.replace("\n", ""):
        assert unicodedata.category(each) not in ("Cc", "Cf", "Zl", "Zp"), (text, hex(ord(each)))
    return text


def message(**changes):
    descriptor = {"type": EVIL, "ndim": 1, "shape": [2], "strides": [1], "dtype": "uint8", "byte_order": "little",
                  "encoding": "none", "filter": "none", "compression": "none", **changes}  # fmt: skip
    keys = {"param": EVIL, EVIL: 1}
    return tgmap.encode(tgmap.StoredObject(descriptor, b"12", keys), {EVIL: EVIL})


def test_reprs():
    archive = tgmap.open(message(compression=EVIL))
    o = archive[0][0]
    assert SHOWN in check(repr(o)) and SHOWN in check(repr(o.descriptor))
    for each in (archive, archive[0], archive[0].metadata, o.metadata, archive[0:1], o._repr_html_()):
        check(each if isinstance(each, str) else repr(each))
    table = archive.table(["param", tgmap.quote(EVIL)])
    assert SHOWN in check(repr(table), 3)
    check(table._repr_html_(), 3)
    assert table["param"].tolist() == [EVIL]  # values stay


def test_exceptions_and_findings(tmp_path):
    archive = tgmap.open(message(compression=EVIL))
    with pytest.raises(tgmap.Error) as raised:
        archive[0][0].decode()
    check(str(raised.value))
    found = tgmap.validate(message(compression=EVIL, masks={EVIL: {"method": EVIL, "offset": 2, "length": 0}}), "full")
    assert found.findings
    check(str(found), 1 + len(found.findings))
    for each in found.findings:
        check(each.text)
        check(repr(each))
    report = tgmap.compat.validate(message(compression=EVIL), "full")
    for each in report["issues"]:
        check(each["description"])
    path = tmp_path / ("\x1b\u202e\n" + "x.tgm")
    path.write_bytes(b"damaged")
    archive = tgmap.open(path)
    check(repr(archive))
    with pytest.raises(tgmap.Error) as raised:
        archive[0]
    check(str(raised.value))
    archive = tgmap.open(path, damage="skip")
    assert len(archive) == 0
    check(archive.gaps[0].reason)
    path.write_bytes(message())
    check(repr(tgmap.create(tmp_path / "\x1b.tgm")))


def test_warnings():
    archive = tgmap.open(tgmap.encode(np.zeros(1), {"parameter" + EVIL: 1}))
    with warnings.catch_warnings(record=True) as all:
        warnings.simplefilter("always")
        list(archive.find({"parametr" + EVIL: 1}))
    assert len(all) == 1 and SHOWN in check(str(all[0].message))


def test_names_of_callers():
    for call in (lambda: tgmap.open(b"", mode=EVIL), lambda: tgmap.validate(b"", EVIL),
                 lambda: tgmap.encode(np.zeros(1), compression=EVIL), lambda: tgmap.encode(np.zeros(1), **{EVIL: 1}),
                 lambda: tgmap.open(message()).table(["x\x1b", "x\x1b"]), lambda: tgmap.open(message()).find("a \x1b b"),
                 lambda: tgmap.open(message()).find({EVIL: object()}), lambda: tgmap.encode([], {EVIL: object()}),
                 lambda: tgmap.encode(np.zeros(1), allow_nan=True, mask_method={EVIL: "rle"})):  # fmt: skip
        with pytest.raises((ValueError, TypeError)) as raised:
            call()
        check(str(raised.value), 2)


def test_compat():
    decoded = tgmap.compat.decode(message())
    check(repr(decoded.metadata))
    for descriptor, _ in decoded.objects:
        assert SHOWN in check(repr(descriptor))
        assert descriptor.obj_type == EVIL
    with pytest.raises(ValueError) as raised:
        tgmap.compat.encode({}, [({"type": "ntensor", "shape": [1], "dtype": "uint8", "encoding": EVIL}, b"1")])
    check(str(raised.value))
    check(repr(tgmap.compat.TensogramFile(EVIL)))
    with pytest.raises(OSError) as raised:
        tgmap.compat.TensogramFile.open(EVIL)
    check(str(raised.value))
    with pytest.raises(ValueError) as raised:
        tgmap.compat.encode({}, [({"type": "ntensor", "shape": [1], "dtype": EVIL}, b"1")])
    check(str(raised.value))


def evil_rows(**keys):
    return [{"param": EVIL, "levtype": EVIL, "step": step, **keys} for step in (0, 6)]


def test_explanations_of_cubes(tmp_path):
    path = write(tmp_path / "a.tgm", evil_rows(model=EVIL, _dims=["d" + EVIL, "x"]))
    found = tgmap.explain_cube(path)
    plain = str(tgmap.explain_cube(write(tmp_path / "b.tgm", evil_rows(param="t", model="m", _dims=["y", "x"]))))
    check(str(found), len(plain.splitlines()))
    assert f"variable {SHOWN} (step: 2, d{SHOWN}: 3, x: 4)" in str(found)
    with pytest.raises(tgmap.cubes.CubeError) as error:
        found.address("t")
    check(str(error.value))


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (evil_rows() + evil_rows(), 5),
        (evil_rows(model=EVIL)[:1] + evil_rows(model="b")[1:] + evil_rows(model="b")[:1], 3),
        (evil_rows(_dtype="i4", model="a") + evil_rows(_dtype="i4", model=EVIL)[:1], 3),
        (evil_rows(_dims=["step", EVIL]), 1),
        (evil_rows() + evil_rows(levtype="b"), 3),
        (evil_rows(date=EVIL), 1),
    ],
)
def test_errors_of_cubes(tmp_path, rows, lines):
    pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")
    name = "a" + EVIL.replace("/", "") + ".tgm"
    with pytest.raises(tgmap.cubes.CubeError) as error:
        tgmap.to_dataset(write(tmp_path / name, rows))
    check(str(error.value), lines)
