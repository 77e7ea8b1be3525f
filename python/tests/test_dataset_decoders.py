# SPDX-License-Identifier: Apache-2.0
"""Arguments of xarray.open_dataset by which it decodes files."""

from __future__ import annotations

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")

from cube_archives import OPERATIONAL, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
from tgmap.datasets._backend import TgmapBackendEntrypoint  # noqa: E402
from tgmap.datasets._decoders import with_times  # noqa: E402


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rows = product(param=["t", "tp"], date=[20240101, 20240102], time="1200", step=["0-6", "0-12"], **OPERATIONAL)
    return write(tmp_path_factory.mktemp("decoders") / "a.tgm", rows)


def opened(path, **options):
    return xarray.open_dataset(path, engine=TgmapBackendEntrypoint, **options)


@pytest.mark.parametrize("value", [True, False, None])
@pytest.mark.parametrize("name", ["mask_and_scale", "concat_characters", "decode_coords"])
def test_arguments_without_effect(path, name, value):
    xarray.testing.assert_identical(opened(path, **{name: value}), tgmap.to_dataset(path))


def test_coordinates_are_coordinates_always(path):
    xarray.testing.assert_identical(opened(path, decode_coords="all"), tgmap.to_dataset(path))


@pytest.mark.parametrize("name", ["decode_times", "decode_timedelta", "use_cftime", "decode_cf"])
def test_what_is_the_default_changes_nothing(path, name):
    for value in (None, False if name == "use_cftime" else True):
        xarray.testing.assert_identical(opened(path, **{name: value}), tgmap.to_dataset(path))


@pytest.mark.parametrize("options", [{"decode_times": False}, {"decode_cf": False}])
def test_times_that_are_numbers(path, options):
    found = opened(path, **options)
    noon = 1704110400
    assert found["forecast_reference_time"].values.tolist() == [noon, noon + 86400]
    assert found["forecast_reference_time"].attrs["units"] == "seconds since 1970-01-01"
    assert found["step"].values.tolist() == [21600, 43200] and found["step"].attrs["units"] == "seconds"
    assert found["step_bounds"].values.tolist() == [[0, 21600], [0, 43200]]
    assert found["valid_time"].values.tolist() == [[noon + 21600, noon + 43200], [noon + 108000, noon + 129600]]
    assert {found[name].dtype for name in ("forecast_reference_time", "step", "valid_time")} == {np.dtype("i8")}
    np.testing.assert_array_equal(found["t"].sel(step=43200), tgmap.to_dataset(path)["t"].sel(step="12h"))
    xarray.testing.assert_equal(xarray.decode_cf(found, decode_timedelta=True), tgmap.to_dataset(path))


def test_only_steps_are_numbers(path):
    found, plain = opened(path, decode_timedelta=False), tgmap.to_dataset(path)
    assert found["step"].values.tolist() == [21600, 43200] and found["step_bounds"].dtype == np.dtype("i8")
    assert found["valid_time"].identical(plain["valid_time"].assign_coords(step=found["step"]))
    dates = opened(path, decode_times=False, decode_timedelta=True)
    assert dates["step"].equals(plain["step"]) and dates["forecast_reference_time"].dtype == np.dtype("i8")


def test_units_of_coders(path):
    from xarray.coders import CFDatetimeCoder, CFTimedeltaCoder

    found = opened(path, decode_times=CFDatetimeCoder(time_unit="s"))
    assert found["valid_time"].dtype == "M8[s]" and found["step"].dtype == "m8[s]"
    xarray.testing.assert_equal(found, tgmap.to_dataset(path))
    found = opened(path, decode_timedelta=CFTimedeltaCoder(time_unit="ms"))
    assert found["valid_time"].dtype == "M8[ns]" and found["step"].dtype == "m8[ms]"
    found = opened(path, decode_times={"valid_time": False})
    assert found["valid_time"].dtype == np.dtype("i8") and found["forecast_reference_time"].dtype == "M8[ns]"
    with pytest.raises(TypeError, match="cannot both be given"):
        opened(path, decode_times=CFDatetimeCoder(), use_cftime=True)


def test_dates_of_cftime(path):
    cftime = pytest.importorskip("cftime", reason="SKIPPED: dates of cftime (cftime is not here)")
    from xarray.coders import CFDatetimeCoder

    for options in ({"use_cftime": True}, {"decode_times": CFDatetimeCoder(use_cftime=True)}):
        found = opened(path, **options)["forecast_reference_time"].values
        assert found.tolist() == [cftime.DatetimeProlepticGregorian(2024, 1, day, 12) for day in (1, 2)]


def test_dates_that_are_missing():
    given = xarray.Dataset(coords={"valid_time": ("x", np.array(["2024-01-01", "NaT"], "M8[ns]"))})
    found = with_times(given, decode_times=False)["valid_time"]
    assert found.values[0] == 1704067200.0 and np.isnan(found.values[1])
    xarray.testing.assert_identical(with_times(given), given)


def test_variables_are_left_out(path):
    for dropped in ("tp", ["tp"], ["tp", "valid_time"]):
        found = opened(path, drop_variables=dropped, decode_times=False)
        assert list(found) == ["t"] and ("valid_time" in found.coords) is (dropped != ["tp", "valid_time"])


def test_trees(path):
    tree = xarray.open_datatree(path, engine=TgmapBackendEntrypoint, decode_times=False)
    assert {each["step"].dtype for each in tree.subtree if "step" in each} == {np.dtype("i8")}
    groups = xarray.open_groups(path, engine=TgmapBackendEntrypoint, mask_and_scale=False)
    assert groups["/fields"]["step"].dtype.kind == "m"


def test_other_arguments_are_errors_still(path):
    with pytest.raises(TypeError, match="no option 'decode_time'"):
        opened(path, decode_time=False)
