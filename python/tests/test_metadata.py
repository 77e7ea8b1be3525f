# SPDX-License-Identifier: Apache-2.0
"""Keys and values."""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping

import numpy as np
import pytest

import tgmap


@pytest.fixture
def keys(data):
    return tgmap.open(data / "w0.24.0_meta_nested.tgm")[0][0].metadata


def test_it_is_a_mapping(keys):
    assert isinstance(keys, Mapping)
    assert dict(keys) == keys.to_dict() == dict(keys.items())
    assert list(keys) == list(keys.keys()) and len(keys) == len(list(keys))
    assert list(keys.values()) == [keys[k] for k in keys]
    assert keys == keys.to_dict() and keys.to_dict() == keys
    assert keys != {}
    with pytest.raises(TypeError):
        keys["a"] = 1
    assert pickle.loads(pickle.dumps(keys)) == keys.to_dict()
    assert repr(keys).startswith("Metadata({")


def test_paths(keys):
    assert keys["map.a.b.c[0]"] == 1
    assert keys["list[3]"] == "x" and keys["list"][3] == "x"
    assert "map.a" in keys and "map.z" not in keys and 3 not in keys
    assert keys.get("map.z") is None and keys.get("map.z", 7) == 7
    with pytest.raises(KeyError, match="map.z"):
        keys["map.z"]
    assert keys["empty_map"] == {} and keys["empty_list"] == []
    assert keys["mixed_keys"] == {1: "yes", -2: "minus", "1": "text one"}


def test_every_integer(data):
    values = []
    for name in ("cbor_u64.tgm", "cbor_n64.tgm"):
        for message in tgmap.open(data / name):
            values += [v for v in message[0].metadata.to_dict().values() if isinstance(v, int)]
    assert max(values) > 2**63 and min(values) == -(2**64)


def test_items_in_pieces(data):
    keys = tgmap.open(data / "cbor_indefinite.tgm")[0][0].metadata
    assert keys["bytes"] == b"\1\2\3" and keys["text"] == "abc"


def test_layers(data):
    message = tgmap.open(data / "preceders_streamed.tgm")[0]
    for j, object in enumerate(message):
        own = message.base(j).to_dict()
        own.pop("_reserved_", None)
        assert object.metadata.to_dict() == {**message.metadata.to_dict(), **own}
    assert message.reserved["encoder.name"] == "tensogram"
    assert message.base(-1) == message.base(len(message) - 1)
    with pytest.raises(IndexError):
        message.base(len(message))


def test_descriptors(data):
    object = tgmap.open(data / "w0.24.0_lossless_zstd_shuffle_little.tgm")[0][0]
    d = object.descriptor
    assert (d.type, d.filter, d.compression, d.byte_order) == ("ntensor", "shuffle", "zstd", "little")
    assert d.shape == object.shape and d.ndim == len(d.shape) and not d.is_plain
    assert d["dtype"] == d.dtype == d.to_dict()["dtype"]
    assert "shuffle_element_size" in d.params and "dtype" not in d.params
    with pytest.raises(KeyError):
        d["none"]
    assert "zstd" in repr(d)


def test_keys_that_are_remembered():
    pick = random.Random(1)
    # Of equal hashes, with a NUL, of other scripts, of no byte, and longer than those that are remembered.
    every = ["Aa", "BB", "AaBB", "BBAa", "a\0b", "a\0", "ä" * 15, "ä" * 16, "", "x" * 31, "x" * 32, "\U0001f600"]
    every += ["".join(pick.choices("abé_", k=pick.randrange(40))) for _ in range(2_000)]
    for _ in range(100):
        maps = [dict.fromkeys(pick.sample(every, pick.randrange(60)), n) for n in range(3)]
        written = tgmap.encode(np.zeros(1), {"one": maps[0], "two": {"three": maps[1:]}})
        assert tgmap.open(written)[0].metadata.to_dict() == {"one": maps[0], "two": {"three": maps[1:]}}


def test_keys_of_several_messages_are_one_str():
    message = tgmap.encode(np.zeros(1), {"a key": {"another": 1}})
    first, second = (m.metadata.to_dict() for m in tgmap.open(message + message))
    assert first == second and all(a is b for a, b in zip(first, second, strict=True))
    assert next(iter(first["a key"])) is next(iter(second["a key"]))
