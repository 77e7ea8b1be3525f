# SPDX-License-Identifier: Apache-2.0
"""References to archives, as VirtualiZarr, kerchunk, fsspec and Icechunk write and read them. Compared by `.values`."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import DATA
from cube_archives import ensemble, forecast, model_output, seasonal, spectra
from cube_archives import write as write_rows
from reference_archives import COMMON, check_same, fields, write

import tgmap
from tgmap.cubes import CubeError, CubeWarning

NEEDED = ("xarray", "zarr", "virtualizarr", "kerchunk", "icechunk", "fastparquet", "obstore")
for needed in NEEDED:
    pytest.importorskip(needed, reason=f"SKIPPED: references for others ({needed} is not here)")

import icechunk  # noqa: E402
import virtualizarr  # noqa: E402
import xarray  # noqa: E402
import zarr  # noqa: E402
from obspec_utils.registry import ObjectStoreRegistry  # noqa: E402
from obstore.store import LocalStore, MemoryStore  # noqa: E402

from virtualizarr.manifests import ManifestArray  # noqa: E402

from tgmap.references import ArchiveParser, manifest_store  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("error::tgmap.cubes.CubeWarning"),
    pytest.mark.filterwarnings("ignore:Numcodecs codecs are not in the Zarr version 3"),
]


def through_zarr(store, folder):
    return xarray.open_dataset(store, engine="zarr", consolidated=False, zarr_format=3)


def through_json(store, folder):
    store = store if isinstance(store, xarray.Dataset) else store.to_virtual_dataset()
    store.vz.to_kerchunk(str(folder / "r.json"), format="json")
    return xarray.open_dataset(str(folder / "r.json"), engine="kerchunk")


def through_parquet(store, folder):
    store = store if isinstance(store, xarray.Dataset) else store.to_virtual_dataset()
    shutil.rmtree(folder / "r.parquet", ignore_errors=True)
    store.vz.to_kerchunk(str(folder / "r.parquet"), format="parquet")
    # Without the protocol, fsspec looks for it in all references, and takes an absent path, NaN in pandas 3, for text.
    options = {"remote_protocol": "file"}
    return xarray.open_dataset(str(folder / "r.parquet"), engine="kerchunk", storage_options=options)


def icechunk_repository(folder, name="ice"):
    config = icechunk.RepositoryConfig.default()
    url = f"file://{folder}/"
    local = icechunk.local_filesystem_store(str(folder))
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(url, local))
    shutil.rmtree(folder / name, ignore_errors=True)
    storage = icechunk.local_filesystem_storage(str(folder / name))
    return icechunk.Repository.create(storage, config, authorize_virtual_chunk_access={url: None})


def through_icechunk(store, folder):
    store = store if isinstance(store, xarray.Dataset) else store.to_virtual_dataset()
    repository = icechunk_repository(folder)
    session = repository.writable_session("main")
    store.vz.to_icechunk(session.store)
    session.commit("references")
    return xarray.open_zarr(repository.readonly_session("main").store, consolidated=False, chunks=None)


READERS = [through_zarr, through_json, through_parquet, through_icechunk]
WRITERS = READERS[1:]


def codecs_of(store, name="v"):
    return [each["name"] for each in store._group.arrays[name].metadata.to_dict()["codecs"]]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("rows", [ensemble, seasonal, spectra, model_output])
def test_cubes(tmp_path, reader, rows):
    path = write_rows(tmp_path / "a.tgm", rows())
    check_same(reader(manifest_store(path), tmp_path), tgmap.to_dataset(path))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("dtype", "f2 f4 i1 u4 i8 c8 ?".split())
@pytest.mark.parametrize("order", ["little", "big"])
def test_dtypes(tmp_path, reader, dtype, order):
    """Also integers and bools that are 0, which readers of Zarr v2 would take for missing values."""
    path = write(tmp_path / "a.tgm", fields(dtype), byte_order=order)
    store = manifest_store(path)
    assert ("tgmap" in codecs_of(store)) == (dtype == "?")
    check_same(reader(store, tmp_path), tgmap.to_dataset(path))


PIPELINES = {
    "zstd": ({"compression": "zstd"}, ["bytes", "zstd"]),
    "lz4": ({"compression": "lz4"}, ["bytes", "numcodecs.lz4"]),
    "shuffle": ({"filter": "shuffle", "compression": "zstd"}, ["bytes", "numcodecs.shuffle", "zstd"]),
    "blosc2": ({"compression": "blosc2"}, ["bytes", "tgmap"]),
    "packed": ({"encoding": "simple_packing", "bits": 16}, ["bytes", "tgmap"]),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines(tmp_path, reader, name):
    pipeline, codecs = PIPELINES[name]
    path = write(tmp_path / "a.tgm", fields("f8", shape=(20, 30)), **pipeline)
    store = manifest_store(path)
    assert codecs_of(store) == codecs
    check_same(reader(store, tmp_path), tgmap.to_dataset(path))
    assert codecs_of(manifest_store(path, native=False)) == ["bytes", "tgmap"]


@pytest.mark.parametrize("reader", READERS)
def test_all_by_the_codec(tmp_path, reader):
    path = write(tmp_path / "a.tgm", fields(">i4"), byte_order="big")
    check_same(reader(manifest_store(path, native=False), tmp_path), tgmap.to_dataset(path))


@pytest.mark.parametrize(
    "options",
    [
        [{}, {"byte_order": "big"}, {}, {}],
        [{}, {"compression": "zstd"}, {}, {}],
        [{"compression": "zstd"}, {"compression": "lz4"}, {"filter": "shuffle"}, {}],
        [{}, {}, {}, {"encoding": "simple_packing", "bits": 20}],
    ],
)
def test_pipelines_that_differ_between_objects(tmp_path, options):
    """One codec of an array cannot be that of each object, so ours decodes them."""
    arrays = fields("f8")
    path = write(tmp_path / "a.tgm", arrays, options)
    store = manifest_store(path)
    assert codecs_of(store) == ["bytes", "tgmap"]
    check_same(through_zarr(store, tmp_path), tgmap.to_dataset(path))


@pytest.mark.parametrize("reader", READERS)
def test_dtypes_that_are_promoted(tmp_path, reader):
    dtypes = {0: "f4", 6: "f8", 18: "i2"}
    rows = [{**COMMON, "param": "v", "step": step, "_dtype": dtype} for step, dtype in dtypes.items()]
    path = write_rows(tmp_path / "a.tgm", rows)
    check_same(reader(manifest_store(path, promote=True), tmp_path), tgmap.to_dataset(path, promote=True))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("pipeline", [{"encoding": "simple_packing", "bits": 12}, {"compression": "zstd"}])
def test_concatenated_files_of_different_packing(tmp_path, writer, pipeline):
    """Each field has another reference and scale, within a file and between files."""
    arrays = [array * 10.0**number + number for number, array in enumerate(fields("f8", 6))]
    paths = [write(tmp_path / f"{i}.tgm", arrays[3 * i : 3 * i + 3], first_step=3 * i, **pipeline) for i in range(2)]
    if "bits" in pipeline:
        found = [message[0].descriptor.params for path in paths for message in tgmap.open(path)]
        assert len({each["sp_reference_value"] for each in found}) == 6
        assert len({each["sp_binary_scale_factor"] for each in found}) > 3
    combined = virtualizarr.open_virtual_mfdataset(
        paths,
        ObjectStoreRegistry({"file://": LocalStore()}),
        ArchiveParser(ensure_dims=["step"]),
        combine="nested",
        concat_dim="step",
        coords="minimal",
        data_vars="minimal",
        compat="override",
    )
    expected = tgmap.to_dataset(paths)["v"].values
    assert np.array_equal(writer(combined, tmp_path)["v"].values, expected)
    assert writer(combined, tmp_path)["step"].values.tolist() == tgmap.to_dataset(paths)["step"].values.tolist()


@pytest.mark.parametrize("writer", WRITERS)
def test_integers_that_are_concatenated(tmp_path, writer):
    """Zeros stay, also when Datasets were combined, renamed and turned."""
    arrays = fields("i4", 4)
    paths = [write(tmp_path / f"{i}.tgm", arrays[2 * i : 2 * i + 2], first_step=2 * i) for i in range(2)]
    parts = [manifest_store(path, ensure_dims=["step"]).to_virtual_dataset() for path in paths]
    combined = xarray.concat(parts, dim="step", coords="minimal", compat="override").rename(v="w")
    found = writer(combined, tmp_path)["w"]
    assert found.dtype == np.int32 and np.array_equal(found.values, arrays)


@pytest.mark.parametrize("reader", READERS)
def test_several_archives_masks_and_holes(tmp_path, reader):
    arrays = fields("f4", 6)
    arrays[2][1] = np.nan
    arrays[2][2] = np.inf
    paths = []
    for level in (1, 2):
        paths.append(str(tmp_path / f"{level}.tgm"))
        with tgmap.create(paths[-1]) as out:
            for step in range(3):
                if (level, step) == (2, 0):
                    continue
                keys = {"mars": {**COMMON, "levtype": "pl", "levelist": level, "param": "v", "step": step}}
                array = arrays[3 * (level - 1) + step]
                out.write([tgmap.NewObject(array, keys, allow_nan=True, allow_infinity=True)])
    store = manifest_store(paths, allow_holes=True)
    expected = tgmap.to_dataset(paths, allow_holes=True)
    assert np.isnan(expected["v"].values).sum() == 15 + 5
    found = reader(store, tmp_path)
    if reader is through_parquet:
        try:
            found["v"].values  # noqa: B018
        except TypeError as error:
            pytest.xfail(f"fsspec reads no references of Parquet with missing chunks with pandas 3: {error}")
    check_same(found, expected)


@pytest.mark.parametrize("reader", [through_zarr, through_json, through_icechunk])
@pytest.mark.parametrize("dtype", "f2 f8 c8 c16".split())
def test_holes_of_other_dtypes(tmp_path, reader, dtype):
    with tgmap.create(tmp_path / "a.tgm") as out:
        for step, level in ((0, 1), (0, 2), (6, 1)):
            keys = {"mars": {**COMMON, "levtype": "pl", "param": "v", "step": step, "levelist": level}}
            out.write([tgmap.NewObject(fields(dtype)[0], keys)])
    expected = tgmap.to_dataset(tmp_path / "a.tgm", allow_holes=True)
    assert np.isnan(expected["v"].values).sum() == 15
    check_same(reader(manifest_store(tmp_path / "a.tgm", allow_holes=True), tmp_path), expected)


class Pipe:
    """A target that cannot seek, so that messages do not state their length."""

    content = b""

    def write(self, data):
        self.content += bytes(data)
        return len(data)


@pytest.mark.parametrize("reader", READERS)
def test_bfloat16_streams_and_parts_of_files(tmp_path, reader):
    bits = np.array([[16320, 49168], [32704, 32609]], dtype="u2")
    path = tmp_path / "a.tgm"
    target = Pipe()
    for number in range(3):
        with tgmap.stream(target) as stream:
            keys = {"mars": {**COMMON, "param": "v", "step": number}}
            stream.write(tgmap.NewObject(bits + number, keys, dtype="bfloat16", check_elements=False))
    path.write_bytes(target.content)
    assert tgmap.open(path)[2].is_streamed
    part = tgmap.open(path, offset=tgmap.open(path)[1].offset)
    found = reader(manifest_store(part), tmp_path)["v"].values
    expected = [((bits + number).astype("u4") << 16).view("f4") for number in (1, 2)]
    assert found.dtype == np.float32 and np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("reader", READERS)
def test_older_wire_formats_are_referenced_by_message(tmp_path, reader):
    arrays = fields("f8")
    options = [{}, {"compression": "zstd"}, {"encoding": "simple_packing", "bits": 16}, {}]
    with tgmap.create(tmp_path / "a.tgm", version=2) as out:
        for step, (array, pipeline) in enumerate(zip(arrays, options)):
            keys = {"mars": {**COMMON, "param": "v", "step": step}}
            out.write([tgmap.NewObject(np.arange(3), {"name": "w"}), tgmap.NewObject(array, keys, **pipeline)])
    store = manifest_store(tmp_path / "a.tgm", where="mars.param=v")
    expected = tgmap.to_dataset(tmp_path / "a.tgm", where="mars.param=v")
    assert store._group.arrays["v"].metadata.codecs[1].to_dict()["configuration"]["object"] == 1
    check_same(reader(store, tmp_path), expected)
    shutil.copy(DATA / "w0.16.1_one_float32.tgm", tmp_path / "b.tgm")
    check_same(reader(manifest_store(tmp_path / "b.tgm"), tmp_path), tgmap.to_dataset(tmp_path / "b.tgm"))


def test_what_cannot_be_expressed_is_listed_with_addresses(tmp_path):
    """Messages of wire format 2 whose objects have other numbers: a message is the smallest part that decodes alone."""
    with tgmap.create(tmp_path / "a.tgm", version=2) as out:
        for step in range(2):
            keys = [{"mars": {**COMMON, "param": param, "step": step}} for param in ("v", "w")]
            objects = [tgmap.NewObject(np.full((2, 2), step, "f4"), each) for each in keys]
            out.write(objects if step else objects[::-1])
    with pytest.warns(CubeWarning, match=r"the variable 'v', which .*a.tgm:0:1, a.tgm:1:0") as warned:
        store = manifest_store(tmp_path / "a.tgm")
    assert len(warned) == 1 and len(store.omitted) == 2 and "v" not in store._group.arrays
    assert "step" in store._group.arrays


def test_all_addresses_are_listed(tmp_path):
    """The warning is cut, the list is not."""
    with tgmap.create(tmp_path / "a.tgm", version=2) as out:
        for step in range(100):
            objects = [tgmap.NewObject(np.zeros(2), {"mars": {**COMMON, "param": each, "step": step}}) for each in "vw"]
            out.write(objects if step else objects[::-1])
    with pytest.warns(CubeWarning, match=r"\.\.\. \(all are in `omitted`\)") as warned:
        store = manifest_store(tmp_path / "a.tgm")
    assert len(str(warned[0].message)) < 3000
    (text,) = [each for each in store.omitted if "'v'" in each]
    assert text.count("a.tgm:") == 100 and text.endswith("a.tgm:99:0")


def test_objects_that_are_too_large_are_listed(tmp_path):
    """A constant field of any shape takes no byte."""
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(np.zeros((2, 2)), {"param": "v"}), tgmap.NewObject(np.arange(3), {"param": "w"})])
    descriptor = tgmap.open(tmp_path / "a.tgm")[0][0].descriptor.to_dict()
    packed = {"sp_reference_value": 1.0, "sp_binary_scale_factor": 0, "sp_decimal_scale_factor": 0}
    packed |= {"sp_bits_per_value": 0, "encoding": "simple_packing", "shape": [2**30, 2**30], "strides": [2**30, 1]}
    with tgmap.create(tmp_path / "b.tgm") as out:
        stored = tgmap.StoredObject({**descriptor, **packed}, b"", {"param": "v"})
        out.write([stored, tgmap.NewObject(np.arange(3), {"param": "w"})])
    with pytest.warns(CubeWarning, match="'v', which has larger objects than the codec decodes: b.tgm:0:0"):
        store = manifest_store(tmp_path / "b.tgm")
    groups = store._group.groups.values() or [store._group]
    names = {name for each in groups for name in each.arrays}
    assert "w" in names and "v" not in names


def test_groups(tmp_path):
    path = write_rows(tmp_path / "a.tgm", forecast())
    tree = tgmap.to_datatree(path)
    store = manifest_store(path)
    with pytest.raises(CubeError, match="several cubes; choose one by group="):
        store.to_virtual_dataset()
    with pytest.raises(CubeError, match="there is no group"):
        store.to_virtual_dataset("x")
    virtual = store.to_virtual_datatree()
    repository = icechunk_repository(tmp_path)
    session = repository.writable_session("main")
    virtual.vz.to_icechunk(session.store)
    session.commit("references")
    for name in tree.children:
        expected = tree[name].to_dataset()
        check_same(through_json(store.to_virtual_dataset(name), tmp_path), expected)
        read = repository.readonly_session("main").store
        check_same(xarray.open_zarr(read, group=name, consolidated=False, chunks=None), expected)
        check_same(through_json(manifest_store(path, group=name), tmp_path), expected)


def test_the_parser(tmp_path):
    path = write(tmp_path / "a b\u00e4.tgm", fields("f4"))
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    before = dict(registry.map)
    for url in (path, f"file://{path}", f"file://{path}".replace(" ", "%20")):
        found = virtualizarr.open_virtual_dataset(url, registry, ArchiveParser())
        check_same(through_json(found, tmp_path), tgmap.to_dataset(path))
    assert registry.map == before
    found = virtualizarr.open_virtual_dataset(path, registry, ArchiveParser(where="mars.step=2"))
    check_same(through_json(found, tmp_path), tgmap.to_dataset(path, where="mars.step=2"))
    tree = virtualizarr.open_virtual_datatree(path, registry, ArchiveParser())
    assert not tree.children and "v" in tree


def test_a_file_of_another_store(tmp_path):
    """It is read as a whole once; chunks are then ranges of it."""
    path = write(tmp_path / "a.tgm", fields("f8"), encoding="simple_packing", bits=16)
    memory = MemoryStore()
    with open(path, "rb") as file:
        memory.put("x/a.tgm", file.read())
    registry = ObjectStoreRegistry({"memory://here": memory})
    store = ArchiveParser()("memory://here/x/a.tgm", registry)
    check_same(through_zarr(store, tmp_path), tgmap.to_dataset(path))


def test_variables_that_are_loaded(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    store = manifest_store(path)
    for loadable in (None, [], ["v"]):
        found = store.to_virtual_dataset(loadable_variables=loadable)
        virtual = {name for name, each in found.variables.items() if isinstance(each._data, ManifestArray)}
        assert virtual == (set() if loadable == ["v"] else {"v"})
    assert "memory://" not in json.dumps(store.to_virtual_dataset(loadable_variables=[]).vz.to_kerchunk(format="dict"))


def test_references_stay_inside_of_files(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"), compression="zstd")
    size = (tmp_path / "a.tgm").stat().st_size
    for native in (True, False):
        refs = manifest_store(path, native=native).to_virtual_dataset().vz.to_kerchunk(format="dict")["refs"]
        ranges = [value for value in refs.values() if isinstance(value, list)]
        assert len(ranges) == 4
        assert all(name == path and 0 < offset < offset + length < size for name, offset, length in ranges)


def test_a_file_that_has_changed(tmp_path):
    """The codec compares the stored hash, so bytes of other objects are an error."""
    path = write(tmp_path / "a.tgm", fields("f4"))
    found = through_json(manifest_store(path, native=False), tmp_path)
    content = bytearray((tmp_path / "a.tgm").read_bytes())
    where = tgmap.open(path)[2][0].payload_offset
    content[where] ^= 1
    (tmp_path / "a.tgm").write_bytes(content)
    assert np.array_equal(found["v"][1].values, fields("f4")[1])
    with pytest.raises(tgmap.Error, match="stored hash"):
        found["v"][2].values  # noqa: B018
    write(path, fields("f4", 4, (9, 9)))
    with pytest.raises(tgmap.Error, match="file of this chunk has changed"):
        found["v"][1].values  # noqa: B018


def test_icechunk_refuses_a_file_that_is_newer(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    found = through_icechunk(manifest_store(path), tmp_path)
    assert np.array_equal(found["v"][0].values, fields("f4")[0])
    later = (tmp_path / "a.tgm").stat().st_mtime + 3600
    os.utime(path, (later, later))
    with pytest.raises(icechunk.IcechunkError):
        found["v"][1].values  # noqa: B018


def test_the_codec_writes_nothing(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f8"), encoding="simple_packing", bits=16)
    found = through_icechunk(manifest_store(path), tmp_path)
    with pytest.raises(ValueError, match="writes nothing; choose other codecs"):
        found.to_zarr(tmp_path / "copy.zarr", consolidated=False)
    found.drop_encoding().to_zarr(tmp_path / "copy2.zarr", consolidated=False)
    check_same(xarray.open_zarr(tmp_path / "copy2.zarr", consolidated=False, chunks=None), tgmap.to_dataset(path))


def test_archives_without_an_address(tmp_path):
    with pytest.raises(ValueError, match="in memory has no address"):
        manifest_store(tgmap.encode([np.zeros(3, "f4")], {"name": "v"}))
    with pytest.raises(ValueError, match="would read another file"):
        manifest_store(write(tmp_path / "a#b.tgm", fields("f4")))


def test_codecs_are_found_by_their_names():
    """By entry points, where the package is installed; importing the module registers them, too."""
    import numcodecs

    configuration = {"dtype": "float32", "shape": [3], "part": "frame"}
    codec = zarr.registry.get_codec_class("tgmap").from_dict({"name": "tgmap", "configuration": configuration})
    assert codec.to_dict() == {"name": "tgmap", "configuration": configuration}
    assert numcodecs.get_codec({"id": "tgmap", **configuration}).get_config() == {"id": "tgmap", **configuration}
    with pytest.raises(ValueError, match="the codec 'tgmap'"):
        zarr.registry.get_codec_class("tgmap").from_dict({"name": "tgmap", "configuration": {"shape": [3]}})


def test_versions_of_the_matrix():
    """The versions that this was tested with; others work or say why not."""
    from importlib.metadata import version

    found = {name: version(name) for name in NEEDED}
    print(", ".join(f"{name} {number}" for name, number in found.items()), file=sys.stderr)
    assert all(found.values())


def in_another_process(code, *arguments):
    call = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


def test_functions_of_others_stay_until_an_archive_is_virtual(tmp_path):
    path = write_rows(tmp_path / "a.tgm", [{"param": "t", "step": 0, "_dtype": "i4"}])
    code = """
