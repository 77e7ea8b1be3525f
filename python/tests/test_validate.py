# SPDX-License-Identifier: Apache-2.0
"""tgmap.validate."""

from __future__ import annotations

import os

import pytest
from archives import write_fields

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


def with_outdated_index(path, change):
    """Return an archive that is opened by the index of what it was before some bytes of its message 50 were changed.

    The change keeps size and time of the file, so that only samples could notice it.
    """
    for _ in range(100):
        write_fields(path, 120)
        if os.path.exists(f"{path}.tgx"):
            os.remove(f"{path}.tgx")
        with tgmap.open(path, index="create") as archive:
            offset, length = archive[50].offset, archive[50].length
        times = os.stat(path)
        content = bytearray(path.read_bytes())
        change(content, offset, length)
        path.write_bytes(content)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        archive = tgmap.open(path, damage="skip")
        if archive.uses_index:
            return archive, offset
    raise AssertionError("samples always notice the change")


def test_an_index_is_not_believed(tmp_path):
    def change(content, offset, length):
        content[offset : offset + 160] = b"#" * 160

    archive, offset = with_outdated_index(tmp_path / "f.tgm", change)
    result = tgmap.validate(archive)
    assert not result and len(result.messages) == 119 and result.unclaimed_ranges == 1
    assert result.findings[0].code == "unrecognized_bytes" and result.findings[0].offset == offset
    assert not tgmap.validate(archive, "quick") and not tgmap.validate(archive, "full")


def test_a_message_is_verified_without_an_index(tmp_path):
    def change(content, offset, length):
        content[offset + length - 200] ^= 1

    archive, offset = with_outdated_index(tmp_path / "f.tgm", change)
    assert archive.at_offset(offset).verify() is False
    assert tgmap.validate(archive).errors >= 1


def test_wrong_arguments(forecast, tmp_path):
    with pytest.raises(ValueError, match="level must be one of quick, standard, checksum, full, not 'deep'"):
        tgmap.validate(forecast, "deep")
    with pytest.raises(FileNotFoundError):
        tgmap.validate(tmp_path / "missing.tgm")
