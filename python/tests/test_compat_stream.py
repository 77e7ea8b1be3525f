# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: messages that are written object by object."""

from __future__ import annotations

import numpy as np
import pytest
import tgmap
from compat_messages import describe, temperature
from tgmap import compat


def test_objects_and_their_keys():
    encoder = compat.StreamingEncoder({"base": [{"name": "a"}], "step": 6}, allow_nan=True)
    values = temperature()
    values[0, 0] = np.nan
    encoder.write_object(describe(values), values)
    numbers = np.arange(5, dtype=np.int32)
    encoder.write_object_pre_encoded(describe(numbers), numbers.tobytes())
    message = encoder.finish()
    metadata, objects = compat.decode(message, verify_hash=True)
    assert metadata["step"] == 6 and metadata.get_path_at(0, "name") == "a" and metadata.num_objects == 2
    np.testing.assert_array_equal(objects[0][1], values)
    assert objects[1][1].tolist() == numbers.tolist()
    assert tgmap.open(message)[0].is_streamed
    assert compat.scan(message[:-10]) == []
    with pytest.raises(ValueError, match="FramingError: .* cut"):
        compat.decode(message[:-10])
    for call in (encoder.finish, encoder.finish_and_reset, lambda: encoder.write_object(describe(numbers), numbers)):
        with pytest.raises(RuntimeError, match="already finished"):
            call()


def test_lengths():
    for finish, is_streamed in (("finish_and_reset", True), ("finish_and_reset_backfilled", False)):
        encoder = compat.StreamingEncoder({"step": 6})
        messages = []
        for i in range(3):
            values = np.full(4, i)
            encoder.write_object(describe(values), values)
            messages.append(getattr(encoder, finish)())
        assert compat.decode(encoder.finish_backfilled()).objects == []
        assert [place[1] for place in compat.scan(b"".join(messages))] == [len(each) for each in messages]
        for i, message in enumerate(messages):
            assert tgmap.open(message)[0].is_streamed is is_streamed
            assert compat.decode(message).objects[0][1].tolist() == [i] * 4
            assert compat.decode_metadata(message)["step"] == 6


def test_errors():
    encoder = compat.StreamingEncoder({}, hash=None)
    with pytest.raises(ValueError, match="NaN at element 1"):
        encoder.write_object({"type": "ntensor", "shape": [2], "dtype": "float64"}, np.array([0, np.nan]))
    with pytest.raises(ValueError, match="does not match expected"):
        encoder.write_object({"type": "ntensor", "shape": [3], "dtype": "float64"}, np.zeros(2))
    with pytest.raises(TypeError):
        encoder.write_object([], np.zeros(2))
    encoder.write_object(describe(np.zeros(2)), np.zeros(2))
    assert len(compat.decode(encoder.finish()).objects) == 1
    for place in ("header", "both"):
        with pytest.raises(ValueError, match="not supported in streaming mode"):
            compat.StreamingEncoder({}, aggregate_hash=place)