import sys
from virtualizarr.writers import kerchunk
before = kerchunk.variable_to_kerchunk_arr_refs
import tgmap.references
from tgmap.references import ArchiveParser, manifest_store
store = manifest_store(sys.argv[1])
print(kerchunk.variable_to_kerchunk_arr_refs is before)
store.to_virtual_dataset()
store.to_virtual_dataset()
print(kerchunk.variable_to_kerchunk_arr_refs.__wrapped__ is before)
"""
    assert in_another_process(code, path).split() == ["True", "True"]


def test_datasets_from_pickles_are_corrected(tmp_path):
    """A process that only loads a dataset of references writes them as the one that made it."""
    rows = [{"param": "t", "step": step, "_dtype": "i4"} for step in (0, 6)]
    path = write_rows(tmp_path / "a.tgm", rows)
    made = manifest_store(path).to_virtual_dataset()
    made = made.drop_vars(list(made.coords))  # labels that were loaded lazily cannot be pickled
    (tmp_path / "a.pickle").write_bytes(pickle.dumps(made))
    code = """
import json, pickle, sys
import virtualizarr
found = pickle.load(open(sys.argv[1], "rb"))
print(json.dumps(found.vz.to_kerchunk(format="dict")["refs"], sort_keys=True))
"""
    found = json.loads(in_another_process(code, tmp_path / "a.pickle"))
    assert found == json.loads(json.dumps(made.vz.to_kerchunk(format="dict")["refs"]))
    assert json.loads(found["t/.zarray"])["fill_value"] is None


def test_scalars_that_an_index_makes(tmp_path):
    path = write_rows(tmp_path / "a.tgm", [{"param": "t", "step": step} for step in (0, 6)])
    virtual = manifest_store(path).to_virtual_dataset()[["step"]].isel(step=1)
    found = xarray.open_dataset(reference_file(virtual, tmp_path), engine="kerchunk", decode_timedelta=True)
    assert found["step"].values == np.timedelta64(6, "h")


def reference_file(virtual, folder):
    virtual.vz.to_kerchunk(str(folder / "i.json"), format="json")
    return str(folder / "i.json")
