# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: axes inside of objects, their coordinates, and grids."""

from __future__ import annotations

import time

import pytest
from cube_rows import groups, labels, only, product, sections, table
from tgmap.cubes import CubeError, Options, Rows, plan
from tgmap.cubes._grib import grid_section


def messages(fields, coordinates, count=1):
    """Return rows of messages that have some fields and coordinates each."""
    return [
        {**row, "_message": m, "step": 6 * m} if "name" not in row else {**row, "_message": m}
        for m in range(count)
        for row in (*coordinates, *fields)
    ]


LATITUDE = {"name": "latitude", "_shape": (3,), "_digest": "a"}
LONGITUDE = {"name": "longitude", "_shape": (4,), "_digest": "b"}


def test_axes_without_names():
    assert only(product(param="t", _shape=[(7,)])).variables["t"].dims == ("values",)
    assert only(product(param="t", _shape=[(3, 4)])).variables["t"].dims == ("y", "x")
    assert only(product(param="t", _shape=[(2, 3, 4)])).variables["t"].dims == ("dim_0", "y", "x")
    assert only(product(param="t", _shape=[()])).variables["t"].dims == ()
    text = plan(table(product(param="t", _shape=[(7,)]))).explain()
    assert "the axes of the shape (7,) have no names in the file, and are called values" in text


@pytest.mark.parametrize("stored", [["lat", "lon"], {"3": "lat", "4": "lon"}, {3: "lat", 4: "lon"}])
def test_stored_names(stored):
    row = {"param": "t", "_shape": (3, 4), "_dims": stored}
    assert only([row]).variables["t"].dims == ("lat", "lon")


def test_names_of_the_caller_come_first():
    rows = product(param="t", _shape=[(3, 4)])
    rows[0]["_dims"] = ["lat", "lon"]
    assert only(rows, dim_names=["a", "b"]).variables["t"].dims == ("a", "b")
    assert only(rows, dim_names={3: "a"}).variables["t"].dims == ("a", "x")
    with pytest.raises(CubeError, match="one name to two axes"):
        only(rows, dim_names=["a", "a"])


def test_stored_names_that_do_not_fit_are_not_used():
    for wrong in (["a"], ["a", "a"], [1, 2]):
        rows = [{"param": "t", "_shape": (3, 4), "_dims": wrong}]
        assert only(rows).variables["t"].dims == ("y", "x")
        assert "do not fit the shape (3, 4), and are not used" in plan(table(rows)).explain()
    square = [{"param": "t", "_shape": (3, 3), "_dims": {"3": "n"}}]
    assert only(square).variables["t"].dims == ("y", "x")


def test_a_list_of_equal_length_labels_its_axis():
    row = {"param": "t", "_shape": (3, 8), "levelist": [850, 500, 1000]}
    group = only([row])
    assert group.variables["t"].dims == ("levelist", "x")
    assert labels(group, "levelist") == [850, 500, 1000]  # the order of the elements
    row = {"name": "state", "variables": ["t", "u"], "_shape": (2, 8), "_dims": ["channel", "cell"]}
    group = only([row])
    assert group.coordinates["variables"].dims == ("channel",) and labels(group, "variables") == ["t", "u"]


def test_a_list_that_fits_several_axes_labels_none():
    rows = [{"param": "t", "_shape": (3, 3), "levelist": [850, 500, 1000]}]
    assert "levelist" not in only(rows).coordinates
    assert "fits several axes of the shape (3, 3), and labels none" in plan(table(rows)).explain()
    rows[0]["_dims"] = ["levelist", "x"]
    assert only(rows).coordinates["levelist"].dims == ("levelist",)


def test_latitudes_and_longitudes_of_a_message():
    rows = messages([{"param": "t"}, {"param": "u"}], [LATITUDE, LONGITUDE], count=3)
    group = only(rows)
    assert list(group.variables) == ["t", "u"]
    assert group.variables["t"].dims == ("step", "latitude", "longitude")
    latitude = group.coordinates["latitude"]
    assert (latitude.dims, latitude.values, latitude.row) == (("latitude",), None, 0)
    assert latitude.attrs["units"] == "degrees_north"
    assert group.variables["t"].cells.tolist() == [2, 6, 10]


def test_coordinates_of_one_axis():
    coordinates = [{"anemoi.variable": "latitudes", "_shape": (7,), "_digest": "a"}]
    coordinates += [{"anemoi.variable": "longitudes", "_shape": (7,), "_digest": "b"}]
    rows = [{**row, "_message": 0} for row in (*coordinates, {"anemoi.variable": "2t", "_shape": (7,)})]
    group = only(rows)
    assert group.variables["2t"].dims == ("values",)
    assert group.coordinates["latitude"].dims == group.coordinates["longitude"].dims == ("values",)


def test_coordinates_of_two_axes():
    coordinates = [{"name": name, "_shape": (3, 4), "_digest": name} for name in ("LAT", "lon")]
    group = only(messages([{"param": "t"}], coordinates))
    assert group.variables["t"].dims == ("y", "x") and group.coordinates["latitude"].dims == ("y", "x")


