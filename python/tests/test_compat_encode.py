# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: encoding."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from compat_messages import describe, encoded, temperature
from tgmap import compat

DTYPES = "float16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
OTHER_ORDER = "big" if sys.byteorder == "little" else "little"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_arrays_of_all_dtypes_and_byte_orders(dtype, byte_order):
    values = np.arange(24).reshape(4, 6).astype(dtype)
    message = compat.encode({}, [(describe(values, byte_order=byte_order), values)])
    descriptor, array = compat.decode(message).objects[0]
    assert (descriptor.dtype, descriptor.byte_order, descriptor.shape) == (dtype, byte_order, [4, 6])
    assert array.dtype == np.dtype(dtype) and array.flags.writeable
    np.testing.assert_array_equal(array, values)


@pytest.mark.parametrize(
    "view", [lambda a: a.T, lambda a: a[::2, ::-3], lambda a: a.astype(">f8"), lambda a: np.asfortranarray(a)]
)
def test_arrays_of_any_layout_keep_their_elements(view):
    values = view(temperature())
    array = compat.decode(compat.encode({}, [(describe(values, dtype="float64"), values)])).objects[0][1]
    np.testing.assert_array_equal(array, values)


def test_bytes_are_stored_as_they_are():
    values = np.arange(6, dtype=">i4")
    descriptor = {"type": "ntensor", "shape": [6], "dtype": "int32", "byte_order": "big"}
    message = compat.encode({}, [(descriptor, values.tobytes())])
    np.testing.assert_array_equal(compat.decode(message).objects[0][1], values)
    stored = compat.decode(message, native_byte_order=False).objects[0][1]
    assert stored.tobytes() == values.tobytes()


@pytest.mark.parametrize("compression", ["none", "rle", "roaring"])
def test_bitmask(compression):
    bits = np.packbits(np.arange(21) % 3 == 0)
    descriptor = {"type": "ntensor", "shape": [3, 7], "dtype": "bitmask", "compression": compression}
    array = compat.decode(compat.encode({}, [(descriptor, bits.tobytes())])).objects[0][1]
    assert array.dtype == np.uint8 and array.tolist() == bits.tolist()


def test_bfloat16():
    bits = np.array([0x3F80, 0x4000, 0xC040], np.uint16)
    descriptor = {"type": "ntensor", "shape": [3], "dtype": "bfloat16"}
    array = compat.decode(compat.encode({}, [(descriptor, bits)])).objects[0][1]
    assert array.view(np.uint16).tolist() == bits.tolist()


@pytest.mark.parametrize(
    "pipeline, tolerance",
    [
        ({"filter": "shuffle", "shuffle_element_size": 8, "compression": "zstd", "zstd_level": 5}, 0),
        ({"compression": "lz4"}, 0),
        ({"compression": "blosc2", "blosc2_codec": "zstd", "blosc2_clevel": 3}, 0),
        ({"encoding": "simple_packing", "sp_bits_per_value": 24}, 1e-4),
        (
            {
                "encoding": "simple_packing",
                "sp_bits_per_value": 16,
                "compression": "szip",
                "szip_rsi": 128,
                "szip_block_size": 16,
                "szip_flags": 8,
            },
            1e-3,
        ),
        ({"compression": "zfp", "zfp_mode": "fixed_accuracy", "zfp_tolerance": 1e-3}, 1e-3),
        ({"compression": "zfp", "zfp_mode": "fixed_rate", "zfp_rate": 32}, 1e-3),
        ({"compression": "sz3", "sz3_error_bound_mode": "abs", "sz3_error_bound": 1e-3}, 1e-3),
    ],
)
def test_pipelines(pipeline, tolerance):
    features = {row["name"]: row["state"] for row in compat.doctor()["features"]}
    name = pipeline.get("compression", "none")
    if features.get(name, "on") == "off":
        pytest.skip(f"SKIPPED: this build has no {name}")
    values = temperature()
    descriptor, array = compat.decode(encoded(values, pipeline=pipeline)).objects[0]
    np.testing.assert_allclose(array, values, rtol=0, atol=tolerance)
    assert descriptor.compression == name
    assert {key: descriptor.params[key] for key in pipeline if "_" in key} == {
        key: value for key, value in pipeline.items() if "_" in key
    }


def test_missing_elements():
    values = np.array([1.0, np.nan, np.inf, -np.inf, 5.0])
    for data, text in ((values, "NaN at element 1"), (values[2:], r"\+Inf at element 0")):
        with pytest.raises(ValueError, match=f"EncodingError: .*{text}"):
            encoded(data)
    message = encoded(values, allow_nan=True, allow_inf=True, nan_mask_method="rle", small_mask_threshold_bytes=0)
    np.testing.assert_array_equal(compat.decode(message).objects[0][1], values)
    assert compat.decode(message, restore_non_finite=False).objects[0][1].tolist() == [1, 0, 0, 0, 5]
    _, zeros, masks = compat.decode_with_masks(message).objects[0]
    assert zeros.tolist() == [1, 0, 0, 0, 5]
    assert {name: np.flatnonzero(mask).tolist() for name, mask in masks.items()} == {
        "nan": [1],
        "inf+": [2],
        "inf-": [3],
    }


def test_stated_strides_are_kept_and_have_no_effect():
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    descriptor, array = compat.decode(compat.encode({}, [(describe(values, strides=[1, 2]), values)])).objects[0]
    assert descriptor.strides == [1, 2]
    np.testing.assert_array_equal(array, values)
    values[1, 1] = np.nan
    message = compat.encode({}, [(describe(values, strides=[1, 2]), values)], allow_nan=True)
    np.testing.assert_array_equal(compat.decode(message, verify_hash=True).objects[0][1], values)
    assert compat.validate(message, "full")["issues"] == []


