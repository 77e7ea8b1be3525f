# SPDX-License-Identifier: Apache-2.0
"""Texts of errors of cubes: byte strings, many and long values, and advice that helps."""

from __future__ import annotations

import pickle

import pytest
from cube_archives import write
from cube_rows import groups, labels, only, product, table

import tgmap
from tgmap.cubes import CubeError, Options, plan
from tgmap.cubes._columns import ByteText
from tgmap.cubes._texts import listed, quoted, short


# ---- byte strings ----------------------------------------------------------------------------------


def test_byte_strings_are_no_numbers(tmp_path):
    rows = [{"param": "t", "number": value, "grib.x": b"\x20\x24"} for value in (b"\x06", b"\x12")]
    group = tgmap.explain_cube(write(tmp_path / "a.tgm", rows)).plan.only()
    assert labels(group, "number") == ["h'06'", "h'12'"]
    assert group.variables["t"].attrs["x" if "x" in group.variables["t"].attrs else "grib.x"] == "h'2024'"
    assert all(type(each) is str for each in group.variables["t"].attrs.values())


@pytest.mark.parametrize(
    "key, problem", [("step", "is no step"), ("date", "is no date"), ("time", "is no time of day"), ("hdate", "is no date")]
)
def test_byte_strings_are_no_times(tmp_path, key, problem):
    rows = [{"param": "t", "date": 20240101, key: bytes([value])} for value in (0x06, 0x12)]
    with pytest.raises(CubeError, match=rf"a.tgm:0:0: .*h'06'.* {problem}"):
        tgmap.explain_cube(write(tmp_path / "a.tgm", rows))


def test_byte_strings_are_not_the_text_of_their_digits(tmp_path):
    rows = [{"param": "t", "levelist": value} for value in (b"\x85", "85", 85)]
    with pytest.raises(CubeError, match="several objects"):  # "85" and 85 are one level
        tgmap.explain_cube(write(tmp_path / "a.tgm", rows))
    group = tgmap.explain_cube(write(tmp_path / "b.tgm", rows[:2])).plan.only()
    assert labels(group, "levelist") == ["85", "h'85'"]
    found = tgmap.explain_cube(write(tmp_path / "c.tgm", [{"param": value} for value in (b"\x85", "85")])).plan.only()
    assert list(found.variables) == ["85", "h'85'"]


def test_byte_text():
    text = ByteText.of(b"\x00\xff")
    assert text == "h'00ff'" and text.content == b"\x00\xff" and pickle.loads(pickle.dumps(text)).content == b"\x00\xff"


# ---- many and long values --------------------------------------------------------------------------


def test_lists_of_names_are_cut():
    assert listed(["t", "u"]) == "t, u" and listed([]) == "none"
    assert listed([f"v{i}" for i in range(5000)], 2) == "v0, v1, ... (5000 in all)"
    assert short("x" * 5000) == "x" * 80 + "... (5000 characters)" and short("x" * 80) == "x" * 80
    assert short(["0h", "6h"]) == "0h/6h" and short(list(range(9))) == "0/1/2/3/4/5/6/7/... (9 values)"
    assert quoted("6") == "'6'" and quoted((1, None)) == "(1, None)" and short((1,) * 99).endswith("(99 values)")


@pytest.mark.parametrize("key", ["step", "date", "time", "stepRange"])
def test_long_values_are_cut_in_errors(key):
    with pytest.raises(CubeError, match=r"\.\.\. \(\d+ characters\)") as caught:
        only([{"param": "t", "step": 0, "date": 20240101, key: "x" * 100_000}])
    assert len(str(caught.value)) < 500


def test_errors_of_thousands_of_variables_are_short(tmp_path):
    rows = [{"param": f"p{i:04}", "step": step} for i in range(2000) for step in (0, 6)]
    found = tgmap.explain_cube(write(tmp_path / "a.tgm", rows, filter="none"))
    wanted = [f"{i}h" for i in range(1, 5000, 6)]
    for call in (
        lambda: list(found.cells("other")),
        lambda: list(found.cells(step=wanted)),
        lambda: list(found.cells(other=1)),
        lambda: found.address("other", step=0),
        lambda: found.address("p0000", step="x" * 100_000),
        lambda: found.map("other"),
        lambda: found.plan.group("x" * 100_000),
    ):
        with pytest.raises(CubeError) as caught:
            call()
        assert len(str(caught.value)) < 600
    with pytest.raises(CubeError, match=r"step has no label 1h/7h/.*\(834 values\); there are 0h, 6h"):
        list(found.cells(step=wanted))


def test_a_list_of_cubes_is_short():
    rows = product(param=[f"p{i}" for i in range(300)], step=0, levtype="sfc", system=[1, 2])
    rows += [{"param": f"q{i}", "step": i, "levtype": f"l{i}"} for i in range(200)]
    with pytest.raises(CubeError) as caught:
        plan(table(rows)).only()
    assert len(str(caught.value)) < 10_000 and "and 162 more" in str(caught.value)


# ---- advice ----------------------------------------------------------------------------------------

OUTER = "join='outer'"


@pytest.mark.parametrize(
    "rows, helps",
    [
        (product(param=["t", "u"], step=[0, 6]) + product(param="tp", step=6), True),
        (product(param="t", step=0, grid="O320") + product(param="t", step=6, grid="N320"), False),
        (product(param="t", step=0, grid="O320") + product(param="u", step=0, grid="N320"), False),
        (product(param="t", step=0, _dtype="float32") + product(param="t", step=6, _dtype="float64"), False),
        (product(param=["t", "u"], step=0, type=["fc", "an"]), False),
        (product(param="t", step=[0, 6]) + product(param="u", number=[1, 2]), False),
        (product(param="t", step=0, levtype="pl") + product(param="u", step=6, levtype="sfc"), False),
        (product(param="t", step=0) + product(param="u", step=6), True),
    ],
)
def test_join_is_advised_where_it_helps(rows, helps):
    found = plan(table(rows))
    assert len(found.groups) > 1 and found.can_join is helps
    with pytest.raises(CubeError) as caught:
        found.only()
    assert (OUTER in str(caught.value)) is helps
    assert (len(groups(rows, join="outer", allow_holes=True)) < len(found.groups)) is helps


def test_joining_takes_no_memory_for_cells_of_nothing():
    rows = [{"param": f"p{i}", "step": i, "number": i, "levelist": i, "levtype": "pl"} for i in range(200)]
    with pytest.raises(CubeError, match="1 objects in 200 x 200 x 200 cells"):
        groups(rows, join="outer")
    assert len(plan(table(rows)).groups) == 200


def test_errors_have_no_advice_of_what_was_done():
    rows = product(param="t", step=0, grid="O320") + product(param="t", step=6, grid="N320")
    with pytest.raises(CubeError) as caught:
        plan(table(rows), Options(join="outer")).only()
    assert OUTER not in str(caught.value)
