# SPDX-License-Identifier: Apache-2.0
"""Files that are cut while they are open, and memory that others change: errors, never a signal."""

from __future__ import annotations

import mmap
import subprocess
import sys

import numpy as np
import pytest

import tgmap
from archives import write_fields

# Run in a process of its own: a SIGBUS would end the tests.
BEGIN = """
import mmap, os, pickle, sys
import numpy as np
import tgmap

def fails(call, *kinds):
    try:
        call()
    except (tgmap.Error, OSError) as error:
        assert "short" in str(error) or "missing" in str(error), error
    else:
        raise AssertionError("no error")

path, guard = sys.argv[1], sys.argv[2] == "guard"
if guard:
    tgmap.install_guard()
archive = tgmap.open(path, mode="map", index="none")
"""

CUT = """
len(archive)
message, one = archive[5], archive[5][0]
metadata, descriptor, view = one.metadata, one.descriptor, one.array
everything = metadata.to_dict(), repr(metadata), descriptor.params, repr(descriptor)
os.truncate(path, int(sys.argv[3]))
assert (metadata.to_dict(), repr(metadata), descriptor.params, repr(descriptor)) == everything
assert metadata["mars.step"] == 12 and "mars.param" in metadata and metadata.get("none") is None
assert pickle.loads(pickle.dumps(metadata)) == everything[0]
for call in [
    one.view,
    one.decode,
    lambda: one[1:2],
    lambda: list(archive.find("x=2.5")),
    lambda: archive.table(["x"]),
    lambda: archive.gather([5]),
    lambda: archive[5][0].array,
    lambda: message.base(0),
    lambda: tgmap.encode([view]),
    lambda: tgmap.encode([view[1:]]),
    lambda: tgmap.create(path + ".new").write([view]),
    lambda: pickle.dumps(one),
]:
    fails(call)
"""

MEMORY = """
with open(path, "r+b") as file:
    memory = mmap.mmap(file.fileno(), 0)
for memory in memory, memoryview(memory), np.frombuffer(memory, "u1"), np.memmap(path, "u1", "r"):
    from_memory = tgmap.open(memory)
    assert len(from_memory) == len(archive)
    assert from_memory[3][0].metadata == archive[3][0].metadata
    assert (from_memory[3][0].decode() == archive[3][0].decode()).all()
    if guard:
        size = os.path.getsize(path)
        data = open(path, "rb").read()
        one, metadata = from_memory[3][0], from_memory[3][0].metadata
        os.truncate(path, 0)
        assert metadata["mars.step"] == 6
        for call in one.decode, lambda: one.metadata, lambda: list(from_memory.find("x=2.5")), lambda: from_memory.table(["x"]):
            fails(call)
        open(path, "r+b").write(data)
"""


def run(program, *arguments):
    done = subprocess.run([sys.executable, "-c", BEGIN + program, *map(str, arguments)], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"


@pytest.mark.parametrize("guard", ["guard", "none"])
@pytest.mark.parametrize("size", [0, 700, 4096])
def test_a_file_that_was_cut(tmp_path, guard, size):
    path = write_fields(tmp_path / "a.tgm", 40)
    with tgmap.open(path) as archive:
        assert archive[5][0].metadata["x"] == 2.5
        assert archive[5].offset + archive[5].length > size or size == 4096
        size = min(size, archive[5].offset + 8) if size == 4096 else size
    run(CUT, path, guard, size)


@pytest.mark.parametrize("guard", ["guard", "none"])
def test_a_buffer_of_a_file(tmp_path, guard):
    run(MEMORY, write_fields(tmp_path / "a.tgm", 40), guard)


def test_structure_in_a_buffer_that_changes_is_checked_in_a_copy(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 3, compression="zstd")
    memory = bytearray(path.read_bytes())
    archive = tgmap.open(memory)
    metadata, values = archive[1][0].metadata, archive[1][0].decode()
    at = bytes(memory).index(b"demo")
    memory[at : at + 4] = b"done"
    assert archive[0][0].metadata["source"] in ("demo", "done")
    memory[:] = bytes(len(memory))
    assert metadata["source"] == "demo"
    assert values.shape == (4, 6)
    with pytest.raises(tgmap.Error):
        archive[1][0].decode()


def test_files_that_a_view_maps_can_be_written_again(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 3)
    archive = tgmap.open(path)
    view = archive[1][0].array
    with tgmap.create(path) as writer:
        writer.write([view])
    assert (tgmap.open(path)[0][0].array == view).all()
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        copy = tgmap.encode([np.frombuffer(mapped, "u1")])
    assert bytes(tgmap.open(copy)[0][0].array) == path.read_bytes()


# Every way to the bytes after a cut within the last page, whose rest reads as zeros: errors, also without chains of NumPy.
CUT_WITHIN_A_PAGE = """
len(archive)
message, one = archive[-1], archive[-1][0]
view = one.array
strided = np.lib.stride_tricks.as_strided(view, view.shape, view.strides)
size = os.stat(path).st_size
os.truncate(path, message.offset + message.length - 200)
fails(lambda: message.bytes, tgmap.Error)
fails(lambda: one.payload, tgmap.Error)
fails(lambda: archive.partition(3), tgmap.Error)
for gone in view, memoryview(view), np.asarray(memoryview(view)), np.from_dlpack(view), strided:
    fails(lambda: tgmap.encode(gone), tgmap.Error)
    fails(lambda: tgmap.xxh3(gone), tgmap.Error)
assert archive[0][0].decode() is not None
tgmap.encode(np.asarray(memoryview(archive[0][0].array)))
"""


@pytest.mark.parametrize("guard", ["guard", "none"])
def test_no_way_leads_to_the_zeros_behind_a_cut(tmp_path, guard):
    path = tmp_path / "a.tgm"
    write_fields(path)
    subprocess.run([sys.executable, "-c", BEGIN + CUT_WITHIN_A_PAGE, str(path), guard], check=True, timeout=60)
