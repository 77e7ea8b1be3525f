# SPDX-License-Identifier: Apache-2.0
"""Opening archives, and finding messages and objects."""

from __future__ import annotations

import decimal
import io
import mmap
import os
import pickle

import numpy as np
import pytest
from archives import field, write_fields

import tgmap


def sums(archive) -> list[float]:
    objects = (o for m in archive for o in m if o.descriptor.dtype == "float32")
    return [float(np.nansum(o.decode(ignore_strides=True).astype("f8"))) for o in objects]


def test_every_source_gives_the_same(several):
    expected = sums(tgmap.open(several))
    assert expected
    content = several.read_bytes()
    assert sums(tgmap.open(str(several))) == expected
    assert sums(tgmap.open(content)) == expected
    assert sums(tgmap.open(bytearray(content))) == expected
    assert sums(tgmap.open(memoryview(content))) == expected
    assert sums(tgmap.open(np.frombuffer(content, "u1"))) == expected
    assert sums(tgmap.open(io.BytesIO(content))) == expected
    with open(several, "rb") as file:
        assert sums(tgmap.open(file)) == expected
        assert sums(tgmap.open(file.fileno())) == expected
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            archive = tgmap.open(mapped)
            assert sums(archive) == expected
            with pytest.raises(BufferError):
                mapped.close()  # the archive has its memory
            del archive


@pytest.mark.parametrize("mode", ["auto", "map", "read"])
def test_every_mode_gives_the_same(several, mode):
    archive = tgmap.open(several, mode=mode)
    assert archive.mode == ("map" if mode == "auto" else mode)
    assert sums(archive) == sums(tgmap.open(several))


def test_an_archive_inside_another_file(tmp_path, plain):
    content = plain.read_bytes()
    file = tmp_path / "outer.bin"
    file.write_bytes(b"x" * 100 + content + b"y" * 7)
    archive = tgmap.open(file, offset=100, length=len(content))
    assert len(archive) == 1
    assert archive[0].verify() in (True, None)


def test_errors_are_those_of_python(tmp_path, plain):
    with pytest.raises(FileNotFoundError) as raised:
        tgmap.open(tmp_path / "none.tgm")
    assert raised.value.filename == str(tmp_path / "none.tgm")
    with pytest.raises(IsADirectoryError):
        tgmap.open(tmp_path)
    with pytest.raises(ValueError, match="mode must be one of auto, map, read"):
        tgmap.open(plain, mode="fast")
    with pytest.raises(TypeError):
        tgmap.open(None)
    with pytest.raises(TypeError):
        tgmap.open(plain, wrong=1)
    with pytest.raises(OSError):
        tgmap.open(9999)
    if os.geteuid() != 0:
        secret = tmp_path / "secret.tgm"
        secret.write_bytes(plain.read_bytes())
        secret.chmod(0)
        with pytest.raises(PermissionError):
            tgmap.open(secret)


def test_messages_by_number(several):
    archive = tgmap.open(several)
    first, last = archive[0], archive[-1]
    count = len(archive)
    assert archive.is_complete
    assert first == archive[0] and hash(first) == hash(archive[0])
    assert last.offset == archive[count - 1].offset
    assert archive[-count] == first
    for wrong in (count, -count - 1):
        with pytest.raises(IndexError):
            archive[wrong]
    with pytest.raises(TypeError):
        archive["0"]
    assert [m.index for m in archive] == list(range(count))
    assert archive.at_offset(archive[1].offset) == archive[1]
    with pytest.raises(tgmap.Error) as raised:
        archive.at_offset(1)
    assert raised.value.code == "not_a_message"


def test_slices_are_lazy(several):
    archive = tgmap.open(several)
    count = len(archive)
    every_second = archive[::2]
    assert len(every_second) == (count + 1) // 2
    assert [m.index for m in every_second] == list(range(0, count, 2))
    assert [m.index for m in archive[::-1][:2]] == [count - 1, count - 2]
    assert every_second[-1].index == range(0, count, 2)[-1]
    assert len(archive[5:5]) == 0
    message = archive[0]
    assert [o.index for o in message[:1]] == [0]


def test_objects_by_number(several):
    for message in tgmap.open(several):
        objects = list(message)
        assert len(objects) == len(message)
        assert [o.index for o in objects] == list(range(len(message)))
        if objects:
            assert message[-1].index == len(message) - 1
        with pytest.raises(IndexError):
            message[len(message)]
        with pytest.raises(IndexError):
            message[-len(message) - 1]


def test_damage_is_an_error_or_a_gap(data):
    archive = tgmap.open(data / "gap_between.tgm")
    with pytest.raises(tgmap.Error) as raised:
        len(archive)
    error = raised.value
    assert error.code == "damaged" and error.message is not None and error.expected > error.found
    assert pickle.loads(pickle.dumps(error)).__dict__ == error.__dict__
    archive = tgmap.open(data / "gap_between.tgm", damage="skip")
    assert len(archive) > 1
    gap = archive.gaps[0]
    assert (gap.begin, gap.end) == (error.found, error.expected)
    assert gap.code and gap.reason
    assert archive.tail is None


def test_an_incomplete_tail(data):
    archive = tgmap.open(data / "truncated_last.tgm", damage="skip")
    len(archive)
    assert archive.tail.end == archive.nbytes
    assert archive.tail.begin < archive.tail.end


