# SPDX-License-Identifier: Apache-2.0
"""The engine of xarray that compat brings. ./dev interop runs the tests of the reference's plugin on it, too."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: the engine of compat (xarray is not here)")

import tgmap  # noqa: E402
from tgmap.compat.engine import TensogramBackendEntrypoint, open_datasets  # noqa: E402


def write(path, messages, **options):
    """Write messages of (metadata, array) pairs; a dict in front is that of the message."""
    with tgmap.create(path, **options) as out:
        for first, *rest in messages:
            objects = rest if isinstance(first, dict) else [first, *rest]
            made = [tgmap.NewObject(array, metadata) for metadata, array in objects]
            out.write(made, *([first] if isinstance(first, dict) else []))
    return path


def field(number, shape=(3, 4), dtype="f4"):
    return (number * 100 + np.arange(np.prod(shape))).reshape(shape).astype(dtype)


def opened(path, **options):
    return xarray.open_dataset(path, engine=TensogramBackendEntrypoint, **options)


@pytest.fixture
def path(tmp_path):
    latitude = ({"name": "Lat"}, np.arange(3.0))
    return write(
        tmp_path / "a.tgm",
        [
            [{"title": "x"}, latitude, ({"name": "t", "mars": {"step": step}}, field(step)), ({}, field(9, (4, 2)))]
            for step in (0, 6)
        ],
    )


def test_a_message_is_a_dataset(path):
    found = opened(path, message_index=1)
    assert {name: each.dims for name, each in found.variables.items()} == {
        "latitude": ("latitude",),
        "t": ("latitude", "obj_1_dim_1"),
        "object_2": ("dim_0", "obj_2_dim_1"),  # a name has one length
    }
    assert found.attrs == {"title": "x", "tensogram_wire_version": 3}
    assert found["t"].attrs == {"name": "t", "mars": {"step": 6}}
    np.testing.assert_array_equal(found["t"].values, field(6))
    np.testing.assert_array_equal(found["object_2"].isel(dim_0=slice(1, 3)), field(9, (4, 2))[1:3])


def test_names_of_dimensions_and_variables(path):
    with pytest.raises(ValueError, match="dim_names has 2 entries but tensor has 1"):
        opened(write(path.parent / "v.tgm", [[({"name": "v"}, field(0, (4,)))]]), dim_names=["a", "b"])
    hinted = write(path.parent / "h.tgm", [[({"name": "t", "dim_names": ["row", "column"]}, field(0))]])
    assert opened(hinted)["t"].dims == ("row", "column") and "dim_names" not in opened(hinted)["t"].attrs
    assert opened(hinted, dim_names=["p", "q"])["t"].dims == ("p", "q")
    by_size = write(path.parent / "s.tgm", [[{"dim_names": {"3": "r"}}, ({"name": "t"}, field(0))]])
    assert opened(by_size)["t"].dims == ("r", "dim_1")
    assert list(opened(path, variable_key="mars.step", drop_variables=["object_2"]).data_vars) == ["0"]


def test_no_object_is_lost_to_another_one_of_its_name(tmp_path):
    path = write(tmp_path / "same.tgm", [[({"name": "t"}, field(0)), ({"name": "t"}, field(1))]])
    for found in (opened(path), open_datasets(path)[0]):
        np.testing.assert_array_equal(found["t"].values, field(0))
        np.testing.assert_array_equal(found["t_1"].values, field(1))


def test_objects_are_stacked_along_keys_that_vary(tmp_path):
    rows = [(number, step) for step in (0, 6, 12) for number in (1, 2)]
    messages = [[({"param": "t", "step": s, "number": n}, field(10 * n + s))] for n, s in rows]
    path = write(tmp_path / "cube.tgm", messages)
    (found,) = open_datasets(path)
    assert found["t"].dims == ("number", "step", "dim_0", "dim_1") and found.attrs == {"param": "t"}
    for number, step in rows:
        np.testing.assert_array_equal(found["t"].sel(number=number, step=step).values, field(10 * number + step))
    np.testing.assert_array_equal(found["t"][1, ::2, 0, 1:].values, [field(20)[0, 1:], field(32)[0, 1:]])
    xarray.testing.assert_identical(opened(path, merge_objects=True), found)
    incomplete = write(tmp_path / "less.tgm", messages[:-1])
    assert len(open_datasets(incomplete)[0].data_vars) == 5


def test_variables_of_a_key(tmp_path):
    path = write(
        tmp_path / "two.tgm", [[({"param": p, "step": s}, field(s + len(p)))] for p in ("t", "uu") for s in (0, 6)]
    )
    (found,) = open_datasets(path, variable_key="param")
    assert {name: each.dims[0] for name, each in found.data_vars.items()} == {"t": "step", "uu": "step"}
    np.testing.assert_array_equal(found["uu"].sel(step=6).values, field(8))


def test_one_combination_twice_and_another_not_at_all_is_an_error(tmp_path):
    keys = [("a", 1), ("a", 2), ("b", 1), ("b", 1)]
    path = write(tmp_path / "wrong.tgm", [[({"k": k, "l": number}, field(0))] for k, number in keys])
    with pytest.raises(ValueError, match="hypercube has a missing entry: object 0 of message 3"):
        open_datasets(path)


def test_hashes_are_compared(tmp_path):
    path = write(tmp_path / "h.tgm", [[({"name": "t"}, field(0))]])
    data = bytearray(path.read_bytes())
    at = data.index(field(0).tobytes())
    data[at + 5] ^= 1
    path.write_bytes(data)
    assert opened(path)["t"].shape == (3, 4)
    with pytest.raises(tgmap.compat.HashMismatchError):
        opened(path, verify_hash=True)["t"].load()


def test_dtypes_and_pickles(tmp_path):
    path = write(
        tmp_path / "d.tgm", [[({"name": "m"}, np.array([True, False, True])), ({"name": "c"}, field(1, (2,), "c8"))]]
    )
    found = pickle.loads(pickle.dumps(opened(path)))
    assert found["m"].dtype == np.uint8 and found["m"].values.tolist() == [1, 0, 1]
    assert found["c"].dtype == np.complex64


def test_other_machines_and_wrong_numbers(path):
    with pytest.raises(OSError, match="remote"):
        opened("https://host/a.tgm")
    with pytest.raises(ValueError, match="message_index must be >= 0"):
        opened(path, message_index=-1)
    assert TensogramBackendEntrypoint().guess_can_open("a.TGM")


PROGRAM = """
import sys, xarray
{before}
import tgmap.compat
tgmap.compat.install()
tgmap.compat.install()
found = xarray.open_dataset({path!r}, engine="tensogram")
import tensogram_xarray
print(*found.sizes, len(tensogram_xarray.open_datasets({path!r})), xarray.backends.list_engines()["tensogram"].description)
"""


@pytest.mark.parametrize("before", ["", "xarray.backends.list_engines()"])
def test_install_registers_the_engine(path, before):
    code = PROGRAM.format(path=str(path), before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("latitude") and "by the rules of tensogram-xarray" in done.stdout


def test_an_installed_plugin_stays_the_engine(path, tmp_path):
    (tmp_path / "tensogram_xarray.py").write_text("open_datasets = 'of the plugin'\n")
    code = "import tgmap.compat; tgmap.compat.install(); import tensogram_xarray as t, sys; print(t.open_datasets)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == "of the plugin\n"


def test_importing_and_installing_compat_imports_no_xarray():
    code = "import sys, tgmap.compat; tgmap.compat.install(); print('xarray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
