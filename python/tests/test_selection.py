# SPDX-License-Identifier: Apache-2.0
"""Selections of values of Python, and warnings of keys that no message has."""

from __future__ import annotations

import decimal
import fractions
import warnings

import numpy as np
import pytest
from archives import field, with_values, write_fields

import tgmap
from tgmap._selection import text_of


@pytest.fixture
def archive(tmp_path):
    return tgmap.open(write_fields(tmp_path / "a.tgm"))


def found(archive, where):
    return [message.index for message in archive.find(where)]


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ({"mars.param": "2t", "mars.step": [0, 6]}, '"mars.param"="2t" and "mars.step"=0/6'),
        ({"k": "a/b"}, '"k"="a/b"'),
        ({'say "k" or x=1': 'to "x"'}, '"say ""k"" or x=1"="to ""x"""'),
        ({"k": np.str_("0..6")}, '"k"="0..6"'),
        ({"k": -1}, '"k"=-1'),
        ({"k": 2**64}, '"k"=18446744073709551616'),
        ({"k": 1.5}, '"k"=1.5'),
        ({"k": 1e300}, '"k"=1e+300'),
        ({"k": np.float32(0.5)}, '"k"=0.5'),
        ({"k": np.uint8(7)}, '"k"=7'),
        ({"k": [True, np.bool_(False)]}, '"k"=true/false'),
        ({"k": [float("nan"), float("inf"), -np.inf]}, '"k"=NaN/inf/-inf'),
        ({"k": ("a", 1, 2.5)}, '"k"="a"/1/2.5'),
        ({"k": frozenset(["a"])}, '"k"="a"'),
        ({"k": np.array([[0, 6], [12, 18]])}, '"k"=0/6/12/18'),
        ({"k": np.array(["a", "b"])}, '"k"="a"/"b"'),
        ({"k": np.array(6)}, '"k"=6'),
        ({"k": range(0, 25, 6)}, '"k"=0/to/24/by/6'),
        ({"k": range(24, -1, -6)}, '"k"=24/to/0/by/-6'),
        ({"k": range(3)}, '"k"=0/to/2/by/1'),
        ({"k": range(5, 6)}, '"k"=5'),
        ({"k": [range(0, 12, 6), 24]}, '"k"=0/to/6/by/6/24'),
        ({"k": slice(0, 24)}, '"k"=0..24'),
        ({"k": slice(0.5, 1, 0.25)}, '"k"=0.5/to/1/by/0.25'),
        ({"k": slice("20240101", "20240131")}, '"k"="20240101".."20240131"'),
        ({"k": slice(6, None)}, '"k">=6'),
        ({"k": slice(None, "b")}, '"k"<="b"'),
        ({"k": slice(None)}, 'has "k"'),
        ({"k": [slice(None, 6), 12]}, '("k"=12 or "k"<=6)'),
        ({"k": None}, 'not has "k"'),
        ({"k": ["a", None]}, '("k"="a" or not has "k")'),
        ({"k": []}, '(has "k" and not has "k")'),
        ({"k": range(0), "n": 1}, '(has "k" and not has "k") and "n"=1'),
        ({}, ""),
    ],
)
def test_text_of_values(where, text):
    assert text_of(where) == text
    if text:
        with_values([1]).find(text)  # is a selection


def test_values_select(archive):
    assert found(archive, {"mars.param": "2t", "mars.step": [0, 6]}) == [1, 3]
    assert found(archive, {"mars.step": range(0, 25, 12)}) == [0, 1, 4, 5, 8, 9]
    assert found(archive, {"mars.step": slice(6, 12)}) == [2, 3, 4, 5]
    assert found(archive, {"x": np.array([0.5, 4], dtype="f4")}) == [1, 8]
    assert found(archive, {"ok": True, "mars.param": "10u"}) == [0, 2, 4]
    assert found(archive, {"mars.step": []}) == []
    assert found(archive, {"mars.step": 6, "mars.param": "none"}) == []
    assert found(archive, {}) == found(archive, None) == list(range(10))
    assert [m.index for m in archive.find()] == list(range(10))


def test_types_of_values_matter():
    archive = with_values([6, 6.0, "6", "06", True, "true", 0.1, None, "a/b", float("nan")])
    assert found(archive, {"k": 6}) == [0, 1, 2]  # the printed text of the third is 6
    assert found(archive, {"k": 6.0}) == [0, 1]
    assert found(archive, {"k": "06"}) == [3]
    assert found(archive, {"k": True}) == [4, 5]
    assert found(archive, {"k": 0.1}) == [6]
    assert found(archive, {"k": None}) == [7]
    assert found(archive, {"k": "a/b"}) == [8]
    assert found(archive, {"k": float("nan")}) == [9]
    assert found(archive, {"k": slice(0, 1)}) == [6]


def test_every_argument_takes_values(archive):
    where = {"mars.param": "2t", "mars.step": [0, 6]}
    assert [o.metadata["mars.step"] for o in archive.find_objects(where)] == [0, 6]
    assert len(list(archive.find_objects())) == 10
    assert archive.table("mars.step", where=where)["message"].tolist() == [1, 3]
    assert archive.table("mars.step", where={}).rows == archive.table("mars.step", where=None).rows == 10
    assert archive.table("mars.step", where=where, objects=False).rows == 2
    assert [part.first_message for part in archive.partition(2) if found(part, where)] == [0]


def test_an_index_gives_the_same(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 100)
    without = tgmap.open(path, index="none")
    with_index = tgmap.open(path, index="create")
    for where in ({"mars.step": range(0, 300, 18)}, {"mars.step": slice(6, 60, 12)}, "mars.step=0/to/100/by/4/294"):
        assert found(with_index, where) == found(without, where) != []


