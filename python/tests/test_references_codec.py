# SPDX-License-Identifier: Apache-2.0
"""Objects that are decoded from the bytes of their frame alone, and where these are. Needs no package but NumPy."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from conftest import DATA
from reference_archives import fields, write

import tgmap
from tgmap.datasets._read import read_plan
from tgmap.references._arrays import element_dtype, to_elements
from tgmap.references._configuration import Configuration
from tgmap.references._pipelines import Pipeline, pipeline_of
from tgmap.references._ranges import Ranges, url_of

PLAIN = {
    "type": "ntensor",
    "dtype": "float32",
    "shape": [2, 3],
    "strides": [3, 1],
    "byte_order": "little",
    "encoding": "none",
    "filter": "none",
    "compression": "none",
}


def ranges_of(source, **options):
    """Return the ranges of all objects of an archive whose cube has one variable."""
    _, places = read_plan(source, None, options)
    found = Ranges(places).of(range(len(places.objects)))
    return [found[row] for row in range(len(places.objects))]


def part(path, where):
    with open(path, "rb") as file:
        file.seek(where[0])
        return file.read(where[1])


@pytest.mark.parametrize(
    "dtype, pipeline",
    [
        ("f4", {}),
        (">i2", {"byte_order": "big"}),
        ("?", {}),
        ("c8", {"compression": "zstd"}),
        ("f8", {"encoding": "simple_packing", "bits": 12}),
        ("f4", {"compression": "blosc2", "filter": "none"}),
        ("f4", {"compression": "lz4", "filter": "shuffle"}),
    ],
)
def test_a_frame_decodes_alone(tmp_path, dtype, pipeline):
    arrays = fields(dtype)
    path = write(tmp_path / "a.tgm", arrays, **pipeline)
    archive = tgmap.open(path)
    for number, found in enumerate(ranges_of(path)):
        object = archive[number][0]
        name = element_dtype(object.descriptor.dtype).name
        got = Configuration(name, object.shape).decode(part(path, found.frame))
        assert got.dtype == np.dtype(name).newbyteorder("<") and np.array_equal(got, object.decode())


@pytest.mark.parametrize("order", ["little", "big"])
def test_bfloat16_becomes_float32(tmp_path, order):
    """With ml_dtypes and without."""
    path = write(tmp_path / "a.tgm", [np.uint16(16320), np.uint16(49168)], dtype="bfloat16", byte_order=order)
    found = [Configuration("float32", ()).decode(part(path, each.frame)) for each in ranges_of(path)]
    assert [(each.dtype, each.item()) for each in found] == [(np.dtype("<f4"), 1.5), (np.dtype("<f4"), -2.25)]


def test_masks_restore_nan(tmp_path):
    array = np.array([[np.nan, 1, np.inf], [-np.inf, 2, 3]], dtype="f4")
    path = write(tmp_path / "a.tgm", [array], allow_nan=True, allow_infinity=True)
    (found,) = ranges_of(path)
    assert found.pipeline is None  # the payload has zeros
    assert np.array_equal(Configuration("float32", (2, 3)).decode(part(path, found.frame)), array, equal_nan=True)


def test_all_files_of_the_tests_decode_by_their_ranges():
    """Frames of wire format 3, and messages of older ones, give what the archive gives."""
    counts = {"frame": 0, "message": 0}
    for path in sorted(DATA.glob("*.tgm")):
        try:
            archive = tgmap.open(path)
            objects = [each for message in archive for each in message]
        except tgmap.Error:
            continue
        for object in objects:
            try:
                expected = object.decode()
            except tgmap.Error:
                continue
            dtype = element_dtype(object.descriptor.dtype)
            message = object.message
            kind = "frame" if message.version == 3 else "message"
            if kind == "frame":
                begin = object.frame_offset
                content = part(path, (begin, struct.unpack(">8xQ", part(path, (begin, 16)))[0]))
            else:
                content = part(path, (message.offset, message.length))
            made = Configuration(dtype.name, object.shape, kind, object.index if kind == "message" else 0)
            assert made.decode(content).tobytes() == to_elements(expected, dtype).tobytes(), path.name
            counts[kind] += 1
    assert counts["frame"] > 100 and counts["message"] > 10, counts


def test_bytes_of_another_file_are_an_error(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"), compression="zstd")
    found = ranges_of(path)[0]
    frame = bytearray(part(path, found.frame))
    configuration = Configuration("float32", (3, 5))
    configuration.decode(frame)
    for position in range(len(frame)):
        changed = bytearray(frame)
        changed[position] ^= 0x55
        try:
            got = configuration.decode(changed)
        except tgmap.Error:
            continue
        assert np.array_equal(got, configuration.decode(frame)), position  # such as the number of the frame's version
    for content in (b"", frame[:-1], frame[1:], bytes(frame) + b"\0" * 8, b"FR" + b"\xff" * 60, bytes(64)):
        with pytest.raises(tgmap.Error, match="file of this chunk has changed"):
            configuration.decode(content)
    with pytest.raises(tgmap.Error, match=r"the shape \(3, 5\), not \(5, 3\)"):
        Configuration("float32", (5, 3)).decode(frame)
    with pytest.raises(tgmap.Error, match="the dtype float32, not one that int32 holds"):
        Configuration("int32", (3, 5)).decode(frame)


def test_a_message_with_another_one_behind_it_is_an_error(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    first = ranges_of(path)[0]
    message = part(path, first.message)
    configuration = Configuration("float32", (3, 5), "message", 0)
    assert configuration.decode(message).shape == (3, 5)
    for content in (message + message, message + b"x", message[:-1], b"x" + message):
        with pytest.raises(tgmap.Error):
            configuration.decode(content)
    with pytest.raises(tgmap.Error, match="no message with this object"):
        Configuration("float32", (3, 5), "message", 1).decode(message)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        {},
        {"dtype": "float32"},
        {"dtype": "float32", "shape": [3], "level": 1},
        {"dtype": "object", "shape": [3]},
        {"dtype": "float32", "shape": 3},
        {"dtype": "float32", "shape": [-1]},
        {"dtype": "float32", "shape": [True]},
        {"dtype": "float32", "shape": [1.5]},
        {"dtype": "float32", "shape": [2**50, 2**50]},
        {"dtype": "float32", "shape": [1] * 65},
        {"dtype": "float32", "shape": [3], "part": "file"},
        {"dtype": "float32", "shape": [3], "part": "message", "object": -1},
        {"dtype": "float32", "shape": [3], "part": "message", "object": True},
    ],
)
def test_configurations_that_are_wrong_are_errors(wrong):
    with pytest.raises(ValueError, match="the codec 'tgmap'"):
        Configuration.from_dict(wrong)


def test_a_configuration_survives_json():
    for made in (Configuration("float32", (3, 5)), Configuration("bool", (), "message", 2)):
        assert Configuration.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_native_pipelines():
    assert pipeline_of(PLAIN, 24, b"") == Pipeline("float32", "little", 0, "none")
    shuffled = {**PLAIN, "filter": "shuffle", "shuffle_element_size": 4, "compression": "zstd"}
    zstd = b"\x28\xb5\x2f\xfd\x00\x58" + bytes(10)
    assert pipeline_of(shuffled, 99, zstd) == Pipeline("float32", "little", 4, "zstd")
    assert [each["name"] for each in pipeline_of(shuffled, 99, zstd).codecs()] == ["bytes", "numcodecs.shuffle", "zstd"]
    assert pipeline_of({**PLAIN, "compression": "lz4"}, 9, struct.pack("<I", 24)).compression == "lz4"
    assert pipeline_of({**PLAIN, "dtype": "int8", "byte_order": "big"}, 6, b"").byte_order == "little"


@pytest.mark.parametrize(
    "changes, payload, begin",
    [
        ({"encoding": "simple_packing"}, 24, b""),
        ({"masks": {"nan": {}}}, 24, b""),
        ({"dtype": "bfloat16"}, 12, b""),
        ({"dtype": "bitmask"}, 1, b""),
        ({"strides": [1, 2]}, 24, b""),
        ({"strides": [3]}, 24, b""),
        ({"filter": "other"}, 24, b""),
        ({"filter": "shuffle"}, 24, b""),
        ({"filter": "shuffle", "shuffle_element_size": 5}, 24, b""),
        ({"filter": "shuffle", "shuffle_element_size": 0}, 24, b""),
        ({}, 23, b""),
        ({}, 32, b""),
        ({"shape": [0, 3]}, 0, b""),
        ({"compression": "blosc2"}, 24, b""),
        ({"compression": "lz4"}, 24, struct.pack("<I", 25)),
        ({"compression": "lz4"}, 3, b"\0\0\0"),
        ({"compression": "zstd"}, 24, b"\x28\xb5\x2f\xfe" + bytes(12)),
        ({"compression": "zstd"}, 24, b"\x28\xb5\x2f\xfd\x20\x19" + bytes(10)),  # states 25 bytes
        ({"compression": "zstd"}, 24, b"\x28\xb5\x2f\xfd\xa0\x19\0\0\0" + bytes(7)),
    ],
)
def test_payloads_that_only_this_package_decodes(changes, payload, begin):
    assert pipeline_of({**PLAIN, **changes}, payload, begin) is None


def test_strides_of_axes_with_one_element_do_not_matter():
    assert pipeline_of({**PLAIN, "shape": [1, 6], "strides": [99, 1]}, 24, b"") is not None


def test_ranges_of_a_part_of_a_file(tmp_path):
    arrays = fields("f4")
    path = write(tmp_path / "a.tgm", arrays)
    offset = tgmap.open(path)[2].offset
    found = ranges_of(tgmap.open(path, offset=offset))
    assert [np.frombuffer(part(path, each.payload), "<f4").tolist() for each in found] == [
        array.ravel().tolist() for array in arrays[2:]
    ]
    for number, each in enumerate(found):
        assert np.array_equal(Configuration("float32", (3, 5)).decode(part(path, each.frame)), arrays[2 + number])
        whole = Configuration("float32", (3, 5), "message", 0)
        assert np.array_equal(whole.decode(part(path, each.message)), arrays[2 + number])


@pytest.mark.parametrize("mode", ["map", "read"])
def test_ranges_in_each_mode(tmp_path, mode):
    arrays = fields("f4")
    path = write(tmp_path / "a.tgm", arrays)
    found = ranges_of(tgmap.open(path, mode=mode))
    assert part(path, found[1].payload) == arrays[1].tobytes()


def test_no_ranges_of_a_file_that_has_changed(tmp_path):
    path = write(tmp_path / "a.tgm", fields("f4"))
    archive = tgmap.open(path)
    _, places = read_plan(archive, None, {})
    write(path, fields("f4", 4, (9, 9)))
    for found in (places, read_plan(archive, None, {})[1]):
        with pytest.raises(tgmap.ChangedFileError, match="another file"):
            Ranges(found).of([0])
    _, places = read_plan(path, None, {})
    os.utime(path, ns=(1, 1))
    with pytest.raises(tgmap.ChangedFileError, match="its time of change"):
        Ranges(places).of([0])


def test_addresses_of_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write("a b\u00e4.tgm", fields("f4"))
    assert ranges_of(path)[0].url == f"file://{tmp_path}/a b\u00e4.tgm"
    for name in ("a#b.tgm", "a?b.tgm", "a%20b.tgm", "a\nb.tgm", "a\\b.tgm"):
        with pytest.raises(ValueError, match="would read another file"):
            url_of(str(tmp_path / name))
    with pytest.raises(ValueError, match="in memory has no address"):
        ranges_of(tgmap.encode([np.zeros(3, "f4")], {"name": "v"}))


def test_without_zarr_the_error_says_what_to_install():
    code = """
