"""The number of reads that the first access to an object takes, as the system counts them."""

import pathlib

import numpy
import pytest

import tgmap

COUNTERS = pathlib.Path("/proc/self/io")


def reads_made():
    counted = dict(line.split(": ") for line in COUNTERS.read_text().splitlines())
    return int(counted["syscr"])


@pytest.fixture(name="reads_of")
def count_reads():
    """Return a function that returns the result of a call, and how many reads it took."""
    if not COUNTERS.exists():
        pytest.skip("the system counts no reads")
    own = -reads_made() + reads_made()  # of the counters themselves

    def reads_of(use):
        before = reads_made()
        result = use()
        return result, reads_made() - before - own

    return reads_of


def elements(message, size):
    return numpy.arange(size, dtype="f4") * (message + 1)


def write(path, size, messages=3, **pipeline):
    with tgmap.create(path) as out:
        for number in range(messages):
            out.write(elements(number, size), {"step": number}, **pipeline)


WAYS = [{}, {"mode": "read"}]
SIZES = [250, 2500, 250_000]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_decoding_takes_two_reads(tmp_path, reads_of, way, size, compression):
    path = tmp_path / "a.tgm"
    write(path, size, compression=compression)
    message = tgmap.open(path, **way)[1]
    found, of_object = reads_of(lambda: message[0])
    decoded, of_elements = reads_of(found.decode)
    assert (of_object, of_elements) == (1, 1)  # the header of the message, and the frame
    assert numpy.array_equal(decoded, elements(1, size))
    again, of_elements = reads_of(found.decode)
    assert of_elements == 1  # elements are never those of an earlier call
    assert numpy.array_equal(again, decoded)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", SIZES)
def test_with_a_current_index_it_takes_one(tmp_path, reads_of, way, size):
    path = tmp_path / "a.tgm"
    write(path, size)
    tgmap.open(path, index="create").close()
    message = tgmap.open(path, **way)[1]
    found, of_index = reads_of(lambda: message[0])
    decoded, of_elements = reads_of(found.decode)
    assert of_index <= 2  # records of the index
    assert of_elements == 1
    assert numpy.array_equal(decoded, elements(1, size))


@pytest.mark.parametrize("size", SIZES)
def test_an_array_in_place_takes_two_reads(tmp_path, reads_of, size):
    path = tmp_path / "a.tgm"
    write(path, size)
    message = tgmap.open(path)[1]
    found, of_object = reads_of(lambda: message[0])
    array, of_view = reads_of(lambda: found.array)
    assert (of_object, of_view) == (1, 1)  # the header of the message, and the end of the frame
    assert numpy.array_equal(array, elements(1, size))
    assert reads_of(lambda: found.array)[1] == 0
    assert reads_of(lambda: (found.dtype, found.shape, found.nbytes))[1] == 0


def test_a_file_that_changes_between_the_calls(tmp_path):
    path = tmp_path / "a.tgm"
    write(path, 2500)
    for number, way in enumerate(WAYS, start=7):
        found = tgmap.open(path, **way)[1][0]
        offset = tgmap.open(path)[1][0].payload_offset
        with open(path, "r+b") as out:
            out.seek(offset)
            out.write(elements(number, 2500).tobytes())
        assert numpy.array_equal(found.decode(), elements(number, 2500))


@pytest.mark.parametrize("way", WAYS)
def test_damage_is_found_when_the_object_is_used(tmp_path, way):
    path = tmp_path / "a.tgm"
    write(path, 2500)
    frame = tgmap.open(path)[1][0].frame_offset
    with open(path, "r+b") as out:
        out.seek(frame)
        out.write(b"XX")
    with pytest.raises(tgmap.Error):
        tgmap.open(path, **way)[1][0].decode()
    with pytest.raises(tgmap.Error):
        tgmap.open(path, **way)[1][0].shape