def test_another_digest_is_another_grid():
    rows = messages([{"param": "t"}], [LATITUDE, LONGITUDE], count=2)
    rows += [{**row, "_message": 2, **({"_digest": "z"} if "name" in row else {"step": 12})} for row in rows[:3]]
    found = groups(rows)
    assert [each.variables["t"].cells.tolist() for each in found.values()] == [[2, 5], 8]


def test_coordinates_without_digests_are_of_their_message_only():
    rows = [
        {key: value for key, value in row.items() if key != "_digest"}
        for row in messages([{"param": "t"}], [LATITUDE], 2)
    ]
    assert len(groups(rows)) == 2


def test_an_ambiguous_length_asks_for_names():
    square = [{**LATITUDE, "_shape": (4,)}, LONGITUDE, {"param": "t", "_shape": (4, 4)}]
    rows = [{**row, "_message": 0} for row in square]
    with pytest.raises(CubeError, match=r"0:0: a coordinate of 4 elements fits several axes .*dim_names=\['latitude'"):
        only(rows)
    group = only(rows, dim_names=["latitude", "longitude"])
    assert group.coordinates["latitude"].dims == ("latitude",) and group.coordinates["longitude"].dims == ("longitude",)
    rows = [{**row, "_dims": names} for row, names in zip(rows, (["a"], ["b"], ["a", "b"]))]
    group = only(rows)
    assert group.coordinates["latitude"].dims == ("a",) and group.coordinates["longitude"].dims == ("b",)


def test_an_axis_named_as_one_coordinate_is_not_that_of_another():
    coordinates = [{**LATITUDE, "_shape": (4,)}, {**LONGITUDE, "_shape": (4,)}]
    rows = [{**row, "_message": 0} for row in (*coordinates, {"param": "t", "_shape": (4, 4), "_dims": ["lat", "i"]})]
    group = only(rows)
    assert group.coordinates["latitude"].dims == ("lat",) and group.coordinates["longitude"].dims == ("i",)


def test_a_coordinate_of_another_length_is_of_other_fields():
    rows = [
        {**row, "_message": 0} for row in ({**LATITUDE, "_shape": (9,)}, {"param": "t"}, {"param": "r", "_shape": (9,)})
    ]
    found = {tuple(each.variables): each for each in groups(rows).values()}
    assert "latitude" not in found[("t",)].coordinates
    assert found[("r",)].coordinates["latitude"].dims == ("latitude",)


def test_grids_are_never_known_by_their_shape_alone():
    rows = product(param=["t", "u"], step=[0, 6], grid="O96", _shape=[(40320,)])
    rows += product(param=["t", "u"], step=[0, 6], grid="N320", _shape=[(40320,)])
    found = groups(rows)
    assert len(found) == 2
    for name, grid in zip(found, ("N320", "O96")):
        assert [each.attrs.get("grid", found[name].attrs.get("grid")) for each in found[name].variables.values()] == [
            grid
        ] * 2
    rows = product(param="t", step=[0, 6], grid="O96", _shape=[(7,)]) + product(param="u", step=[0, 6], _shape=[(7,)])
    assert len(groups(rows)) == 2


def test_grids_that_are_lists():
    rows = [{"param": "t", "step": step, "grid": [0.25, 0.25], "area": [90, 0, -90, 359.75]} for step in (0, 6)]
    rows += [{"param": "t", "step": step, "grid": [0.25, 0.25], "area": [60, 0, 30, 40]} for step in (0, 6)]
    found = groups(rows)
    assert len(found) == 2
    assert {each.where for each in found.values()} == {'mars.area="[60,0,30,40]"', 'mars.area="[90,0,-90,359.75]"'}
    assert next(iter(found.values())).variables["t"].attrs["grid"] == [0.25, 0.25]


@pytest.mark.parametrize("edition", [1, 2])
def test_grids_by_their_section_of_grib(edition):
    rows = [
        {"param": "t", "step": step, "_shape": (7,), "grib_sections": sections(grid, edition, step)}
        for grid in (b"O96", b"N32")
        for step in (0, 6)
    ]
    found = plan(table(rows)).groups
    assert sorted(each.variables["t"].cells.tolist() for each in found) == [[0, 1], [2, 3]]
    assert "grib_sections" not in found[0].variables["t"].attrs


def test_the_grid_section_comes_before_keys():
    rows = [{"param": "t", "step": step, "_shape": (7,), "grib_sections": sections()} for step in (0, 6)]
    rows[0]["grid"] = "O96"
    assert only(rows).variables["t"].cells.tolist() == [0, 1]


def test_stored_names_may_be_those_without_any():
    rows = [{"param": "t", "step": 0}, {"param": "t", "step": 6, "_dims": ["y", "x"]}]
    assert only(rows).variables["t"].cells.tolist() == [0, 1]


