# SPDX-License-Identifier: Apache-2.0
"""Archives as a store of Zarr."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import threading

import numpy as np
import pytest
from cube_archives import elements, ensemble, forecast, model_output, seasonal, spectra
from cube_archives import write as write_rows
from cube_rows import product
from reference_archives import COMMON, check_same, fields, write

import tgmap
from tgmap.cubes import Coordinate, CubeError, CubeWarning, Group

zarr = pytest.importorskip("zarr", reason="SKIPPED: stores of Zarr (zarr is not here)")
xarray = pytest.importorskip("xarray", reason="SKIPPED: stores of Zarr (xarray is not here)")

from zarr.abc.store import OffsetByteRequest, RangeByteRequest, SuffixByteRequest  # noqa: E402
from zarr.core.buffer import default_buffer_prototype  # noqa: E402

from tgmap.references import ArchiveStore  # noqa: E402
from tgmap.references._arrays import group_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("error::tgmap.cubes.CubeWarning")


def get(store, key, part=None):
    """Return the bytes of a key, or None."""
    found = asyncio.run(store.get(key, default_buffer_prototype(), part))
    return None if found is None else found.to_bytes()


def keys_of(store, prefix=None):
    async def all_of():
        found = store.list() if prefix is None else store.list_prefix(prefix)
        return [key async for key in found]

    return asyncio.run(all_of())


def names_of(store, prefix):
    async def all_of():
        return sorted([name async for name in store.list_dir(prefix)])

    return asyncio.run(all_of())


def opened(store, **options):
    return xarray.open_zarr(store, chunks=None, **options)


@pytest.mark.parametrize("rows", [ensemble, seasonal, spectra, model_output])
def test_zarr_gives_what_to_dataset_gives(tmp_path, rows):
    """Labels, dates, steps, bounds, coordinates of objects, and attributes."""
    path = write_rows(tmp_path / "a.tgm", rows())
    xarray.testing.assert_identical(opened(ArchiveStore(path)).load(), tgmap.to_dataset(path).load())


@pytest.mark.parametrize("names", ["cfgrib", "earthkit"])
def test_names_of_other_profiles(tmp_path, names):
    path = write_rows(tmp_path / "a.tgm", ensemble())
    expected = tgmap.to_dataset(path, names=names)
    xarray.testing.assert_identical(opened(ArchiveStore(path, names=names)).load(), expected.load())


def test_several_cubes_are_groups(tmp_path):
    path = write_rows(tmp_path / "a.tgm", forecast())
    tree = tgmap.to_datatree(path)
    store = ArchiveStore(path)
    found = xarray.open_datatree(store, engine="zarr")
    assert set(found.children) == set(tree.children) and len(tree.children) > 2
    for name in tree.children:
        xarray.testing.assert_identical(found[name].to_dataset().load(), tree[name].to_dataset().load())
        xarray.testing.assert_identical(opened(store, group=name).load(), tree[name].to_dataset().load())
        assert set(zarr.open_consolidated(store, path=name, mode="r").array_keys()) == set(tree[name].variables)
        xarray.testing.assert_identical(opened(ArchiveStore(path, group=name)).load(), tree[name].to_dataset().load())
    with pytest.raises(CubeError, match="there is no group 'x'"):
        ArchiveStore(path, group="x")


@pytest.mark.parametrize("dtype", "f2 f4 f8 i1 u1 i2 u4 i8 u8 c8 c16 ?".split())
@pytest.mark.parametrize("order", ["little", "big"])
def test_dtypes(tmp_path, dtype, order):
    path = write(tmp_path / "a.tgm", fields(dtype), byte_order=order)
    check_same(opened(ArchiveStore(path)), tgmap.to_dataset(path))


@pytest.mark.parametrize("order", ["little", "big"])
def test_bfloat16_becomes_float32(tmp_path, order):
    values = np.array([[1.5, -2.25], [np.nan, 3e38]], dtype="f4")
    bits = (values.view("u4") >> 16).astype("u2")
    path = write(tmp_path / "a.tgm", [bits, bits], dtype="bfloat16", check_elements=False, byte_order=order)
    found = opened(ArchiveStore(path))["v"].values
    assert found.dtype == np.float32
    assert np.array_equal(found[1], (bits.astype("u4") << 16).view("f4"), equal_nan=True)


def test_dtypes_that_are_promoted(tmp_path):
    dtypes = {0: "f4", 6: "f8", 18: "i2"}
    rows = [{**COMMON, "param": "v", "step": step, "_dtype": dtype} for step, dtype in dtypes.items()]
    path = write_rows(tmp_path / "a.tgm", rows)
    expected = tgmap.to_dataset(path, promote=True)
    assert expected["v"].dtype == np.float64
    check_same(opened(ArchiveStore(path, promote=True)), expected)


def test_bfloat16_with_holes(tmp_path):
    bits = np.array([16320, 49168], dtype="u2")
    with tgmap.create(tmp_path / "a.tgm") as out:
        for step, level in ((0, 1), (0, 2), (6, 1)):
            keys = {"mars": {**COMMON, "levtype": "pl", "param": "v", "step": step, "levelist": level}}
            out.write([tgmap.NewObject(bits, keys, dtype="bfloat16")])
    found = opened(ArchiveStore(tmp_path / "a.tgm", allow_holes=True))["v"].values
    expected = (bits.astype("u4") << 16).view("f4")
    assert np.array_equal(found[0], [expected, expected]) and np.array_equal(found[1, 0], expected)
    assert np.isnan(found[1, 1]).all()


def test_masks_packing_and_compression(tmp_path):
    random = np.random.default_rng(2)
    arrays = [random.normal(size=(30, 40)) * 10**number for number in range(4)]
    masked = arrays[3].copy()
    masked[::7] = np.nan
    options = [
        {"encoding": "simple_packing", "bits": 12},
        {"encoding": "simple_packing", "bits": 16, "compression": "szip"},
        {"compression": "zstd", "filter": "shuffle"},
        {"allow_nan": True},
    ]
    path = write(tmp_path / "a.tgm", [*arrays[:3], masked], options)
    check_same(opened(ArchiveStore(path)), tgmap.to_dataset(path))


def test_names_with_line_breaks(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.create(path) as out:
        for step in range(4):
            out.write(np.full((2,), step, "f4"), {"name": "a\nb", "mars.step": step})
    found = opened(ArchiveStore(path))["a\nb"].values
    np.testing.assert_array_equal(found, [[0, 0], [1, 1], [2, 2], [3, 3]])


def test_holes_are_nan(tmp_path):
    rows = product(**{**COMMON, "levtype": "pl"}, param="v", step=[0, 6], levelist=[1, 2, 3])
    kept = [row for row in rows if (row["step"], row["levelist"]) not in ((0, 2), (6, 3))]
    path = write_rows(tmp_path / "a.tgm", kept)
    store = ArchiveStore(path, allow_holes=True, chunks={"levelist": 1, "step": 1})
    expected = tgmap.to_dataset(path, allow_holes=True)
    check_same(opened(store), expected)
    assert np.isnan(expected["v"].values).sum() == 2 * 12
    chunks = [key for key in keys_of(store) if key.startswith("v/c/")]
    assert chunks == ["v/c/0/0/0/0", "v/c/0/2/0/0", "v/c/1/0/0/0", "v/c/1/1/0/0"]
    assert get(store, "v/c/0/1/0/0") is None and not asyncio.run(store.exists("v/c/1/2/0/0"))
    check_same(opened(ArchiveStore(path, allow_holes=True)), expected)
    with pytest.raises(CubeError):
        ArchiveStore(path)


def test_several_archives_are_one_cube(tmp_path):
    arrays = fields("f4", 6)
    paths = [write(tmp_path / f"{i}.tgm", arrays[2 * i : 2 * i + 2], first_step=2 * i) for i in range(3)]
    check_same(opened(ArchiveStore(paths)), tgmap.to_dataset(paths))
    assert np.array_equal(opened(ArchiveStore(str(tmp_path / "*.tgm")))["v"].values, arrays)


def test_bytes_and_streams(tmp_path):
    arrays = fields("f4", 3)
    content = b""
    for number, array in enumerate(arrays):
        message = bytearray()
        with tgmap.stream(tmp_path / "s.tgm") as out:
            out.write(tgmap.NewObject(array, {"mars": {**COMMON, "param": "v", "step": number}}))
        message += (tmp_path / "s.tgm").read_bytes()
        content += bytes(message)
    store = ArchiveStore(memoryview(content))
    assert np.array_equal(opened(store)["v"].values, arrays)


def test_chunks_are_runs_of_objects(tmp_path, monkeypatch):
    """The dimension along which messages follow each other is filled first."""
    monkeypatch.setattr("tgmap.references._chunks.CHUNK_BYTES", 4 * 48)
    rows = product(**{**COMMON, "levtype": "pl"}, param="v", levelist=[1, 2, 3, 5], step=[0, 6, 12])
    by_step = [row for step in (0, 6, 12) for row in rows if row["step"] == step]
    for order, expected in ((rows, (3, 1, 3, 4)), (by_step, (1, 4, 3, 4))):
        path = write_rows(tmp_path / "a.tgm", order)
        store = ArchiveStore(path)
        array = zarr.open_array(store, path="v", mode="r")
        assert array.metadata.dimension_names == ("step", "levelist", "y", "x")
        assert array.chunks == expected
        check_same(opened(store), tgmap.to_dataset(path))


def test_chunks_that_are_asked_for(tmp_path):
    path = write_rows(tmp_path / "a.tgm", ensemble())
    expected = tgmap.to_dataset(path)
    for chunks in ({"number": 2}, {"step": 1, "x": 3}, {"number": -1, "step": 1, "y": 2, "x": 1}, {"number": 99}):
        store = ArchiveStore(path, chunks=chunks)
        array = zarr.open_array(store, path="2t", mode="r")
        sizes = dict(zip(array.metadata.dimension_names, array.chunks))
        for dim, size in chunks.items():
            assert sizes[dim] == (size if 0 < size < expected.sizes[dim] else expected.sizes[dim])
        check_same(opened(store), expected)
    for wrong in ({"number": 0}, {"number": 1.5}, {"number": True}, {"level": 1}):
        with pytest.raises(ValueError, match="chunks"):
            ArchiveStore(path, chunks=wrong)


def test_only_chunks_of_a_selection_are_read(tmp_path, monkeypatch):
    path = write(tmp_path / "a.tgm", fields("f4", 6))
    store = ArchiveStore(path, chunks={"step": 2})
    reads = []
    read = type(store._files).read
    monkeypatch.setattr(type(store._files), "read", lambda self, *given: reads.append(given[1]) or read(self, *given))
    zarr.open_array(store, path="v", mode="r")[3]
    assert [each.tolist() for each in reads] == [[2, 3]]


def test_a_thousand_contiguous_fields_are_one_read(tmp_path, monkeypatch):
    rows = product(**{**COMMON, "levtype": "pl"}, param="v", levelist=list(range(1, 51)), step=list(range(20)))
    path = write_rows(tmp_path / "a.tgm", rows)
    calls = []
    read = tgmap.gather
    counted = lambda places, *rest: calls.append(len(places)) or read(places, *rest)  # noqa: E731
    monkeypatch.setattr("tgmap.references._files.gather", counted)
    found = zarr.open_array(ArchiveStore(path), path="v", mode="r")[...]
    assert calls == [1000] and found.shape == (20, 50, 3, 4)
    row = next(i for i, each in enumerate(rows) if (each["step"], each["levelist"]) == (7, 34))
    assert np.array_equal(found[7, 33], elements(row))


def test_keys(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4", 4))
    store = ArchiveStore(path, chunks={"step": 2})
    keys = keys_of(store)
    assert {"zarr.json", "v/zarr.json", "v/c/0/0/0", "v/c/1/0/0", "step/c/0", "valid_time/c/0"} <= set(keys)
    assert "forecast_reference_time/c" in keys and len(set(keys)) == len(keys)
    for key in keys:
        assert get(store, key) is not None and asyncio.run(store.exists(key))
    assert names_of(store, "v") == names_of(store, "v/") == ["c", "zarr.json"]
    assert names_of(store, "v/c") == ["0", "1"]
    assert "v" in names_of(store, "") and "zarr.json" in names_of(store, "")
    assert keys_of(store, "v/c/1") == ["v/c/1/0/0"]
    missing = ["v/c/2/0/0", "v/c/0/0", "v/c/0/0/0/0", "v/c/00/0/0", "v/c/-1/0/0", "v/c/0/0/1", "v/c", "w/c/0", "v/c/x"]
    missing += [".zgroup", "v/.zarray", "", "/", "v/c/" + "9" * 30 + "/0/0", "../a.tgm", "v//zarr.json", "zarr.json/"]
    for key in missing:
        assert get(store, key) is None and not asyncio.run(store.exists(key)), key
    assert asyncio.run(store.is_empty("nothing")) and not asyncio.run(store.is_empty("v"))


def test_parts_of_values(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4", 4))
    store = ArchiveStore(path)
    whole = get(store, "v/c/0/0/0")
    assert get(store, "v/c/0/0/0", RangeByteRequest(4, 12)) == whole[4:12]
    assert get(store, "v/c/0/0/0", RangeByteRequest(4, 10**9)) == whole[4:]
    assert get(store, "v/c/0/0/0", OffsetByteRequest(8)) == whole[8:]
    assert get(store, "v/c/0/0/0", SuffixByteRequest(8)) == whole[-8:]
    assert get(store, "v/c/0/0/0", SuffixByteRequest(0)) == b""
    prototype = default_buffer_prototype()
    found = asyncio.run(store.get_partial_values(prototype, [("v/c/0/0/0", RangeByteRequest(0, 4)), ("no", None)]))
    assert found[0].to_bytes() == whole[:4] and found[1] is None


def test_the_store_is_read_only(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    store = ArchiveStore(path)
    before = os.stat(path)
    with pytest.raises(ValueError, match="read-only"):
        zarr.open_group(store, mode="r+")["v"][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        store.with_read_only(False)
    with pytest.raises(ValueError, match="read-only"):
        asyncio.run(store.delete("zarr.json"))
    assert store.with_read_only(True) is store and store.read_only and not store.supports_writes
    assert os.stat(path).st_mtime_ns == before.st_mtime_ns


def test_a_copy_needs_no_codec_of_ours(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f8"), encoding="simple_packing", bits=16)
    opened(ArchiveStore(path)).to_zarr(tmp_path / "copy.zarr", consolidated=False)
    assert "tgmap" not in (tmp_path / "copy.zarr" / "v" / "zarr.json").read_text()
    check_same(xarray.open_zarr(tmp_path / "copy.zarr", chunks=None, consolidated=False), tgmap.to_dataset(path))


@pytest.mark.parametrize("how", ["appended", "replaced", "touched", "removed"])
@pytest.mark.parametrize("is_list", [False, True])
def test_a_file_that_has_changed(tmp_path, how, is_list):
    """Never a value of other bytes. A file that was replaced is still there for the process that has it open."""
    path = write(tmp_path / "a.tgm", fields("f4"))
    store = ArchiveStore([path] if is_list else path)
    content = pickle.dumps(store)
    array = zarr.open_array(store, path="v", mode="r")
    assert np.array_equal(array[0], fields("f4")[0])
    if how == "appended":
        with open(path, "ab") as file:
            file.write(b"x")
    elif how == "replaced":
        write(path, [each + 1 for each in fields("f4", 5)])
    elif how == "touched":
        os.utime(path, ns=(1, 1))
    else:
        os.unlink(path)
    expected = FileNotFoundError if how == "removed" else tgmap.ChangedFileError
    with pytest.raises(expected):
        get(pickle.loads(content), "v/c/0/0/0")
    if how in ("replaced", "removed") and not is_list:
        assert np.array_equal(array[...], fields("f4"))
        return
    with pytest.raises(expected):
        array[0]


def test_pickles_and_equality(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    other = write(tmp_path / "b.tgm", fields("f4"))
    store = ArchiveStore(path)
    loaded = pickle.loads(pickle.dumps(store))
    assert loaded == store and loaded == ArchiveStore(path) and loaded != ArchiveStore(other) and loaded != 1
    check_same(opened(loaded), tgmap.to_dataset(path))
    content = pickle.dumps(store)
    os.utime(path, ns=(1, 1))
    for each in (pickle.loads(content), loaded, store):
        with pytest.raises(tgmap.ChangedFileError):
            get(each, "v/c/0/0/0")
    changed = ArchiveStore(other)
    os.utime(other, ns=(1, 1))
    with pytest.raises(tgmap.ChangedFileError):  # the pickle has the time that the file had
        get(pickle.loads(pickle.dumps(changed)), "v/c/0/0/0")
    in_memory = pickle.loads(pickle.dumps(ArchiveStore(tgmap.encode([np.arange(3)], {"name": "w"}))))
    assert opened(in_memory)["w"].values.tolist() == [0, 1, 2]


def test_names_of_dask_change_with_files(tmp_path):
    pytest.importorskip("dask", reason="SKIPPED: names of arrays of Dask (dask is not here)")
    path = write(tmp_path / "a.tgm", fields("f4"))

    def name(**options):
        return xarray.open_zarr(ArchiveStore(path, **options))["v"].data.name

    assert name() == name() and name() != name(chunks={"step": 1})
    before = name()
    write(path, fields("f4", 4))
    os.utime(path, ns=(1, 1))
    assert name() != before


def test_a_loaded_store_scans_nothing(tmp_path, monkeypatch):
    arrays = fields("f4", 6)
    paths = [write(tmp_path / f"{i}.tgm", arrays[3 * i : 3 * i + 3], first_step=3 * i) for i in range(2)]
    content = pickle.dumps(ArchiveStore(paths))
    refuse = lambda *given, **options: pytest.fail("scanned")  # noqa: E731
    for name in ("tgmap.Archive.__len__", "tgmap.Archive.__getitem__", "tgmap.Archive.table", "tgmap.Archive.gather"):
        monkeypatch.setattr(name, refuse)
    assert np.array_equal(opened(pickle.loads(content))["v"].values, arrays)


def test_relative_paths_keep_their_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("a.tgm", fields("f4"))
    store = ArchiveStore("a.tgm")
    monkeypatch.chdir("/")
    assert np.array_equal(opened(store)["v"].values, fields("f4"))


def test_many_threads(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4", 40))
    array = zarr.open_array(ArchiveStore(path, chunks={"step": 1}), path="v", mode="r")
    expected, found = array[...], []
    threads = [threading.Thread(target=lambda: found.append(array[...])) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 4 and all(np.array_equal(each, expected) for each in found)


def test_attributes_by_which_readers_would_change_values(tmp_path):
    """`scale_factor` of a file is not that of CF: the elements are scaled already."""
    keys = {"scale_factor": 10.0, "_FillValue": 0, "units": "days since 2000-01-01", "kept": [1, 2], "number": 1}
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(np.arange(3, dtype="f4"), {"name": "v", "_Unsigned": "true", **keys})])
    with pytest.warns(CubeWarning, match="by which readers would change values") as warned:
        store = ArchiveStore(tmp_path / "a.tgm")
    assert "a.tgm:0:0" in str(warned[0].message) and len(store.omitted) == 4
    found = opened(store)["v"]
    assert found.values.tolist() == [0, 1, 2] and found.dtype == np.float32
    assert found.attrs["kept"] == [1, 2] and "scale_factor" not in found.attrs


def test_attributes_of_users(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    attrs = {"v": {"note": "\u00e4\u2028\ud800", "map": {"a": [1, np.float32(2)]}, "array": np.arange(3)}}
    store = ArchiveStore(path, attrs=attrs)
    found = opened(store)["v"].attrs
    assert found["note"] == "\u00e4\u2028\ud800" and found["map"] == {"a": [1, 2]} and found["array"] == [0, 1, 2]


def test_attributes_that_json_does_not_have(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(np.arange(3, dtype="f4"), {"name": "v", "bad": float("inf")})])
    with pytest.warns(CubeWarning, match="'bad' of 'v' .*JSON does not have"):
        store = ArchiveStore(tmp_path / "a.tgm")
    json.loads(get(store, "zarr.json"), parse_constant=lambda text: pytest.fail(text))


@pytest.mark.parametrize("name", ["__v", ".", "zarr.json", "c", "v\0"])
def test_names_that_zarr_does_not_have(tmp_path, name):
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(np.arange(3), {"param": each}) for each in (name, "w")])
    with pytest.warns(CubeWarning, match="a.tgm:0:0.* is no name for Zarr"):
        store = ArchiveStore(tmp_path / "a.tgm")
    assert list(zarr.open_group(store, mode="r").array_keys()) == ["w"]


@pytest.mark.parametrize("unit", ["ns", "s"])
@pytest.mark.parametrize("kind", "Mm")
def test_dates_and_durations_that_are_absent(kind, unit):
    values = np.array([0, 86400, "NaT"], dtype=f"{kind}8[s]").astype(f"{kind}8[{unit}]")
    group = Group("fields", "", {}, {"t": Coordinate("t", ("x",), values)}, {})
    array = group_of(group, None).arrays["t"]
    variable = xarray.conventions.decode_cf_variable("t", xarray.Variable(array.dims, array.values, array.attrs))
    assert variable.values.astype(f"{kind}8[{unit}]").tolist() == values.tolist()
    assert array.attrs["_FillValue"] == array.values[2] == -(2**63)


def test_dates_before_1678(tmp_path):
    from xarray.coders import CFDatetimeCoder

    rows = [{**COMMON, "param": "v", "date": date, "step": 0} for date in (10000101, 20240101)]
    path = write_rows(tmp_path / "a.tgm", rows)
    expected = tgmap.to_dataset(path)
    assert expected["forecast_reference_time"].dtype == "datetime64[s]"
    found = opened(ArchiveStore(path), decode_times=CFDatetimeCoder(time_unit="s"))
    assert found["forecast_reference_time"].values.tolist() == expected["forecast_reference_time"].values.tolist()


def test_text_labels(tmp_path):
    array = np.arange(6, dtype="f4").reshape(2, 3)
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(array, {"name": "v", "variables": ["2t", "\u00e4\U0001f600"]})])
    check_same(opened(ArchiveStore(tmp_path / "a.tgm")), tgmap.to_dataset(tmp_path / "a.tgm"))


def test_scalars_and_empty_objects(tmp_path):
    for array in (np.float32(3), np.zeros((0, 3), "f4")):
        with tgmap.create(tmp_path / "a.tgm") as out:
            out.write([tgmap.NewObject(np.asarray(array), {"name": "v"})])
        check_same(opened(ArchiveStore(tmp_path / "a.tgm")), tgmap.to_dataset(tmp_path / "a.tgm"))


def test_nothing_to_open(tmp_path):
    with tgmap.create(tmp_path / "a.tgm"):
        pass
    with pytest.raises(CubeError, match="there are no objects"):
        ArchiveStore(tmp_path / "a.tgm")
    with pytest.raises(TypeError, match="there is no option 'chunk'"):
        ArchiveStore(tmp_path / "a.tgm", chunk={})
