# SPDX-License-Identifier: Apache-2.0
"""A message matches if one of its objects does."""

from __future__ import annotations

import pytest
from archives import field

import tgmap


def message(*fields, extra=None, descriptors=({}, {}, {})):
    """Return a message with an object for each pair of a parameter and a step."""
    objects = [
        tgmap.NewObject(field(i), {"mars": {"param": param, "step": step}} if param else {}, descriptor=descriptors[i])
        for i, (param, step) in enumerate(fields)
    ]
    return tgmap.encode(objects, extra or {})


@pytest.fixture(params=["scan", "index"])
def archive(request, tmp_path):
    path = tmp_path / "a.tgm"
    path.write_bytes(
        message(("2t", 0), ("10u", 6))
        + message(("10u", 0), ("2t", 6))
        + message(("msl", 0))
        + message(extra={"title": "no objects"})
        + message((None, 0), ("2t", 3), descriptors=({"name": "in the descriptor", "unit": "K"}, {"name": "other"}))
    )
    if request.param == "index":
        tgmap.open(path, index="create").close()
    return tgmap.open(path)


def found(archive, where):
    return [m.index for m in archive.find(where)]


@pytest.mark.parametrize(
    ("where", "messages"),
    [
        ("mars.param=10u", [0, 1]),
        ("mars.param=2t", [0, 1, 4]),
        ("not mars.param=2t", [0, 1, 2, 3, 4]),
        ("mars.param=10u and mars.step=6", [0]),
        ("mars.param!=10u/2t", [2, 3, 4]),
        ("title='no objects'", [3]),
        ("name='in the descriptor'", [4]),
        ("name=other and mars.step=3", [4]),
        ("has unit", []),
    ],
)
def test_messages_are_those_of_the_objects(archive, where, messages):
    assert found(archive, where) == messages
    of_objects = {o.message.index for o in archive.find_objects(where)}
    assert sorted(of_objects | {m for m in messages if len(archive[m]) == 0}) == messages


def test_rows_of_messages_show_the_object_that_matches(archive):
    table = archive.table(["mars.param", "mars.step"], objects=False, where="mars.param=10u")
    assert table["mars.param"].tolist() == ["10u", "10u"]
    assert table["mars.step"].tolist() == [6, 0]
    assert archive.table("mars.param", objects=False)["mars.param"].tolist()[:3] == ["2t", "10u", "msl"]


def test_a_name_in_the_descriptor_is_found(archive):
    first, second = archive[4]
    assert first.metadata["name"] == "in the descriptor"
    assert "name" in second.metadata
    assert second.metadata.get("name") == "other"
    assert first.metadata.get("unit") is None
    assert "name" not in archive[4].metadata
    assert "name" not in archive[0][0].metadata
    assert first.metadata.to_dict() == {}
    assert archive.table("name")["name"].tolist()[-2:] == ["in the descriptor", "other"]
    assert archive.table("name", objects=False)["name"].tolist()[-1] == "in the descriptor"
    with pytest.raises(KeyError):
        archive[4].metadata["name"]
