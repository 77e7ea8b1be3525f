# SPDX-License-Identifier: Apache-2.0
"""Files of the reference implementation: what Python reads is what the reference wrote."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from conftest import described_files

import tgmap

FILES = described_files()

# A build may lack them.
CODECS = {"blosc2", "SZ3", "libaec", "zstd", "lz4", "zfp", "CRoaring"}

# The reference decodes it wrongly, see docs/format.md.
WRONG = {("w0.19.0_packing_szip_shuffle.tgm", 4)}


def without_reserved(entry: dict) -> dict:
    return {key: value for key, value in entry.items() if key != "_reserved_"}


def from_json(value):
    """Return a value of the manifest; JSON has no NaN, no bytes and no keys but text."""
    if isinstance(value, list):
        return [from_json(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$float" in value:
        return float(value["$float"])
    if "$bytes" in value:
        return bytes.fromhex(value["$bytes"])
    if "$map" in value:
        return {from_json(key): from_json(each) for key, each in value["$map"]}
    return {key: from_json(each) for key, each in value.items()}


def same(found, expected) -> bool:
    """Compare values with those of the manifest, where NaN equals itself."""
    if isinstance(expected, str) and expected.startswith("Tag("):
        return not isinstance(found, dict)  # the reference prints its own structures
    if isinstance(expected, dict):
        if "$error" in expected:
            return True  # not readable in Python by the reference
        has_all = isinstance(found, dict) and found.keys() == expected.keys()
        return has_all and all(same(found[k], expected[k]) for k in found)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float) and expected != expected:
        return found != found
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


def payload_order(array: np.ndarray) -> bytes:
    """Return the elements in the order and the form in which the archive stores them, in native byte order."""
    axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
    array = array.transpose(axes)
    if array.dtype == bool:
        return np.packbits(array.ravel()).tobytes()
    return array.astype(array.dtype.newbyteorder("="), copy=False).tobytes()


@pytest.mark.parametrize(("path", "expected"), FILES, ids=lambda v: v.name if hasattr(v, "name") else "")
def test_content(path, expected):
    with tgmap.open(path, damage="skip") as archive:
        messages = [m for m in archive]
    described = [m for m in expected["messages"]]
    assert len(messages) == len(described)
    absent = {each["name"] for each in tgmap.doctor()["libraries"] if each["version"] is None}
    for message, facts in zip(messages, described):
        assert (message.offset, message.length, message.version) == (facts["offset"], facts["length"], facts["wire"])
        if message.version == 1 or "objects" not in facts:
            continue
        assert same(message.metadata.to_dict(), from_json(facts.get("extra", {})))
        assert len(message) == len(facts["objects"])
        for j, (object, d) in enumerate(zip(message, facts["objects"])):
            assert object.descriptor.dtype == d["dtype"]
            assert list(object.shape) == d["shape"]
            assert object.descriptor.encoding == d["encoding"]
            assert object.descriptor.compression == d["compression"]
            if "payload_offset" in d:
                assert len(object.payload) <= d["payload_region_length"] == object.stored_nbytes
            if j < len(facts.get("base", ())) and "$error" not in facts["base"]:
                assert same(without_reserved(message.base(j).to_dict()), without_reserved(from_json(facts["base"][j])))
            if "sha256" not in d.get("decoded", {}) or absent & CODECS or (path.name, j) in WRONG:
                continue
            try:
                array = object.array
            except tgmap.Error as error:
                assert error.code == "unsupported_strides"
                array = object.decode(ignore_strides=True)
            assert array.shape == object.shape
            assert hashlib.sha256(payload_order(array)).hexdigest() == d["decoded"]["sha256"]


def test_there_are_files():
    assert len(FILES) > 40