def test_sections_without_a_grid():
    whole = sections(b"O96")
    assert grid_section(whole) == grid_section(whole.hex()) == grid_section(sections(b"O96", start=7))
    for wrong in (b"", "xyz", b"GRIB", whole[:20], b"BUFR" + whole[4:], 7, None, b"GRIB\0\0\0\2" + bytes(100)):
        assert grid_section(wrong) is None


def test_wave_spectra_keep_indices():
    rows = product(param="2dfd", direction=[1, 2, 3], frequency=[1, 2], _shape=[(7,)])
    group = only(rows)
    assert group.variables["2dfd"].dims == ("direction", "frequency", "values")
    assert labels(group, "direction") == [1, 2, 3] and "direction_degrees" not in group.coordinates
    for row in rows:
        row["grib.scaledDirections"] = [5000, 15000, 25000]
        row["grib.directionScalingFactor"] = 1000
        row["grib.scaledFrequencies"] = [34523, 37976]
        row["grib.frequencyScalingFactor"] = 1000000
    group = only(rows)
    assert labels(group, "direction_degrees") == [5, 15, 25]
    assert labels(group, "frequency_hz") == [0.034523, 0.037976]
    assert group.coordinates["direction_degrees"].dims == ("direction",)


def test_an_axis_with_the_name_of_a_dimension_is_an_error():
    rows = [{"param": "t", "step": step, "_dims": ["step", "x"]} for step in (0, 6)]
    with pytest.raises(CubeError, match="axis 'step' of the objects of 't' has the name of a dimension"):
        only(rows)


@pytest.mark.parametrize("variables", [[["a"], ["b"], ["c"]], ["", None, "b"]])
def test_lists_of_what_is_no_label(variables):
    found = plan(table([{"param": "t", "variables": variables}]), Options())
    assert "variables" not in found.only().coordinates and "has lists, maps or null" in found.explain()


def test_a_coordinate_that_fits_no_axis_is_noted():
    rows = [
        {"param": "latitude", "_shape": (5,), "_digest": "a", "_message": 0},
        {"param": "t", "_message": 0},
    ]
    assert "the coordinate 0:0 of shape (5,) does not fit the shape (3, 4)" in plan(table(rows), Options()).explain()


def test_two_axes_of_one_name_are_an_error():
    with pytest.raises(CubeError, match="rename gives one name to two axes"):
        only([{"param": "t"}], rename={"x": "y"})


def test_an_axis_with_the_name_of_a_scalar_is_an_error():
    with pytest.raises(CubeError, match="the axis 'step' .* has the name of a dimension or coordinate .*dim_names="):
        only([{"param": "t", "step": 6, "_dims": ["step", "b"]}])


@pytest.mark.parametrize("value", [2**70, 10**15, 1.5, True])
def test_sections_that_are_no_bytes(value):
    """A number is not a count of zeros."""
    assert grid_section(value) is None


def test_many_coordinates_in_one_message_take_linear_time():
    rows = [{"param": "lat", "_shape": (7,), "_digest": "a", "_message": 0}] * 4000 + [{"param": "t", "_message": 0}]
    begin = time.process_time()
    plan(table(rows), Options())
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "key", ["mars.grid", "grid", "geography.grid", "geography.N", "grib.geography.Ni", "run.gridName", "a.b.gridSpec"]
)
def test_any_key_of_a_grid_keeps_grids_apart(key):
    rows = [{"param": "t", "step": step, key: grid} for step in (0, 6) for grid in ("O320", "N320")]
    found = table_of(rows, key)
    assert {each.variables["t"].cells.size for each in found} == {2} and len(found) == 2
    by_grid = {each.where: each.variables["t"].cells.tolist() for each in found}
    assert by_grid == {f"{key}=N320": [1, 3], f"{key}=O320": [0, 2]}
    alone = table_of([rows[0], rows[3]], key)  # never one variable, also if each has another step
    assert [list(each.coordinates) for each in alone] == [["step"], ["step"]]
    assert len(table_of([rows[0], rows[3]], key, join="outer")) == 2
    without = [rows[0], {name: value for name, value in rows[3].items() if name != key}]
    assert len(table_of(without, key)) == 2


def table_of(rows, key, **options):
    """Return the groups of rows, of which `key` is a whole key."""
    columns = {f"mars.{name}": [row[name] for row in rows] for name in ("param", "step")}
    columns[key] = [row.get(key) for row in rows]
    return plan(Rows.of(columns, dtypes=["float32"] * len(rows), shapes=[(6,)] * len(rows)), Options(**options)).groups


def test_keys_of_values_do_not_tell_grids_apart():
    rows = [{"param": "t", "step": 0, "geography.bitmapPresent": 0}, {"param": "t", "step": 6}]
    rows[1]["geography.bitmapPresent"] = 1
    (group,) = table_of(rows, "geography.bitmapPresent")
    assert group.variables["t"].cells.tolist() == [0, 1]


def test_a_grid_that_is_a_map_has_no_selection():
    rows = [{"param": "t", "step": 0, "grid": {"type": kind}} for kind in ("a", "b")]
    assert [each.where for each in table_of(rows, "grid")] == ["", ""]