import sys
for name in ("zarr", "numcodecs", "obspec_utils"): sys.modules[name] = None
import tgmap.references
for name in ("ArchiveStore", "ArchiveParser", "TgmapNumcodec"):
    try: getattr(tgmap.references, name)
    except ModuleNotFoundError as error: print(error)
try: tgmap.references.nothing
except AttributeError as error: print(error)
print("ArchiveStore" in dir(tgmap.references))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "ArchiveStore needs zarr 3.1 or newer, which is not here: pip install 'tgmap[zarr]'",
        "ArchiveParser needs virtualizarr 2.5 or newer, which is not here: pip install 'tgmap[virtual]'",
        "TgmapNumcodec needs numcodecs, which is not here: pip install 'tgmap[zarr]'",
        "module 'tgmap.references' has no attribute 'nothing'",
        "True",
    ], done.stderr


def test_zarr_2_is_no_zarr(tmp_path):
    """It has the name, but not the modules."""
    (tmp_path / "zarr").mkdir()
    (tmp_path / "zarr" / "__init__.py").touch()
    code = """
import tgmap.references
try: tgmap.references.ArchiveStore
except ModuleNotFoundError as error: print(error)
"""
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")]), *sys.path[1:]])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    expected = "ArchiveStore needs zarr 3.1 or newer, which is not here: pip install 'tgmap[zarr]'"
    assert done.stdout.strip() == expected, done.stderr
