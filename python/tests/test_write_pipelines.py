# SPDX-License-Identifier: Apache-2.0
"""Pipelines as keyword arguments, and options of messages."""

from __future__ import annotations

import io

import numpy as np
import pytest

import tgmap

FIELD = np.linspace(230, 310, 2000) + np.sin(np.arange(2000))

LOSSLESS = [
    {},
    {"filter": "shuffle"},
    {"filter": "shuffle", "shuffle_size": 4},
    {"compression": "zstd"},
    {"compression": "zstd", "level": 19, "filter": "shuffle"},
    {"compression": "lz4"},
    {"compression": "szip", "filter": "shuffle"},
    {"compression": "szip", "filter": "shuffle", "rsi": 64, "block_size": 32, "flags": 8},
    {"compression": "blosc2"},
    {"compression": "blosc2", "codec": "zstd", "level": 9},
]

LOSSY = [
    ({"encoding": "simple_packing"}, 1e-3),
    ({"encoding": "simple_packing", "bits": 24, "compression": "szip"}, 1e-5),
    ({"encoding": "simple_packing", "bits": 12, "decimal_scale": 1}, 0.1),
    ({"encoding": "simple_packing", "max_error": 0.01, "filter": "shuffle", "compression": "zstd"}, 0.01),
    ({"encoding": "simple_packing", "bits": 20, "reference": 200.0, "binary_scale": -12}, 2**-12),
    ({"compression": "zfp", "tolerance": 1e-4}, 1e-4),
    ({"compression": "zfp", "precision": 40}, 1e-6),
    ({"compression": "zfp", "rate": 32}, 1e-3),
    ({"compression": "sz3", "error_bound": 1e-4}, 1e-4),
    ({"compression": "sz3", "error_bound": 1e-6, "error_mode": "relative"}, 1e-3),
]


def written(array, **pipeline):
    """Return the object that was written; skip if this build lacks the compression."""
    try:
        return tgmap.open(tgmap.encode(array, **pipeline))[0][0]
    except tgmap.Error as error:
        if error.code == "codec_absent":
            pytest.skip(f"this build has no {pipeline['compression']}")
        raise


@pytest.mark.parametrize("pipeline", LOSSLESS, ids=str)
@pytest.mark.parametrize("view", [slice(None), slice(None, None, -3)], ids=["dense", "strided"])
def test_lossless(pipeline, view):
    found = written(FIELD[view], **pipeline)
    np.testing.assert_array_equal(found.array, FIELD[view])
    for name in ("encoding", "filter", "compression"):
        assert getattr(found.descriptor, name) == pipeline.get(name, "none")


@pytest.mark.parametrize("pipeline, error", LOSSY, ids=str)
def test_lossy(pipeline, error):
    found = written(FIELD[::-1], **pipeline)
    found_error = np.abs(found.array - FIELD[::-1]).max()
    assert found_error <= error
    assert found_error > 0 or pipeline.get("compression") == "sz3"  # which may choose to lose nothing
    for name in ("encoding", "filter", "compression"):
        assert getattr(found.descriptor, name) == pipeline.get(name, "none")


@pytest.mark.parametrize("compression", ["rle", "roaring"])
def test_compression_of_bits(compression):
    bits = np.arange(1000) % 100 < 50
    np.testing.assert_array_equal(written(bits, compression=compression).array, bits)


def test_each_array_has_the_pipeline_of_the_call():
    message = tgmap.open(tgmap.encode([FIELD, tgmap.NewObject(FIELD), FIELD], filter="shuffle"))[0]
    assert [o.descriptor.filter for o in message] == ["shuffle", "none", "shuffle"]


@pytest.mark.parametrize("method", ["none", "rle", "roaring", "smallest", {"nan": "rle", "negative_infinity": "none"}])
def test_missing_elements(method):
    field = FIELD.copy()
    field[3], field[500:700], field[9], field[10] = np.nan, np.nan, np.inf, -np.inf
    for pipeline in ({}, {"encoding": "simple_packing", "bits": 32}):
        found = written(field, allow_nan=True, allow_infinity=True, mask_method=method, small_mask_bytes=0, **pipeline)
        np.testing.assert_allclose(found.array, field, atol=1e-6)
    with pytest.raises(tgmap.Error, match="element 3") as raised:
        tgmap.encode(field)
    assert raised.value.code == "non_finite" and raised.value.object == 0
    plain = written(field, check_elements=False)
    np.testing.assert_array_equal(plain.array, field)
    assert not plain.masks()