def test_find(several):
    archive = tgmap.open(several)
    everything = list(archive.find("@version>=2"))
    assert len(everything) == sum(m.version >= 2 for m in archive)
    objects = list(archive.find_objects("dtype=float32"))
    assert [(o.message.offset, o.index) for o in objects] == [
        (m.offset, o.index) for m in archive for o in m if o.descriptor.dtype == "float32"
    ]
    with pytest.warns(tgmap.KeyWarning, match="no message has the key 'no.such.key'"):
        assert list(archive.find("no.such.key=1")) == []
    with pytest.raises(tgmap.Error, match="value|column") as raised:
        archive.find("(a")
    assert raised.value.code == "bad_selection"


def test_appended_messages_are_seen_after_refresh(tmp_path, plain):
    content = plain.read_bytes()
    file = tmp_path / "growing.tgm"
    file.write_bytes(content)
    archive = tgmap.open(file)
    assert len(archive) == 1
    array = archive[0][0].array
    with open(file, "ab") as out:
        out.write(content)
    assert len(archive) == 1
    archive.refresh()
    assert len(archive) == 2
    assert np.array_equal(archive[1][0].array, array)


def test_refresh_opens_the_file_that_the_path_leads_to(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 3)
    archive = tgmap.open(path, damage="skip")
    message = archive[2]
    assert not archive.is_replaced
    write_fields(path, 5)
    assert archive.is_replaced and len(archive) == 3
    with pytest.warns(tgmap.ReplacedWarning, match="another file") as caught:
        archive.refresh()
    assert caught[0].filename == __file__
    assert not archive.is_replaced and len(archive) == 5
    assert np.array_equal(message[0].array, field(2))  # of the file that was replaced
    archive.refresh()
    os.unlink(path)
    assert not archive.is_replaced  # by nothing
    archive.refresh()
    assert len(archive) == 5
    path.mkdir()
    assert archive.is_replaced
    with pytest.raises(IsADirectoryError):
        archive.refresh()
    assert len(archive) == 5
    assert not tgmap.open(message.bytes).is_replaced


def test_closed_archives(plain):
    with tgmap.open(plain) as archive:
        assert archive and not archive.is_closed
        message = archive[0]
    assert archive.is_closed and not archive
    with pytest.raises(ValueError, match="closed"):
        archive[0]
    with pytest.raises(ValueError, match="closed"):
        len(archive)
    assert message[0].array.size  # handles stay valid
    archive.close()
    assert "closed" in repr(archive)


def test_prints(several, plain):
    assert "mixed_0.tgm" in repr(tgmap.open(several))
    assert repr(tgmap.open(plain)[0]).startswith("<Message 0 at 0: 1 object")
    assert "float32" in repr(tgmap.open(plain)[0][0])


def test_the_guard_is_installed_on_request_only():
    import subprocess
    import sys

    code = (
        "import signal, tgmap; assert not tgmap.has_guard(); tgmap.install_guard(); assert tgmap.has_guard();"
        "signal.signal(signal.SIGBUS, lambda *a: None); assert not tgmap.has_guard()\n"
        "try: tgmap.install_guard()\n"
        "except OSError as e: print('replaced', e.errno)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("replaced")


def test_a_pipe_is_no_index(forecast):
    import subprocess
    import sys

    os.mkfifo(f"{forecast}.tgx")
    code = (
        f"import tgmap; a = tgmap.open({str(forecast)!r}); print(a.uses_index, len(a), a.index_problem);"
        f"print(len(tgmap.open({str(forecast)!r}, index='create')), bool(tgmap.validate({str(forecast)!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.startswith(f"False {len(tgmap.open(forecast, index='none'))} not an index file"), done.stderr
    assert os.path.exists(f"{forecast}.tgx") and not os.path.isfile(f"{forecast}.tgx")


def test_options_are_numbers_of_any_kind(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 4)
    for zero in (np.array(0), np.uint8(0), decimal.Decimal(0)):
        archive = tgmap.open(path, offset=zero, max_decoded=np.array(10**6), index_cache=np.False_)
        assert sum(len(part) for part in archive.partition(3)) == 4
        assert len(pickle.loads(pickle.dumps(archive))) == 4
    for wrong in ({"offset": "a"}, {"offset": -1}, {"length": 2**64}, {"length": 1.5}, {"max_decoded": b"1"}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            tgmap.open(path, **wrong)


def test_an_index_is_found_from_another_folder(tmp_path, monkeypatch):
    path = write_fields(tmp_path / "a.tgm", 4)
    tgmap.open(path, index="create").close()
    os.rename(tmp_path / "a.tgm.tgx", tmp_path / "other.tgx")
    monkeypatch.chdir(tmp_path)
    archive = tgmap.open("a.tgm", index_path="other.tgx")
    pickled = pickle.dumps(archive)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    assert archive.uses_index and pickle.loads(pickled).uses_index
    assert sum(map(len, archive.partition(2))) == 4
    for source, index, missing in [(path, "no.tgx", "no.tgx"), ("no.tgm", path, "no.tgm"), ("no.tgm", "no.tgx", "no.tgm")]:
        with pytest.raises(FileNotFoundError) as raised:
            tgmap.open(source, index_path=index)
        assert os.path.basename(raised.value.filename) == missing
