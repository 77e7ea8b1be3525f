# SPDX-License-Identifier: Apache-2.0
"""tgmap.validate."""

from __future__ import annotations

import pytest
import tgmap


def test_a_sound_archive(forecast):
    for level in ("quick", "standard", "checksum", "full"):
        result = tgmap.validate(forecast, level)
        assert result and result.is_sound and result.errors == 0 and result.findings == []
        assert [m.index for m in result.messages] == [0, 1, 2, 3]
        assert result.messages[0].offset == 0 and result.messages[0].objects == 2
        assert result.messages[-1].offset + result.messages[-1].length == forecast.stat().st_size
    assert tgmap.validate(forecast).messages_verified == 4
    assert repr(tgmap.validate(forecast)) == "<Validation: sound, 4 messages, 8 objects>"


def test_a_changed_byte_is_a_finding(forecast):
    with tgmap.open(forecast) as archive:
        payload = bytes(archive[1][0].payload)
    data = bytearray(forecast.read_bytes())
    at = data.index(payload, tgmap.open(bytes(data))[1].offset)
    data[at] ^= 1
    result = tgmap.validate(bytes(data))
    assert not result and result.errors >= 1
    finding = next(f for f in result.findings if f.code == "hash_mismatch")
    assert (finding.severity, finding.level, finding.message, finding.object) == ("error", "integrity", 1, 0)
    assert not result.messages[1].hash_verified and result.messages[2].hash_verified
    assert "message 1, object 0: error: " in str(result)
    assert tgmap.validate(bytes(data), "quick")


def test_bytes_that_belong_to_no_message(forecast):
    data = forecast.read_bytes()
    result = tgmap.validate(data + b"junk and more junk" + data)
    assert not result and result.unclaimed_ranges == 1 and len(result.messages) == 8
    gap = result.findings[0]
    assert (gap.message, gap.object, gap.offset, gap.length) == (None, None, len(data), 18)
    cut = tgmap.validate(data[:-5])
    assert not cut and len(cut.messages) == 3


def test_an_open_archive(forecast):
    with tgmap.open(forecast) as archive:
        assert tgmap.validate(archive, "full", threads=2, check_canonical=True)
    with pytest.raises(ValueError, match="closed"):
        tgmap.validate(archive)


def test_wrong_arguments(forecast, tmp_path):
    with pytest.raises(ValueError, match="level must be one of quick, standard, checksum, full, not 'deep'"):
        tgmap.validate(forecast, "deep")
    with pytest.raises(FileNotFoundError):
        tgmap.validate(tmp_path / "missing.tgm")