@pytest.mark.parametrize(
    "keywords, text",
    [
        ({"level": 3}, "level is not used"),
        ({"compression": "lz4", "level": 3}, "level is not used"),
        ({"compression": "zstd", "codec": "lz4"}, "codec is not used"),
        ({"bits": 8}, "bits is not used"),
        ({"shuffle_size": 4}, "shuffle_size is not used"),
        ({"tolerance": 0.1}, "tolerance is not used"),
        ({"compression": "zfp"}, "rate, precision and tolerance"),
        ({"compression": "zfp", "rate": 8, "tolerance": 1}, "rate, precision and tolerance"),
        ({"compression": "sz3"}, "needs error_bound"),
        ({"encoding": "simple_packing", "bits": 8, "max_error": 1}, "not both"),
        ({"encoding": "simple_packing", "reference": 1.0}, "both reference and binary_scale"),
        ({"encoding": "simple_packing", "bits": "many"}, "bits must be an integer"),
        ({"encoding": "simple_packing", "max_error": "small"}, "max_error must be a number"),
        ({"mask_method": "rle"}, "needs allow_nan"),
        ({"compresion": "zstd"}, "unexpected keyword argument 'compresion'"),
        ({"compression": 3}, "compression must be text"),
    ],
)
def test_keywords_that_are_not_used(keywords, text):
    with pytest.raises(TypeError, match=text):
        tgmap.encode(FIELD, **keywords)
    with pytest.raises(TypeError, match=text):
        tgmap.NewObject(FIELD, **keywords)


@pytest.mark.parametrize(
    "keywords, text",
    [
        ({"compression": "zip"}, "none, szip, zstd"),
        ({"encoding": "packed"}, "encoding must be one of"),
        ({"byte_order": "middle"}, "native, little, big"),
        ({"allow_nan": True, "mask_method": {"inf": "rle"}}, "positive_infinity"),
        ({"compression": "zstd", "level": 2**40}, "level is out of range"),
        ({"encoding": "simple_packing", "bits": -1}, "bits is out of range"),
        ({"encoding": "simple_packing", "bits": 65}, "bits"),
    ],
)
def test_wrong_values(keywords, text):
    with pytest.raises(ValueError, match=text):
        tgmap.encode(FIELD, **keywords)


def test_none_is_not_given():
    assert written(FIELD, filter=None, level=None, bits=None).descriptor.filter == "none"


def test_pipeline_of_new_objects():
    with pytest.raises(TypeError, match="filter applies to arrays only"):
        tgmap.encode([tgmap.NewObject(FIELD)], filter="shuffle")


def test_compute_packing():
    given = tgmap.compute_packing(FIELD[::2], bits=20)
    assert given["bits"] == 20 and given["reference"] == FIELD[::2].min()
    one = tgmap.encode(FIELD[::2], encoding="simple_packing", bits=20, reproducible=True)
    assert tgmap.encode(FIELD[::2], encoding="simple_packing", **given, reproducible=True) == one
    assert tgmap.compute_packing(FIELD, max_error=0.1, filter="shuffle")["bits"] == 16
    with pytest.raises(tgmap.Error, match="element 1"):
        tgmap.compute_packing(np.array([1, np.nan]))
    assert tgmap.compute_packing(np.array([1, np.nan]), allow_nan=True)["reference"] == 1
    with pytest.raises(TypeError, match="float64"):
        tgmap.compute_packing(np.arange(3))


def test_layout_of_messages():
    both = tgmap.encode(FIELD, index="both", hash_list="both")
    assert len(both) > len(tgmap.encode(FIELD)) > len(tgmap.encode(FIELD, hashes=False, index="none"))
    assert tgmap.open(both)[0].verify() is True
    assert tgmap.open(tgmap.encode(FIELD, hashes=False))[0].verify() is None
    assert tgmap.open(tgmap.encode(FIELD, version=2))[0].version == 2
    for options in ({"index": "side"}, {"version": 4}, {"alignment": 3}, {"alignment": 8192}):
        with pytest.raises(ValueError, match=next(iter(options))):
            tgmap.encode(FIELD, **options)


def test_alignment():
    data = tgmap.encode([FIELD[:3], FIELD[7:12]], alignment=512)
    assert data.index(FIELD[:3].tobytes()) % 512 == data.index(FIELD[7:12].tobytes()) % 512 == 0


def test_alignment_counts_from_the_start_of_the_file():
    memory = io.BytesIO()
    with tgmap.create(memory, alignment=256) as out:
        out.write(FIELD[:3])
    with tgmap.create(memory, alignment=256) as out:  # goes on where the file is
        out.write(FIELD[7:12])
    assert memory.getvalue().index(FIELD[7:12].tobytes()) % 256 == 0
    assert len(tgmap.open(memory.getvalue())) == 2


def test_reproducible(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert tgmap.encode(FIELD, reproducible=True) == tgmap.encode(FIELD, reproducible=True)
    assert tgmap.encode(FIELD) != tgmap.encode(FIELD)
    reserved = tgmap.open(tgmap.encode(FIELD, encoder="mine", encoder_version="7", time="", uuid=""))[0].reserved
    assert reserved["encoder"]["name"] == "mine" and reserved["encoder"]["version"] == "7"
    assert "time" not in reserved and "uuid" not in reserved
