# SPDX-License-Identifier: Apache-2.0
"""Samples of archives: which object is in which cell, and reading them."""

from __future__ import annotations

import itertools
import pickle
import random
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from sample_archives import PARAMS, SHAPE, channels, code_of, elements, new_object, training_set, write

import tgmap
from tgmap.samples import SampleError, Samples, SampleWarning

OF_STATE = {"sample": ["mars.date", "mars.time"], "channel": ["mars.param", "mars.levelist"]}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return training_set(tmp_path_factory.mktemp("samples") / "era.tgm")


def state(date, time):
    return np.stack([elements(code_of(date, time, param, level)) for param, level in channels()])


def test_samples(path):
    found = Samples(path, **OF_STATE)
    assert repr(found) == "<6 samples of float32 (5, 2, 3): channel (5)>"
    assert len(found) == 6 and found.shape == (5, *SHAPE) and found.dtype == np.float32
    assert found.channels == [("2t", None), ("q", 500), ("q", 1000), ("z", 500), ("z", 1000)]
    assert found.labels["mars.date"].tolist() == [20240101, 20240101, 20240102, 20240102, 20240103, 20240103]
    assert found.labels["mars.time"].tolist() == ["0000", "1200"] * 3
    assert found.sequence == [()] and found.times is None and found.left_out == []
    assert np.array_equal(found[3], state(20240102, "1200"))
    assert np.array_equal(found[-1], state(20240103, "1200"))
    wanted = np.stack([state(20240103, "0000"), state(20240101, "0000"), state(20240103, "0000")])
    assert np.array_equal(found.read([4, 0, 4]), wanted)
    assert np.array_equal(found[[4, 0, 4]], wanted)
    assert np.array_equal(found[::3], np.stack([state(20240101, "0000"), state(20240102, "1200")]))
    assert np.array_equal(np.stack(list(found)), found[:])


def test_each_object_is_a_sample(path):
    found = Samples(path, where="mars.levelist=500")
    assert repr(found) == "<12 samples of float32 (2, 3)>" and found.labels == {}
    assert np.array_equal(found[1], elements(code_of(20240101, "0000", "z", 500)))
    assert found.channels == [()]


def test_a_sequence_and_channels(tmp_path):
    """Steps of a forecast are an axis of their own; channels are those that are asked for, in that order."""
    keys = [(date, step, param) for date in (20240101, 20240102) for step in (0, 6, 12) for param in PARAMS]
    rows = [new_object(date=date, step=step, param=param) for date, step, param in keys]
    path = write(tmp_path / "a.tgm", random.Random(1).sample(rows, len(rows)))
    found = Samples(path, sample="mars.date", sequence="mars.step", channel="mars.param", channels=["z", "2t"])
    assert repr(found) == "<2 samples of float32 (3, 2, 2, 3): sequence (3), channel (2)>"
    assert found.sequence == [0, 6, 12] and found.channels == ["z", "2t"]
    for i, date in enumerate((20240101, 20240102)):
        wanted = [[elements(code_of(date, step=step, param=param)) for param in ("z", "2t")] for step in (0, 6, 12)]
        assert np.array_equal(found[i], wanted)
    again = Samples(path, sample="mars.date", sequence="mars.step", channel="mars.param", channels=found.channels)
    assert np.array_equal(again[:], found[:])


def test_parts_of_objects(path):
    whole = Samples(path, **OF_STATE)[:]
    found = Samples(path, **OF_STATE, slab=(0, slice(None, None, -2)))
    assert found.shape == (5, 2) and np.array_equal(found[:], whole[:, :, 0, ::-2])
    rows = np.array([1, 0, 1])
    points = Samples(path, **OF_STATE, points=(rows, [2, 0, 0]))
    rows[:] = 0  # they are copied
    assert points.shape == (5, 3) and np.array_equal(points[:], whole[:, :, [1, 0, 1], [2, 0, 0]])
    assert points[1:1].shape == (0, 5, 3)
    with pytest.raises(TypeError, match="not both"):
        Samples(path, slab=0, points=([0], [0]))
    with pytest.raises(ValueError, match="one array for each of the 2 dimensions"):
        Samples(path, points=([0],))
    with pytest.raises(ValueError, match="one length"):
        Samples(path, points=([0], [0, 1]))


