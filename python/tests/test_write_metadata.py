# SPDX-License-Identifier: Apache-2.0
"""Values of Python as metadata: kept as they are, or refused."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import tgmap


def test_metadata_of_every_kind():
    keys = {"whole": 2**64 - 1, "negative": -(2**64), "small": -3, "real": 0.5, "text": "ä", "none": None,
            "truth": True, "bytes": b"\0\xff", "list": [1, [2.5, "x"]], "tuple": (1, 2), "map": {"a": {"b": 1}},
            "scalar": np.float32(0.5), "count": np.uint64(2**63)}  # fmt: skip
    message = tgmap.open(tgmap.encode(tgmap.NewObject(np.zeros(1), keys), keys))[0]
    expected = {**keys, "tuple": [1, 2]}
    assert message.metadata.to_dict() == expected
    found = message.base(0).to_dict()
    found.pop("_reserved_", None)
    assert found == expected


def test_keys_of_another_message():
    source = tgmap.open(tgmap.encode(tgmap.NewObject(np.zeros(1), {"b": [1]}), {"a": {"x": 1}}))[0]
    copy = tgmap.open(tgmap.encode(np.ones(1), source.metadata))[0]
    assert copy.metadata.to_dict() == {"a": {"x": 1}}


@pytest.mark.parametrize(
    "value, kind, text",
    [
        (np.datetime64("2020-01-01"), TypeError, "str"),
        (datetime.date(2020, 1, 1), TypeError, "isoformat"),
        (2**64, OverflowError, "64 bits"),
        (-(2**64) - 1, OverflowError, "64 bits"),
        (np.arange(3), TypeError, "tolist"),
        ({1: 2}, TypeError, "must be text"),
        ({1, 2}, TypeError, "set"),
        (1j, TypeError, "complex"),
    ],
)
def test_metadata_that_is_refused(value, kind, text):
    with pytest.raises(kind, match=text):
        tgmap.encode(np.zeros(1), {"key": value})
    with pytest.raises(kind, match=text):
        tgmap.NewObject(np.zeros(1), {"key": [value]})


def test_reserved_keys_are_refused():
    for objects, keys in [(np.zeros(1), {"_reserved_": {}}), (tgmap.NewObject(np.zeros(1), {"_reserved_": {}}), {})]:
        with pytest.raises(tgmap.Error) as raised:
            tgmap.encode(objects, keys)
        assert raised.value.code == "reserved_key"
    with pytest.raises(TypeError, match="mapping"):
        tgmap.encode(np.zeros(1), [1])


def test_metadata_that_contains_itself():
    keys: dict = {}
    keys["a"] = [keys]
    with pytest.raises(ValueError, match="contains itself") as raised:
        tgmap.encode(np.zeros(1), keys)
    assert len(str(raised.value)) < 100
