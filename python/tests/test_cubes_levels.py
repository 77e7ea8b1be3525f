# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: levels, groups, and joining them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from cube_rows import groups, labels, only, product, table
from tgmap.cubes import CubeError, Options, plan

SURFACE = {"levtype": "sfc", "date": 20240101, "time": "0000", "type": "fc"}
HRES = (
    product(param=["2t", "10u"], step=[0, 3, 6, 9], **SURFACE)
    + product(param="tp", step=[3, 6, 9], **SURFACE)
    + product(param="lsm", step=0, **SURFACE)
    + product(param=["t", "u"], step=[0, 3, 6, 9], **{**SURFACE, "levtype": "pl"}, levelist=[500, 850])
    + product(param="w", step=[0, 3, 6, 9], **{**SURFACE, "levtype": "pl"}, levelist=[700])
    + product(param="t", step=[0, 3, 6, 9], **{**SURFACE, "levtype": "ml"}, levelist=[1, 2])
)


def test_groups_of_a_forecast():
    found = groups(HRES)
    assert {name: list(each.variables) for name, each in found.items()} == {
        "ml": ["t"],
        "pl": ["t", "u"],
        "pl_w": ["w"],
        "sfc": ["2t", "10u"],
        "sfc_lsm": ["lsm"],
        "sfc_tp": ["tp"],
    }
    assert found["sfc_tp"].sizes == {"step": 3, "y": 3, "x": 4}
    assert found["sfc_lsm"].coordinates["step"].values == np.timedelta64(0)
    assert found["pl_w"].coordinates["levelist"].values == 700


def test_groups_do_not_depend_on_the_order_of_objects():
    expected = {name: each.where for name, each in groups(HRES).items()}
    for seed in range(5):
        rows = random.Random(seed).sample(HRES, len(HRES))
        assert {name: each.where for name, each in groups(rows).items()} == expected


def test_several_groups_are_an_error_that_says_how_to_choose():
    with pytest.raises(CubeError) as caught:
        plan(table(HRES)).only()
    text = str(caught.value)
    assert text.startswith("the objects are 6 cubes, not one; choose one by group= or where=, or use to_datatree:")
    assert "group='sfc_tp' or where='mars.levtype=sfc and mars.param=tp': tp (step: 3, y: 3, x: 4)" in text
    assert "group='pl' or where='mars.levtype=pl and mars.param=t/u': t, u (step: 4, levelist: 2, y: 3, x: 4)" in text
    assert "join='outer'" in text
    assert list(plan(table(HRES)).group("/sfc_tp").variables) == ["tp"]
    with pytest.raises(CubeError, match="the groups are: ml, pl, pl_w, sfc, sfc_lsm, sfc_tp"):
        plan(table(HRES)).group("sf")


def test_very_many_groups_are_not_all_listed():
    rows = [{"param": "t", "step": 6, "_shape": (n,)} for n in range(1, 61)]
    with pytest.raises(CubeError, match="(?s)60 cubes.*and 20 more, which tgmap.explain_cube lists"):
        plan(table(rows)).only()


def test_selections_match_their_group_only():
    """The text is compared with the rows that it means."""
    rows = table(HRES)
    for name, group in groups(HRES).items():
        wanted = np.ones(len(HRES), dtype=bool)
        for condition in group.where.split(" and "):
            key, _, values = condition.partition("=")
            wanted &= [str(rows.columns[key].at(i)) in values.split("/") for i in range(len(HRES))]
        found = {int(row) for each in group.variables.values() for row in each.cells.reshape(-1)}
        assert set(np.flatnonzero(wanted).tolist()) == found, name


def test_selections_quote_what_is_no_word():
    rows = product(param=["and", "a b", 't"'], step=[0], levtype="pl") + product(param="q", step=[6, 7], levtype="pl")
    found = groups(rows)
    (where,) = [each.where for each in found.values() if "and" in each.variables]
    assert where == 'mars.param="a b"/"and"/"t"""'
    assert [each.where for each in found.values() if "q" in each.variables] == ["mars.param=q"]


def test_one_level_is_an_attribute_unless_all_variables_have_it():
    rows = product(param="z", levtype="pl", levelist=500) + product(param="t", levtype="pl", levelist=850)
    group = only(rows)
    assert "levelist" not in group.coordinates
    assert [each.attrs["levelist"] for each in group.variables.values()] == [850, 500]
    rows = product(param=["z", "t"], levtype="pl", levelist=500)
    assert only(rows).coordinates["levelist"].values == 500
    assert "levelist" not in only(rows).variables["t"].attrs


def test_level_is_the_same_role():
    group = only(product(param="t", levtype="pl", level=[500, 850]))
    assert group.variables["t"].dims == ("levelist", "y", "x")


def test_outer_join():
    found = groups(HRES, join="outer")
    assert sorted(found) == ["ml", "pl", "sfc"]
    surface = found["sfc"]
    assert {each.cells.shape for each in surface.variables.values()} == {(4,)}
    assert {name: each.holes for name, each in surface.variables.items()} == {"10u": 0, "2t": 0, "lsm": 3, "tp": 1}
    for name, variable in surface.variables.items():
        for position, row in enumerate(variable.cells.tolist()):
            if row >= 0:
                assert (HRES[row]["param"], HRES[row]["step"]) == (name, [0, 3, 6, 9][position])
    pressure = found["pl"]
    assert labels(pressure, "levelist") == [500, 700, 850]
    assert pressure.variables["w"].cells[:, [0, 2]].max() == -1 and pressure.variables["w"].cells[:, 1].min() >= 0
    text = plan(table(HRES), Options(join="outer")).explain()
    assert "3 of 4 cells are filled with missing values [lsm]" in text


def test_outer_join_leaves_out_what_has_no_such_key():
    rows = product(param="t", step=[0, 6], levtype="sfc") + product(param="z", levtype="sfc")
    found = groups(rows, join="outer")
    assert {name: list(each.variables) for name, each in found.items()} == {"sfc": ["t"], "sfc_z": ["z"]}
    assert "it has no step, and is not joined" in plan(table(rows), Options(join="outer")).explain()


def test_outer_join_leaves_out_variables_of_several_parts():
    rows = product(param="t", step=[6, 12, 24]) + product(param="tp", step=["0-6", "6-12", "0-12"])
    found = groups(rows, join="outer")
    assert sorted(tuple(each.variables) for each in found.values()) == [("t",), ("tp",), ("tp",)]
    assert "several parts, which are not joined" in plan(table(rows), Options(join="outer")).explain()


def test_outer_join_of_integers_is_an_error():
    rows = product(param="t", step=[0, 6]) + product(param="m", step=6, _dtype="uint8")
    assert len(groups(rows)) == 2
    with pytest.raises(CubeError, match="'m' has 1 cells without an object, and no uint8"):
        plan(table(rows), Options(join="outer"))


def test_outer_join_orders_dimensions():
    rows = product(param="t", step=[0, 6], number=1) + product(param="u", step=6, number=[1, 2])
    group = only(rows, join="outer")
    assert group.variables["t"].dims == ("number", "step", "y", "x")
    assert group.variables["t"].cells.tolist() == [[0, 1], [-1, -1]]
    assert group.variables["u"].cells.tolist() == [[-1, 2], [-1, 3]]