@pytest.mark.parametrize(
    "where",
    [5, ["k=1"], b"k=1", {1: 2}, {"k": b"x"}, {"k": 1j}, {"k": {"a": 1}}, {"k": [[1]]}, {"k": slice("a", "b", 1)}]
    + [{"k": np.datetime64("2024-01-01")}, {"k": object()}, {"k": slice(True, 2)}],
)
def test_other_types_are_refused(archive, where):
    for call in (archive.find, archive.find_objects, lambda each: archive.table("x", where=each)):
        with pytest.raises(TypeError, match="must be"):
            call(where)


def test_other_values_are_refused(archive):
    for where in ({"k": slice(0, np.inf)}, {"k": slice(None, 6, 2)}, {"k": slice(0, 6, 0)}, {"@none": 1}):
        with pytest.raises(ValueError):
            archive.find(where)


def test_quote(archive):
    assert tgmap.quote("2t") == '"2t"'
    assert tgmap.quote('a "b"') == '"a ""b"""'
    assert [tgmap.quote(each) for each in (6, 0.25, np.int16(-3), False)] == ["6", "0.25", "-3", "false"]
    assert found(archive, f"{tgmap.quote('mars.param')}={tgmap.quote('2t')} and mars.step={tgmap.quote(6)}") == [3]
    for value in (None, [1], b"x", {}):
        with pytest.raises(TypeError, match="can be quoted"):
            tgmap.quote(value)


def warned(call):
    """Return the texts of KeyWarning, and check that they point at this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(each.category is tgmap.KeyWarning and each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


def test_a_key_that_no_message_has_is_a_warning(archive):
    text = f"{archive.path}: no message has the key 'mars.parm'; did you mean 'mars.param'?"
    for where in ("mars.parm=2t", "mars.parm!=2t", "not mars.parm=2t", {"mars.parm": "2t"}, "x=1 or mars.parm=2t"):
        assert warned(lambda where=where: list(archive.find(where))) == [text]
        assert warned(lambda where=where: list(archive.find_objects(where))) == [text]
        assert warned(lambda where=where: archive.table("x", where=where)) == [text]
        assert warned(lambda where=where: archive.table("x", where=where, objects=False)) == [text]
    assert warned(lambda: list(archive.find("qq!=1 and mars.stp!=6"))) == [
        f"{archive.path}: no message has the key 'qq'",
        f"{archive.path}: no message has the key 'mars.stp'; did you mean 'mars.step'?",
    ]
    assert issubclass(tgmap.KeyWarning, UserWarning)


def test_keys_that_exist_are_no_warning(archive):
    for where in ("not has mars.parm", {"mars.parm": None}):  # that is what was asked
        assert warned(lambda where=where: list(archive.find(where))) == []
    assert len(warned(lambda: list(archive.find("has mars.parm")))) == 1
    for where in ("mars.param=none", "mars.step!=0", "not mars.step=0", "@object!=0", "shape!=3", "source!=x", {}):
        assert warned(lambda where=where: list(archive.find(where))) == []
        assert warned(lambda where=where: archive.table("x", where=where)) == []
    assert warned(lambda: list(tgmap.open(b"").find("k!=1"))) == []


def test_the_warning_comes_once_at_the_end(archive):
    found = archive.find("mars.parm!=2t")
    assert warned(lambda: [next(found) for _ in range(10)]) == []
    assert len(warned(lambda: list(found))) == 1
    assert warned(lambda: list(found)) == []


def test_a_warning_may_be_an_error(archive):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(tgmap.KeyWarning, match=r"did you mean 'mars\.param'"):
            list(archive.find("mars.parm!=2t"))
        with pytest.raises(tgmap.KeyWarning):
            archive.table("x", where="mars.parm!=2t")


def test_keys_are_looked_for_in_a_thousand_messages(tmp_path):
    late = {"late": 1}
    archive = tgmap.open(
        b"".join(tgmap.encode([tgmap.NewObject(field(0), late if i == 1001 else {"k": i})]) for i in range(1002))
    )
    assert warned(lambda: list(archive.find("late=1"))) == []  # it matched
    assert warned(lambda: list(archive.find("late!=1"))) == ["none of the first 1000 messages has the key 'late'"]


def test_numbers_beyond_all_types(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    assert len(list(archive.find({"mars.step": range(10**30)}))) == len(list(archive.find("mars.step>=0")))
    assert [text_of({"a": each}) for each in (range(7, 8), range(0, 4, 2))] == ['"a"=7', '"a"=0/to/2/by/2']
    for wrong in (decimal.Decimal("1e500"), fractions.Fraction(10**500, 3)):
        for kind in (ValueError, OverflowError):
            with pytest.raises(kind):
                text_of({"a": wrong})
    for zero in (0, 0.0, np.int8(0)):
        with pytest.raises(ValueError, match="step of a slice"):
            text_of({"a": slice(0, 10, zero)})


def test_a_lone_surrogate_is_shown_as_python_shows_it(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    with pytest.warns(tgmap.KeyWarning, match=r"'mars\.\\udcff'"):
        list(archive.find({"mars.\udcff": 1}))


def test_the_order_of_a_path_and_a_key_with_a_dot():
    archive = tgmap.open(tgmap.encode(np.zeros(1), {"a.b": 1, "a": {"b": 2}}))
    assert archive[0].metadata["a.b"] == 1
    assert [len(list(archive.find({"a.b": value}))) for value in (1, 2)] == [0, 1]
    assert archive.table("a.b")["a.b"].tolist() == [2]
