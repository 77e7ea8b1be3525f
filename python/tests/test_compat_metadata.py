# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: metadata."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import numpy as np
import pytest
from compat_messages import encoded
from tgmap import compat


@pytest.fixture
def metadata():
    base = [{"mars": {"param": "2t", "step": 0}, "name": "first"}, {"mars": {"param": "msl"}, "level": 500}]
    extra = {"source": "test", "nested": {"list": [1, 2]}, "level": 0}
    return compat.decode_metadata(encoded(np.zeros(1), np.zeros(2), metadata={"base": base, **extra}))


def test_mapping(metadata):
    assert isinstance(metadata, Mapping)
    assert metadata.keys() == ["mars", "name", "level", "nested", "source"] == list(metadata)
    assert len(metadata) == 5 and metadata["mars"] == {"param": "2t", "step": 0}
    assert dict(metadata.items())["level"] == 500 == metadata["level"] and metadata.values()[1] == "first"
    assert metadata.get("none", 3) == 3 and metadata.get("source") == "test"
    assert "mars.param" not in metadata and "_reserved_" not in metadata
    with pytest.raises(KeyError, match="_reserved_"):
        metadata["_reserved_"]


def test_paths(metadata):
    assert metadata.get_path("mars.param") == "2t" and metadata.get_path("nested.list") == [1, 2]
    assert metadata.get_path("extra.level") == 0 == metadata.get_path("_extra_.level")
    assert metadata.get_path("mars.none", 7) == 7 and metadata.get_path("") is None
    assert metadata.has_path("mars.step") and not metadata.has_path("_reserved_.tensor")
    assert metadata.get_path_at(1, "mars.param") == "msl" and metadata.get_path_at(1, "name", "x") == "x"
    assert metadata.get_path_at(2, "name") is None and not metadata.has_path_at(0, "level")


def test_attributes(metadata):
    assert metadata.version == compat.WIRE_VERSION == 3 and metadata.num_objects == 2
    assert metadata.base[1]["_reserved_"]["tensor"]["shape"] == [2]
    assert metadata.extra == {"level": 0, "nested": {"list": [1, 2]}, "source": "test"}
    assert set(metadata.reserved) == {"encoder", "time", "uuid"}
    assert repr(metadata) == 'Metadata(version=3, base_len=2, extra_keys=["level", "nested", "source"])'
    metadata.base[0]["name"] = "changed"
    metadata.extra["nested"]["list"].append(3)
    assert metadata["name"] == "first" and metadata.get_path("nested.list") == [1, 2]
    assert pickle.loads(pickle.dumps(metadata)).items() == metadata.items()


def test_values_of_all_kinds():
    values = {
        "integers": [0, -1, 2**64 - 1, -(2**63)],
        "float": 0.5,
        "bytes": b"\0\1",
        "tuple": (1, 2),
        "none": None,
        "true": True,
        "scalar": np.float32(0.25),
    }
    found = compat.decode_metadata(encoded(np.zeros(1), metadata=values)).extra
    assert found == {**values, "tuple": [1, 2], "scalar": 0.25}


def test_explicit_extra_comes_first():
    given = {"key": "free", "extra": {"key": "explicit"}, "version": 9}
    found = compat.decode_metadata(encoded(np.zeros(1), metadata=given))
    assert found.extra == {"key": "explicit", "version": 9} and found.version == 3
    with pytest.raises(ValueError, match="'_extra_' must be a dict"):
        encoded(np.zeros(1), metadata={"_extra_": 1})
    with pytest.raises(ValueError, match="'extra' must be a dict when"):
        encoded(np.zeros(1), metadata={"extra": 1})