def test_parameters_of_other_stages_are_kept():
    message = encoded(temperature(), pipeline={"zstd_level": 7, "made_by": "test"})
    assert compat.decode(message).objects[0][0].params == {"made_by": "test", "zstd_level": 7}


@pytest.mark.parametrize(
    "changes, text",
    [
        ({"shape": None}, "missing 'shape'"),
        ({"dtype": "float8"}, "unknown dtype: float8"),
        ({"byte_order": "middle"}, "unknown byte_order"),
        ({"shape": [7]}, "data_len 1920 does not match expected 56 bytes"),
        ({"encoding": "packed"}, "unknown encoding: packed"),
        ({"filter": "delta"}, "unknown filter: delta"),
        ({"compression": "gzip"}, "unknown compression: gzip"),
        ({"compression": "szip"}, "missing required parameter: szip_rsi"),
        ({"compression": "rle"}, "only supports dtype=bitmask"),
        ({"compression": "zstd", "zstd_level": "high"}, "expected integer for zstd_level"),
        ({"encoding": "simple_packing"}, "requires sp_bits_per_value"),
        ({"encoding": "simple_packing", "sp_bits_per_value": 8, "sp_reference_value": 1.0}, "sp_binary_scale_factor"),
        ({"strides": [1]}, "does not match shape"),
        ({"type": ""}, "obj_type must not be empty"),
    ],
)
def test_wrong_descriptors(changes, text):
    values = temperature()
    descriptor = {key: value for key, value in {**describe(values), **changes}.items() if value is not None}
    with pytest.raises(ValueError, match=text):
        compat.encode({}, [(descriptor, values)])


def test_wrong_arguments():
    values = temperature()
    with pytest.raises(ValueError, match="unknown hash type"):
        encoded(values, hash="md5")
    with pytest.raises(ValueError, match="unknown aggregate_hash"):
        encoded(values, aggregate_hash="middle")
    with pytest.raises(ValueError, match='unknown mask method "zip"'):
        encoded(values, allow_nan=True, nan_mask_method="zip")
    with pytest.raises(ValueError, match="tuple of length 2"):
        compat.encode({}, [(describe(values), values, 1)])
    with pytest.raises(ValueError, match="base has 2 entries but only 1"):
        encoded(values, metadata={"base": [{}, {}]})
    with pytest.raises(ValueError, match="_reserved_"):
        encoded(values, metadata={"_reserved_": {}})
    with pytest.raises(TypeError):
        compat.encode([], [])
    with pytest.raises(TypeError):
        compat.encode({"key": object()}, [])


def test_hashes_and_their_lists():
    values = temperature()
    for hash, has_hashes in (("xxh3", True), ("none", False), (None, False)):
        report = compat.validate(encoded(values, hash=hash))
        assert report["hash_verified"] is has_hashes
    sizes = [len(encoded(values, aggregate_hash=place)) for place in ("none", "header", "footer", "both")]
    assert sizes[0] < sizes[1] and sizes[0] < sizes[2] < sizes[3]
    assert len(encoded(values)) == sizes[1]


def test_encode_pre_encoded():
    values = temperature()
    message = encoded(values, pipeline={"encoding": "simple_packing", "sp_bits_per_value": 16})
    descriptor, array = compat.decode(message).objects[0]
    given = {**describe(values, encoding="simple_packing"), **descriptor.params}
    with pytest.raises(ValueError, match="requires bytes data"):
        compat.encode_pre_encoded({}, [(given, values)])
    payload = bytes(__import__("tgmap").open(message)[0][0].payload)
    again = compat.encode_pre_encoded({"step": 6}, [(given, payload)])
    np.testing.assert_array_equal(compat.decode(again).objects[0][1], array)
    assert compat.decode_metadata(again)["step"] == 6
    del given["sp_binary_scale_factor"]
    with pytest.raises(ValueError, match="missing required parameter: sp_binary_scale_factor"):
        compat.encode_pre_encoded({}, [(given, payload)])
    with pytest.raises(ValueError, match="does not match expected"):
        compat.encode_pre_encoded({}, [(describe(values), b"")])
    for offsets, text in (([0, 9, 3], "strictly increasing"), ([1], "begin with 0"), ([0, 1 << 40], "behind")):
        szip = dict(compression="szip", szip_rsi=128, szip_block_size=16, szip_flags=8, szip_block_offsets=offsets)
        with pytest.raises(ValueError, match=text):
            compat.encode_pre_encoded({}, [(describe(values, **szip), bytes(10))])


def test_compute_packing_params():
    values = temperature().ravel()
    params = compat.compute_packing_params(values, 16, 1)
    assert params["sp_reference_value"] == values.min()
    assert (params["sp_bits_per_value"], params["sp_decimal_scale_factor"]) == (16, 1)
    pipeline = {"encoding": "simple_packing", "sp_bits_per_value": 16, "sp_decimal_scale_factor": 1}
    descriptor, array = compat.decode(encoded(values, pipeline=pipeline)).objects[0]
    assert descriptor.params == params
    given = compat.decode(encoded(values, pipeline={"encoding": "simple_packing", **params})).objects[0][1]
    np.testing.assert_array_equal(given, array)
    with pytest.raises(ValueError, match="NaN value encountered at index 1"):
        compat.compute_packing_params(np.array([1, np.nan]), 16, 0)
    with pytest.raises(ValueError, match="infinite value encountered at index 0"):
        compat.compute_packing_params(np.array([-np.inf]), 16, 0)
    with pytest.raises(ValueError, match="exceeds maximum of 64"):
        compat.compute_packing_params(values, 65, 0)
    with pytest.raises(TypeError):
        compat.compute_packing_params([1.0], 16, 0)