@pytest.mark.parametrize("seed", range(25))
def test_never_a_value_under_the_wrong_label(seed, tmp_path):
    """Objects of several archives in any order, of which some are missing."""
    rng = random.Random(seed)
    dates = rng.sample([20240101, 20240102, 20240105, 20240109, 20240215], rng.randint(1, 4))
    times = rng.sample(["0000", "0600", "1200", "1800"], rng.randint(1, 3))
    numbers = rng.sample([0, 1], rng.randint(1, 2))
    cells = list(itertools.product(dates, times, numbers, channels()))
    missing = set(rng.sample(range(len(cells)), rng.choice([0, 1, len(cells) // 8])))
    kept = [cell for i, cell in enumerate(cells) if i not in missing]
    rng.shuffle(kept)
    objects = [new_object(date=d, time=t, number=n, param=c[0], level=c[1]) for d, t, n, c in kept]
    half = len(objects) // 2
    paths = [write(tmp_path / "a.tgm", objects[:half]), write(tmp_path / "b.tgm", objects[half:])]
    keys = {"sample": ["mars.number", "mars.date", "mars.time"], "channel": ["mars.param", "mars.levelist"]}
    of_sample = {}
    for date, time, number, channel in kept:
        of_sample.setdefault((number, date, time), set()).add(channel)
    every = {channel for each in of_sample.values() for channel in each}
    whole = sorted(key for key, found in of_sample.items() if found == every)
    if missing and not whole:
        with pytest.raises(SampleError, match="no sample is complete"):
            Samples(paths, **keys, incomplete="drop")
    else:
        found = Samples(paths, **keys, incomplete="drop")
        labels = list(zip(*(each.tolist() for each in found.labels.values())))
        assert labels == whole and sorted([*found.left_out, *labels]) == sorted(of_sample)
    found = Samples(paths, **keys, incomplete="fill")
    batch = rng.choices(range(len(found)), k=7)
    read = found.read(batch)
    for position, i in enumerate(batch):
        key = tuple(each[i] for each in found.labels.values())
        for j, channel in enumerate(found.channels):
            if channel in of_sample[key]:
                wanted = elements(code_of(key[1], key[2], channel[0], channel[1], number=key[0]))
                assert np.array_equal(read[position, j], wanted), (key, channel)
            else:
                assert np.isnan(read[position, j]).all()


# ---- times -------------------------------------------------------------------------------------------


def test_times(tmp_path):
    """Neighbours are those in time, not those in order: a gap leaves samples out."""
    states = [(20240101, "0000"), (20240101, "1200"), (20240102, "0000"), (20240103, "0000"), (20240103, "1200")]
    rows = [new_object(date=date, time=time, param=param) for date, time in states for param in ("2t", "q")]
    path = write(tmp_path / "a.tgm", rows)
    keys = {"sample": ["mars.date", "mars.time"], "channel": "mars.param"}
    found = Samples(path, **keys, times=["0h", "12h"])
    assert found.shape == (2, 2, *SHAPE) and found.times == ["0h", "12h"]
    assert repr(found) == "<3 samples of float32 (2, 2, 2, 3): time (2), channel (2), 2 left out>"
    labels = list(zip(found.labels["mars.date"].tolist(), found.labels["mars.time"].tolist()))
    assert labels == [(20240101, "0000"), (20240101, "1200"), (20240103, "0000")]
    assert found.left_out == [(20240102, "0000"), (20240103, "1200")]
    for i, j, k in ((0, 0, 1), (1, 1, 2), (2, 3, 4)):
        wanted = [[elements(code_of(*states[n], param)) for param in ("2t", "q")] for n in (j, k)]
        assert np.array_equal(found[i], wanted)
    assert np.array_equal(found.read([2, 0]), np.stack([found[2], found[0]]))
    both = Samples(path, **keys, times=(np.timedelta64(24, "h"), "-12h"))  # in any order
    assert both.labels["mars.date"].tolist() == [20240102] and both.labels["mars.time"].tolist() == ["0000"]
    assert np.array_equal(both[0], found.read([2, 1])[:, 0])


def test_times_of_steps_and_members(tmp_path):
    """Steps that vary are the time, of each forecast and member for itself."""
    keys = [(date, step, number) for date in (20240101, 20240102) for step in (0, 6, 24, 30) for number in (1, 2)]
    path = write(tmp_path / "a.tgm", [new_object(date=d, step=s, number=n) for d, s, n in keys])
    found = Samples(path, sample=["mars.date", "mars.step", "mars.number"], times=[-6, 0])
    labels = set(zip(*(each.tolist() for each in found.labels.values())))
    assert labels == {(date, step, number) for date in (20240101, 20240102) for step in (6, 30) for number in (1, 2)}
    for i, (date, step, number) in enumerate(zip(*found.labels.values())):
        wanted = [elements(code_of(date, step=each, number=number)) for each in (step - 6, step)]
        assert np.array_equal(found[i], wanted)
    one_step = Samples(path, sample=["mars.date", "mars.step", "mars.number"], times=["0h", "1d"], where="mars.step=6")
    assert one_step.labels["mars.date"].tolist() == [20240101] * 2


@pytest.mark.parametrize(
    ("key", "values", "times", "count"),
    [
        ("valid", ["2024-01-31T18:00", "2024-02-01T00:00", "2024-02-01T06:00:00Z"], ("-6h", "0h"), 2),
        ("index", [3, 4, 6, 7, 8], (0, 1, 2), 1),
        ("index", [0.5, 1.0, 1.5], (0, 0.5), 2),
        ("date", [20240228, 20240229, 20240301], (0, "1d"), 2),
    ],
)
def test_times_of_other_keys(key, values, times, count, tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.create(path) as out:
        for i, value in enumerate(values):
            out.write([tgmap.NewObject(np.full(2, i, "f4"), {key: value})])
    found = Samples(path, sample=key, times=times)
    assert len(found) == count and found.shape == (len(times), 2)
    assert np.array_equal(np.diff(found[0][:, 0]), np.ones(len(times) - 1))


def test_times_that_are_none(path, tmp_path):
    def refused(source, text, **options):
        with pytest.raises(ValueError, match=text):
            Samples(source, **options)

    state_keys = {**OF_STATE, "times": ("0h", "6h")}
    refused(path, "no sample has a state at each of the times 0h, 6h", **state_keys)
    refused(path, "'6 hours' is no relative time", **{**OF_STATE, "times": ["6 hours"]})
    refused(path, "parts of a second", **{**OF_STATE, "times": [np.timedelta64(1, "ms")]})
    refused(
        path,
        "needs a date, a step or one number",
        sample=["mars.param", "mars.time"],
        times=[0],
        where="mars.date=20240101 and (not has mars.levelist or mars.levelist=500)",
    )
    hours = write(tmp_path / "hours.tgm", [new_object(date=20240101), new_object(date=20240102)])
    with tgmap.create(tmp_path / "times.tgm") as out:
        for time in (0, 12):
            out.write([tgmap.NewObject(np.zeros(2), {"mars": {"date": 20240101, "time": time}})])
    keys = {"sample": ["mars.date", "mars.time"], "times": ("0h", "12h")}
    refused(tmp_path / "times.tgm", "mars_time='hours'", **keys)
    assert len(Samples(tmp_path / "times.tgm", **keys, mars_time="hours")) == 1
    assert len(Samples(hours, sample="mars.date", times=(0, 24))) == 1
    refused(hours, "'x' is no relative time", sample="mars.date", times=("x",))


# ---- sources -----------------------------------------------------------------------------------------


def test_sources(path, tmp_path):
    wanted = Samples(path, **OF_STATE)[:]
    data = path.read_bytes()
    archive = tgmap.open(path)
    many = tgmap.open_many([path])
    halves = [tmp_path / "a.tgm", tmp_path / "b.tgm"]
    middle = archive[3].offset
    halves[0].write_bytes(data[:middle])
    halves[1].write_bytes(data[middle:])
    inside = tmp_path / "inside.bin"
    inside.write_bytes(b"x" * 100 + data + b"y" * 10)
    sources = [str(path), data, archive, many, many.find_objects(), [archive], halves, str(tmp_path / "[ab].tgm")]
    sources += [archive.partition(2), tgmap.open_many([(inside, 100, len(data))])]
    sources.append(tgmap.open(inside, offset=100, length=len(data)))
    for source in sources:
        found = Samples(source, **OF_STATE)
        assert np.array_equal(found[:], wanted), source
        assert np.array_equal(pickle.loads(pickle.dumps(found)).read([5, 1]), wanted[[5, 1]]), source


def test_selected_rows(path):
    archive = tgmap.open(path)
    table = archive.table(["mars.levelist"], where="mars.levelist=500")
    assert np.array_equal(Samples(archive, rows=table)[:], archive.gather(table))
    backwards = {name: table[name][::-1] for name in ("message", "object")}
    assert np.array_equal(Samples(archive, rows=backwards)[:], archive.gather(table)[::-1])
    many = tgmap.open_many([path, path])
    rows = many.table(["mars.date"])
    rows = {name: column[45:] for name, column in rows.items()}
    assert Samples(many, rows=rows, **OF_STATE).labels["mars.date"].tolist() == [20240102, 20240103, 20240103]
    assert Samples(many, rows=rows, **OF_STATE).places.archive_of_each.max() == 0  # of the second archive only
    found = many.find_objects("mars.param=2t", limit=3)
    assert np.array_equal(Samples(found)[:], np.stack([each.decode() for each in found]))
    with pytest.raises(IndexError, match="rows names the object 6:0"):
        Samples(archive, rows={"message": [0, 6], "object": [0, 0]})
    with pytest.raises(IndexError, match="not selected by where"):
        Samples(archive, rows=table, where="mars.param=2t")
    as_floats = {name: np.asarray(table[name], "f8") for name in ("message", "object")}
    assert np.array_equal(Samples(archive, rows=as_floats)[:], archive.gather(table))
    for column in ([0.5], [True], [None], ["0"], [float("nan")], [2**64], np.ma.array([1], mask=[True])):
        with pytest.raises(TypeError, match="must have numbers of objects|must not be masked"):
            Samples(archive, rows={"message": column, "object": [0]})
    with pytest.raises(ValueError, match="one length"):
        Samples(archive, rows={"message": [0, 1], "object": [0]})
    for wrong in ([0, 1], {"message": [0]}, archive.table("mars.date", objects=False)):
        with pytest.raises(TypeError, match="columns 'message' and 'object'"):
            Samples(archive, rows=wrong)
    with pytest.raises(TypeError, match="column 'archive'"):
        Samples(many, rows=table)
    with pytest.raises(TypeError, match="find_objects"):
        Samples(many.find("mars.param=2t"))


def test_selected_rows_of_pandas(path):
    pandas = pytest.importorskip("pandas", reason="SKIPPED: samples of a DataFrame (pandas is not here)")
    archive = tgmap.open(path)
    frame = archive.to_pandas(["mars.param", "mars.date"])
    assert isinstance(frame, pandas.DataFrame)
    chosen = frame[(frame["mars.param"] == "z") & (frame["mars.date"] > 20240101)]
    found = Samples(archive, rows=chosen, **OF_STATE)
    assert len(found) == 4 and found.channels == [("z", 500), ("z", 1000)]


# ---- errors ------------------------------------------------------------------------------------------


def test_what_are_no_samples(path, tmp_path):
    def refused(text, source=path, error=SampleError, **options):
        with pytest.raises(error, match=text):
            Samples(source, **options)

    of_date = {"sample": ["mars.date", "mars.time"]}
    refused("era.tgm:0:0 and era.tgm:0:1 have the same mars.date=20240101, mars.time=0000; they differ in", **of_date)
    refused("'mars.param', 'mars.levelist': name such a key", **of_date)
    refused("no object has 'mars.parm'; did you mean 'mars.param'", **of_date, channel="mars.parm")
    refused(
        "era.tgm:0:0 has no 'mars.levelist', nor have 5 others; where=\"has mars.levelist\"",
        **of_date,
        channel="mars.levelist",
    )
    refused(
        r"no channel \('z', 850\) of mars.param, mars.levelist; there are \('2t', None\)",
        **OF_STATE,
        channels=[("z", 850)],
    )
    refused("is given twice", **OF_STATE, channels=[("z", 500), ("z", 500)])
    refused("no object is selected", where="mars.date=19990101")
    missing = "not (mars.date=20240102 and mars.time=1200 and mars.param=z)"
    refused(
        "2 of 30 objects are missing, such as mars.date=20240102, mars.time=1200, mars.param=z, mars.levelist=500",
        **OF_STATE,
        where=missing,
    )
    refused("incomplete='drop'", **OF_STATE, where=missing)
    refused("need sample=", error=TypeError, channel="mars.param")
    refused("needs channel=", error=TypeError, **of_date, channels=["z"])
    refused("'mars.date' is given twice", error=ValueError, sample="mars.date", channel="mars.date")
    refused("incomplete must be one of error, drop, fill", error=ValueError, incomplete="ignore")
    refused("there is no option 'chanel'", error=TypeError, chanel="mars.param")
    refused("needs a list of relative times", error=TypeError, **of_date, times="6h")
    refused("keys must be text", error=TypeError, sample=[3])
    refused("keys must be text or a list of text, not int", error=TypeError, sample=3)
    refused("channels= is empty", error=ValueError, **OF_STATE, channels=[])
    refused("is too large", **OF_STATE, times=(10**30,))
    twice = write(tmp_path / "twice.tgm", [new_object(date=20240101), new_object(date=20240101)])
    refused(
        "twice.tgm:0:0 and twice.tgm:1:0 have the same mars.date=20240101 and no key that differs",
        twice,
        sample="mars.date",
    )
    mixed = write(tmp_path / "mixed.tgm", [new_object(date=20240101), new_object(date=20240102, dtype="f8")])
    refused(
        "mixed.tgm:0:0 has the dtype float32, and mixed.tgm:1:0 has the dtype float64",
        mixed,
        ValueError,
        sample="mars.date",
    )
    assert len(Samples(mixed, where="@dtype=float64")) == 1
    shapes = write(tmp_path / "shapes.tgm", [new_object(date=20240101), new_object(date=20240102, shape=(3, 2))])
    refused(
        r"has the shape \(2, 3\), and shapes.tgm:1:0 has the shape \(3, 2\).*where='@shape=\[2,3\]'", shapes, ValueError
    )
    assert Samples(shapes, where="@shape=[3,2]").shape == (3, 2)
    with pytest.warns(tgmap.KeyWarning, match="mars.parm"), pytest.raises(SampleError):
        Samples([path, path], where="mars.parm=2t")


def test_damage_and_incomplete_messages_are_said(path, tmp_path):
    data = path.read_bytes()
    second = tgmap.open(path)[1].offset
    (tmp_path / "cut.tgm").write_bytes(data[:-100])
    with pytest.warns(SampleWarning, match="cut.tgm ends in an incomplete message, which is in no sample"):
        assert len(Samples(tmp_path / "cut.tgm", **OF_STATE)) == 5
    (tmp_path / "damaged.tgm").write_bytes(data[:second] + b"x" * 50 + data[second:])
    with pytest.warns(SampleWarning, match="damaged.tgm has 50 damaged bytes"):
        assert len(Samples(tgmap.open_many([tmp_path / "damaged.tgm"]), **OF_STATE)) == 6
    with pytest.raises(tgmap.Error, match="damaged.tgm"):
        Samples(tmp_path / "damaged.tgm", **OF_STATE)


def test_text_of_files_is_escaped(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        for name in ("\x1b[31mred", "\x1b[32mgreen"):
            out.write([tgmap.NewObject(np.zeros(2), {"name": name, "kind": "\x1b[33m"})])
    for options in ({"sample": "kind"}, {"sample": "kind", "channel": "name", "channels": ["x"]}):
        with pytest.raises(SampleError) as caught:
            Samples(tmp_path / "a.tgm", **options)
        assert "\x1b" not in str(caught.value) and "[3" in str(caught.value)


def test_integers_have_no_nan(tmp_path):
    rows = [new_object(date=20240101, param=param, dtype="i4") for param in ("2t", "q")]
    path = write(tmp_path / "a.tgm", [*rows, new_object(date=20240102, param="q", dtype="i4")])
    keys = {"sample": "mars.date", "channel": "mars.param", "incomplete": "fill"}
    with pytest.raises(SampleError, match="int32 has no NaN; pass fill="):
        Samples(path, **keys)
    found = Samples(path, **keys, fill=-9)
    assert (found[1][0] == -9).all() and np.array_equal(found[0][0], elements(code_of(20240101), dtype="i4"))


def test_casts(tmp_path):
    """Objects of several dtypes become one array, each under its label."""
    dtypes = {"2t": "f8", "q": "f4", "z": "i4"}
    cells = [(date, param) for date in (20240101, 20240102, 20240103) for param in dtypes]
    rows = [new_object(date=date, param=param, dtype=dtypes[param]) for date, param in cells[:-2]]
    path = write(tmp_path / "a.tgm", random.Random(2).sample(rows, len(rows)))
    keys = {"sample": "mars.date", "channel": "mars.param"}
    with pytest.raises(ValueError, match="or pass dtype=, which all are cast to"):
        Samples(path, **keys, incomplete="fill")
    found = Samples(path, **keys, incomplete="fill", dtype="f4")
    assert found.dtype == np.float32
    order = [2, 0, 2, 1]
    read = pickle.loads(pickle.dumps(found)).read(order)
    for i, (date, param) in itertools.product(range(4), cells):
        if (20240101, 20240102, 20240103)[order[i]] == date:
            wanted = elements(code_of(date, param=param), dtype=dtypes[param]).astype("f4")
            is_there = (date, param) in cells[:-2]
            part = read[i, list(dtypes).index(param)]
            assert np.array_equal(part, wanted) if is_there else np.isnan(part).all()
    assert (Samples(path, **keys, incomplete="fill", dtype="f8", fill=-1)[2][1:] == -1).all()
    one = Samples(path, where="mars.param=q", dtype="f8")
    assert Samples(path, where="mars.param=q", dtype=">f8").dtype.isnative
    assert one.dtype == np.float64 and np.array_equal(one[0], elements(one[0][0, 0]))
    assert np.array_equal(Samples(path, where="mars.param=z", dtype="i8")[:], Samples(path, where="mars.param=z")[:])
    for where, dtype in (
        ("mars.param=q", "i4"),
        ("mars.param=z", "i2"),
        ("mars.param=z", "u8"),
        (None, "i8"),
        (None, "U3"),
    ):
        with pytest.raises(TypeError, match="cannot be cast to .* without a change"):
            Samples(path, where=where, dtype=dtype)


def test_wrong_numbers(path):
    found = Samples(path, **OF_STATE)
    for number in (6, -7, 2**40):
        with pytest.raises(IndexError, match=f"no sample {number}; there are 6"):
            found.read([0, number])
    for wrong in ([0.5], [True], [[0]], "0"):
        with pytest.raises(TypeError, match="integers in one dimension"):
            found.read(wrong)
    with pytest.raises(TypeError, match="must not be masked"):
        found.read(np.ma.array([0, 1], mask=[True, False]))
    with pytest.raises(ValueError, match="out must have the shape"):
        found.read([0], np.empty((1, 5, 2, 4), "f4"))
    with pytest.raises(TypeError, match="out must be an array of NumPy, not list"):
        found.read([0], [])
    read_only = np.zeros((1, 5, *SHAPE), "f4")
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="out must be writable"):
        found.read([0], read_only)


# ---- reading -----------------------------------------------------------------------------------------


def test_reading_into_arrays(path):
    found = Samples(path, **OF_STATE)
    out = np.full((2, 5, *SHAPE), -1, "f4")
    assert found.read([1, 2], out) is out and np.array_equal(out, found[1:3])
    strided = np.full((2, 10, *SHAPE), -1, "f4")[:, ::2]
    assert found.read([1, 2], strided) is strided and np.array_equal(strided, found[1:3])
    assert found.read([]).shape == (0, 5, *SHAPE)


def test_statistics(path, monkeypatch):
    found = Samples(path, **OF_STATE)
    whole = found[:].astype("f8")
    for block_bytes in (64 << 20, 1):
        monkeypatch.setattr("tgmap.samples._samples._BLOCK_BYTES", block_bytes)
        for numbers in (None, [4, 1, 1]):
            of = whole if numbers is None else whole[[1, 4]]
            result = found.statistics(numbers)
            assert result.count.tolist() == [of[:, 0].size] * 5
            for name in ("mean", "std", "min", "max"):
                wanted = getattr(np, name)(of, axis=(0, 2, 3))
                np.testing.assert_allclose(getattr(result, name), wanted, rtol=1e-12, err_msg=name)
    pairs = Samples(path, **OF_STATE, times=("0h", "12h"))
    assert np.array_equal(pairs.statistics().count, found.statistics().count)  # each state once
    of_all = Samples(path).statistics()
    assert of_all.count == whole.size and of_all.mean == pytest.approx(whole.mean())
    corner = Samples(path, **OF_STATE, slab=(0, 0)).statistics()
    np.testing.assert_allclose(corner.max, whole[:, :, 0, 0].max(axis=0))


def test_statistics_of_what_is_missing(tmp_path):
    rows = [new_object(date=20240101, param=param) for param in ("2t", "q")]
    nothing = tgmap.NewObject(np.full(SHAPE, np.nan, "f4"), {"mars": {"date": 20240102, "param": "z"}}, allow_nan=True)
    path = write(tmp_path / "a.tgm", [*rows, new_object(date=20240102, param="q"), nothing])
    found = Samples(path, sample="mars.date", channel="mars.param", incomplete="fill").statistics()
    assert found.count.tolist() == [6, 12, 0]
    assert np.isnan([found.mean[2], found.std[2], found.min[2], found.max[2]]).all()
    assert found.mean[0] == elements(code_of(20240101)).mean()
    with pytest.raises(TypeError, match="no statistics of complex"):
        Samples(tgmap.encode(np.zeros(3, "c8"))).statistics()
    infinite = tgmap.encode(tgmap.NewObject(np.array([1, np.inf]), allow_infinity=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Samples(infinite).statistics().max == np.inf and np.isnan(Samples(infinite).statistics().std)
    assert Samples(tgmap.encode(np.array([1, 2, 6], "u2"))).statistics()[:3] == (
        3,
        3.0,
        pytest.approx(14**0.5 / 3**0.5),
    )


@pytest.mark.parametrize("others", [(), ("2d",), (168,), (168.5,), (b"\x01",)])
def test_labels_keep_their_types(tmp_path, others):
    """Whatever the others are."""
    objects = [tgmap.NewObject(np.zeros(2, "f4"), {"mars": {"param": each}}) for each in (167, *others)]
    path = write(tmp_path / "a.tgm", objects)
    found = Samples(path, sample="mars.param").labels["mars.param"].tolist()
    assert found[0] == 167 and type(found[0]) is (float if others == (168.5,) else int)
    assert found[1:] == (["h'01'"] if others == (b"\x01",) else list(others))
    assert Samples(path, sample="dtype", channel="mars.param").channels[0] == 167


def test_statistics_keep_digits(tmp_path):
    """Large numbers that differ little: sums of squares would have no digits left."""
    values = 1e9 + np.arange(8.0)
    path = write(tmp_path / "a.tgm", [tgmap.NewObject(values + i, {"n": i}) for i in range(3)])
    everything = np.concatenate([values + i for i in range(3)]) - 1e9
    assert Samples(path).statistics().std == pytest.approx(everything.std(), rel=1e-9)


def test_threads_share_samples(path):
    found = Samples(path, **OF_STATE)
    wanted, results = found[:], {}

    def read(seed):
        order = random.Random(seed).choices(range(6), k=30)
        results[seed] = np.array_equal(found.read(order, threads=1), wanted[order])

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert results == dict.fromkeys(range(4), True)


def test_other_processes_scan_nothing(tmp_path):
    """A worker reads the objects that it needs, and little more, however large the archive is."""
    dates = [20240101 + 100 * month + day for month in range(12) for day in range(28)]
    path = training_set(tmp_path / "a.tgm", dates)
    found = Samples(path, **OF_STATE)
    in_memory = Samples(training_set(tmp_path / "b.tgm").read_bytes(), **OF_STATE)
    (tmp_path / "samples.pickle").write_bytes(pickle.dumps((in_memory, found)))
    code = """
import pickle, sys
in_memory, samples = pickle.load(open(sys.argv[1], "rb"))
in_memory.read([0])  # loads modules
def count():
    return int(open("/proc/self/io").read().split()[1])
before = count()
found = samples.read([600, 3])
print(count() - before, float(found.sum()))
"""
    call = [sys.executable, "-c", code, str(tmp_path / "samples.pickle")]
    read, total = subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()
    assert float(total) == float(found.read([600, 3]).sum())
    assert int(read) < path.stat().st_size / 20  # 2 of 672 messages, and the pages around them


def test_more_archives_than_files_may_be_open(tmp_path):
    for i in range(320):
        write(tmp_path / f"{i:03}.tgm", [new_object(date=20240101 + i)])
    code = """
import resource, sys
from tgmap.samples import Samples
resource.setrlimit(resource.RLIMIT_NOFILE, (290, 290))
samples = Samples(sys.argv[1], sample="mars.date", max_open=20)
found = [samples.read(range(i, i + 16)) for i in range(0, 320, 16)]
print(len(samples), *(each[:, 0, 0].sum() for each in found))
"""
    call = [sys.executable, "-c", code, str(tmp_path / "*.tgm")]
    count, *sums = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    wanted = np.array([elements(code_of(20240101 + i))[0, 0] for i in range(320)]).reshape(20, 16).sum(axis=1)
    assert count == "320" and [float(each) for each in sums] == wanted.tolist()


def test_pickles_are_small(tmp_path):
    dates = [20240101 + 100 * month + day for month in range(12) for day in range(28)]
    path = training_set(tmp_path / "a.tgm", dates)
    found = Samples(path, **OF_STATE)
    objects = len(found) * 5
    assert len(found.places) == objects
    assert len(pickle.dumps(found.places)) < objects
    assert len(pickle.dumps(found)) < objects + 40 * len(found)


def test_a_file_that_changes_is_an_error(tmp_path):
    path = training_set(tmp_path / "a.tgm")
    found = Samples(path, **OF_STATE)
    token = found.token()
    assert token == Samples(path, **OF_STATE).token() != Samples(path, **OF_STATE, slab=0).token()
    pickled = pickle.dumps(found)
    training_set(path, dates=(20250101, 20250102, 20250103, 20250104))
    for each in (found, pickle.loads(pickled)):
        with pytest.raises(tgmap.ChangedFileError, match="a.tgm"):
            each.read([0])
    assert Samples(path, **OF_STATE).token() != token
