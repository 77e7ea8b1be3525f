# SPDX-License-Identifier: Apache-2.0
"""Many archives as one sequence."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from archives import field, write_fields

import tgmap


@pytest.fixture
def paths(tmp_path):
    """Two archives of 4 and 6 messages."""
    return [write_fields(tmp_path / "a.tgm", 4), write_fields(tmp_path / "b.tgm", 6)]


@pytest.fixture
def many(paths):
    return tgmap.open_many(paths)


def test_messages_are_one_sequence(many):
    assert many.open_count == 0
    assert many.archive_count == 2
    assert len(many) == 10
    assert np.array_equal(many[5][0].array, field(1))
    assert np.array_equal(many[-1][0].array, field(5))
    assert [m.index for m in many[3:6]] == [3, 0, 1]
    assert [m.index for m in many] == [0, 1, 2, 3, 0, 1, 2, 3, 4, 5]
    assert len(many.archive(1)) == 6
    assert len(many.archive(-1)) == 6
    for wrong in (10, -11):
        with pytest.raises(IndexError):
            many[wrong]
    with pytest.raises(IndexError):
        many.archive(2)
    with pytest.raises(TypeError):
        many["1.5"]


def test_addresses(many, paths):
    assert many.address(5) == (1, 1)
    assert many.number((1, 1)) == 5
    text = many.address_text((1, 1, 0))
    assert text == f"{paths[1]}:1:0"
    assert many.address(text) == (1, 1, 0)
    assert np.array_equal(many.at(text).array, field(1))
    assert np.array_equal(many.at((0, 3))[0].array, field(3))
    with pytest.raises(tgmap.Error) as raised:
        many.at("gone.tgm:0")
    assert raised.value.code == "bad_address"


def test_places_inside_files(paths, tmp_path):
    first = tgmap.open(paths[0])[0]
    size = len(bytes(first.bytes))
    whole = tmp_path / "all.data"
    whole.write_bytes(b"head" + paths[0].read_bytes())
    many = tgmap.open_many([(whole, 4 + size, size), (os.fsencode(whole), 4, size), (str(whole), 4)])
    assert len(many) == 6
    assert np.array_equal(many[0][0].array, field(1))
    assert np.array_equal(many[1][0].array, field(0))
    assert many.address_text((0, 0)) == f"{whole}@{4 + size}"


def test_found_messages_and_objects(many):
    found = many.find("mars.param=2t", sort="mars.step:desc")
    assert found.addresses.tolist() == [[1, 5], [0, 3], [1, 3], [0, 1], [1, 1]]
    assert [m[0].metadata["mars.step"] for m in found] == [12, 6, 6, 0, 0]
    assert len(found[1:3]) == 2
    assert found[-1].index == 1
    objects = many.find_objects({"mars.step": 6}, sort=["mars.param", "x:desc"], limit=3)
    assert objects.addresses.tolist() == [[0, 2, 0], [1, 2, 0], [0, 3, 0]]
    assert np.array_equal(objects[0].array, field(2))
    assert len(many.find("mars.step=99")) == 0
    with pytest.raises(tgmap.Error):
        many.find("mars.step")


def test_facets_groups_and_tables(many):
    assert many.facets(["mars.param", "mars.step"]) == {
        "mars.param": {"10u": 5, "2t": 5},
        "mars.step": {"0": 4, "6": 4, "12": 2},
    }
    assert many.facets("gone", objects=False) == {"gone": {None: 10}}
    groups = many.group("mars.step", where="mars.param=2t")
    assert {key: found.addresses.tolist() for key, found in groups.items()} == {
        "0": [[0, 1, 0], [1, 1, 0]],
        "6": [[0, 3, 0], [1, 3, 0]],
        "12": [[1, 5, 0]],
    }
    assert list(many.group(["mars.step", "gone"]))[0] == ("0", None)
    table = many.table(["mars.step", "mars.param"], where="mars.step>=6")
    assert table["archive"].tolist() == [0, 0, 1, 1, 1, 1]
    assert table["message"].tolist() == [2, 3, 2, 3, 4, 5]
    assert table["mars.step"].tolist() == [6, 6, 6, 6, 12, 12]
    assert table["mars.param"].tolist() == ["10u", "2t", "10u", "2t", "10u", "2t"]
    assert len(many.table("x", where="mars.step=99")["x"]) == 0


def test_few_archives_are_open_and_arrays_stay(tmp_path):
    paths = [write_fields(tmp_path / f"{i}.tgm", 1) for i in range(20)]
    many = tgmap.open_many(paths, max_open=2)
    kept = many[0][0].array
    assert [m.index for m in many] == [0] * 20
    assert many.open_count == 2
    assert np.array_equal(kept, field(0))
    with many:
        pass
    assert many.is_closed
    assert np.array_equal(kept, field(0))
    for use in (lambda: many[0], lambda: len(many), lambda: many.find(), lambda: many.failures):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_failures_of_single_files_are_warnings(paths, tmp_path):
    damaged = tmp_path / "damaged.tgm"
    damaged.write_bytes(b"junk" + paths[0].read_bytes())
    many = tgmap.open_many([tmp_path / "gone.tgm", damaged, paths[1]])
    with pytest.warns(tgmap.CollectionWarning) as caught:
        assert len(many) == 10
    assert [str(each.message).partition(":")[0] for each in caught] == [str(tmp_path / "gone.tgm"), str(damaged)]
    assert [path for path, _ in many.failures] == [str(tmp_path / "gone.tgm"), str(damaged)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # each is named once
        assert len(many) == 10
        assert len(many.find()) == 10
        assert len(many.table("x")["x"]) == 10


def test_a_replaced_file_is_an_error(paths, tmp_path):
    many = tgmap.open_many(paths, max_open=1)
    assert len(many) == 10
    write_fields(tmp_path / "new.tgm", 4)
    os.replace(tmp_path / "new.tgm", paths[0])
    with pytest.raises(tgmap.Error) as raised:
        many[0]
    assert raised.value.code == "archive_changed"


def test_pickles_have_places(many):
    again = pickle.loads(pickle.dumps(many))
    assert again.places == many.places
    assert np.array_equal(again[7][0].array, many[7][0].array)
    message = pickle.loads(pickle.dumps(many[5]))
    assert np.array_equal(message[0].array, field(1))


def test_wrong_arguments():
    for wrong in ("a.tgm", b"a.tgm", [3], [("a.tgm", 1, 2, 3)], [("a.tgm", -1)], [()]):
        with pytest.raises(TypeError):
            tgmap.open_many(wrong)
    with pytest.raises(ValueError):
        tgmap.open_many([], mode="other")
    with pytest.raises((ValueError, tgmap.Error)):
        tgmap.open_many([], max_open=0)
    assert len(tgmap.open_many([])) == 0


def test_few_descriptors(tmp_path):
    """All messages are found, and the program has descriptors left."""
    paths = [write_fields(tmp_path / f"{i}.tgm", 1) for i in range(60)]
    code = f"""
import resource, warnings, tgmap
warnings.simplefilter("error")
resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))
many = tgmap.open_many({[str(each) for each in paths]})
assert len(many) == 60 and many.failures == [] and many.open_count == 12, many.open_count
held = [open("/dev/null") for _ in range(10)]
"""
    subprocess.run([sys.executable, "-c", code], check=True)
