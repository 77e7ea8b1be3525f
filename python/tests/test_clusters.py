# SPDX-License-Identifier: Apache-2.0
"""Cubes on a cluster of processes. TGMAP_TEST_ROUNDS=all, as `./dev nightly clusters` sets it, takes all fields."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pickle
import time

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: clusters (xarray is not here)")
pytest.importorskip("dask", reason="SKIPPED: clusters (dask is not here)")
distributed = pytest.importorskip("distributed", reason="SKIPPED: clusters (distributed is not here)")

import dask  # noqa: E402
import dask.bag  # noqa: E402
from cube_archives import elements, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
from tgmap.datasets._backend import TgmapBackendEntrypoint  # noqa: E402

ALL = os.environ.get("TGMAP_TEST_ROUNDS") == "all"
MEMBERS, STEPS, LEVELS = (10, 50, 20) if ALL else (4, 25, 5)
SHAPE = (40, 64)
ONLY_ALL = pytest.mark.skipif(not ALL, reason="SKIPPED: more of clusters (TGMAP_TEST_ROUNDS=all runs it)")


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, memory_limit="1GiB") as cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        client.run(load_modules)
        yield client


def load_modules():
    import dask.array  # noqa: F401
    import xarray  # noqa: F401

    import tgmap.datasets._chunks  # noqa: F401


def field(number):
    return np.full(SHAPE, number, dtype="f4")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """An archive of many fields, whose first message is none of them."""
    out_path = tmp_path_factory.mktemp("clusters") / "many.tgm"
    with tgmap.create(out_path) as out:
        out.write([tgmap.NewObject(np.zeros(3), {"name": "first"})])
        for number in range(MEMBERS * STEPS * LEVELS):
            member, step, level = np.unravel_index(number, (MEMBERS, STEPS, LEVELS))
            keys = {"param": "t", "levtype": "ml", "number": int(member), "step": int(step), "levelist": int(level) + 1}
            out.write([tgmap.NewObject(field(number), {"mars": keys})])
    return out_path


def state():
    """Return what a worker has: mappings and descriptors of archives, how often it opened one, resident bytes, and the
    most of them so far."""
    with open("/proc/self/maps") as maps:
        mapped = sum(line.rstrip().endswith(".tgm") for line in maps)
    opened = 0
    for number in os.listdir("/proc/self/fd"):
        try:
            opened += os.readlink(f"/proc/self/fd/{number}").endswith(".tgm")
        except OSError:
            pass
    with open("/proc/self/statm") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    with open("/proc/self/status") as status:
        (peak,) = [int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:")]
    opens = tgmap._core._archive_cache()[1]
    return {"mapped": mapped, "opened": opened, "opens": opens, "resident": resident, "peak": peak}


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def spoil_first_message(path):
    """Overwrite the beginning of an archive, so that nobody can scan it, and keep the size and time of the file."""
    status = os.stat(path)
    with open(path, "r+b") as file:
        content = file.read(48)
        file.seek(0)
        file.write(b"\xff" * 48)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return content


OPENED = {
    "to_dataset": lambda path: tgmap.to_dataset(path, where="mars.param=t", chunks={"number": 1}),
    "open_dataset": lambda path: xarray.open_dataset(
        [path], engine=TgmapBackendEntrypoint, where="mars.param=t", chunks={"number": 1}
    ),
}


@pytest.mark.parametrize("how", OPENED)
@pytest.mark.filterwarnings("ignore:The specified chunks separate")
def test_a_reduction(client, path, how):
    """Workers scan nothing, map nothing, keep one descriptor open, and need the memory of a chunk."""
    status = os.stat(path)
    found = OPENED[how](path)["t"]
    count = MEMBERS * STEPS * LEVELS
    assert found.sizes == {"number": MEMBERS, "step": STEPS, "levelist": LEVELS, "y": 40, "x": 64}
    mean = found.mean(("step", "levelist", "y", "x"))
    assert len(pickle.dumps(mean.data.__dask_graph__())) < count + 1000 * (MEMBERS + 20)
    client.run(forget_peak)
    before = client.run(state)
    content = spoil_first_message(path)
    try:
        means = mean.compute().values
    finally:
        with open(path, "r+b") as file:
            file.write(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    each = STEPS * LEVELS
    np.testing.assert_allclose(means, np.arange(MEMBERS) * each + (each - 1) / 2, rtol=1e-5)
    after = client.run(state)
    chunk = each * int(np.prod(SHAPE)) * 4
    assert sum(found["opened"] for found in after.values()) >= 1
    for worker, found in after.items():
        assert found["mapped"] == 0 and found["opened"] <= 1 and found["opens"] - before[worker]["opens"] <= 1
        assert found["peak"] - before[worker]["resident"] < 2.5 * chunk + (8 << 20)
        assert found["resident"] - before[worker]["resident"] < chunk + (8 << 20)


def test_a_file_that_changes_under_a_job(client, tmp_path):
    rows = product(param="t", step=[0, 6])
    path = write(tmp_path / "c.tgm", rows)
    found = tgmap.to_dataset(path, chunks={"step": 1})["t"]
    status = os.stat(path)
    write(path, rows)
    os.utime(path, ns=(status.st_mtime_ns + 1, status.st_mtime_ns + 1))
    with pytest.raises(tgmap.ChangedFileError) as caught:
        found.sum().compute()
    for text in ("c.tgm", str(status.st_mtime_ns), str(status.st_mtime_ns + 1)):
        assert text in str(caught.value)


def test_a_dataset_without_chunks_is_sent_to_workers(client, tmp_path):
    path = write(tmp_path / "c.tgm", product(param="t", step=[0, 6]))
    found = tgmap.to_dataset(path)
    assert client.submit(lambda cube: float(cube["t"].isel(step=1).mean()), found).result() == elements(1).mean()


def test_writing_and_appending(client, tmp_path):
    source = write(tmp_path / "a.tgm", product(param=["t", "u"], step=[0, 6, 12], levelist=[500, 850]))
    folder = tmp_path / "written"
    folder.mkdir()
    whole = tgmap.to_dataset(source, chunks={"step": 1, "levelist": 1})
    (whole * 2).tgm.to_tgm(folder / "b.tgm")
    xarray.testing.assert_equal(tgmap.to_dataset(folder / "b.tgm"), (whole * 2).compute())
    future = client.compute(whole.tgm.to_tgm(folder / "b.tgm", compute=False))
    assert future.result() is None
    later = whole.assign_coords(step=whole["step"] + np.timedelta64(24, "h"))
    later.tgm.to_tgm(folder / "b.tgm", append_dim="step")
    xarray.testing.assert_equal(tgmap.to_dataset(folder / "b.tgm"), xarray.concat([whole, later], "step").compute())
    before = (folder / "b.tgm").read_bytes()
    broken = whole.map(lambda each: each.copy(data=each.data.map_blocks(fail_somewhere, dtype="f4", meta=np.empty(0))))
    with pytest.raises(RuntimeError, match="broken"):
        broken.tgm.to_tgm(folder / "b.tgm")
    for compute in (True, False):
        with pytest.raises((TypeError, tgmap.Error), match="nothing"):
            written = whole.tgm.to_tgm(folder / "b.tgm", pipeline={"nothing": 1}, compute=compute)
            client.compute(written).result()
    assert os.listdir(folder) == ["b.tgm"] and (folder / "b.tgm").read_bytes() == before


def fail_somewhere(block, block_id=()):
    if block_id[0] == 2:
        raise RuntimeError("broken")
    return block


def sum_of(part):
    """Return the sum of the first elements of a part of an archive."""
    return sum(float(message[0].array.flat[0]) for message in part)


def test_parts_of_archives(client, tmp_path):
    """Bags, delayed calls and futures take the parts of an archive."""
    path = write(tmp_path / "c.tgm", product(param="t", step=list(range(20))))
    parts = tgmap.open(path).partition(4)
    expected = sum(elements(i)[0, 0] for i in range(20))
    assert dask.bag.from_sequence(parts, npartitions=4).map(sum_of).sum().compute() == expected
    assert sum(dask.compute(*(dask.delayed(sum_of)(part) for part in parts))) == expected
    assert sum(client.gather(client.map(sum_of, parts))) == expected


@ONLY_ALL
def test_parts_in_a_pool_of_processes(tmp_path):
    path = write(tmp_path / "c.tgm", product(param="t", step=list(range(20))))
    parts = tgmap.open(path).partition(4)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert sum(pool.map(sum_of, parts)) == sum(elements(i)[0, 0] for i in range(20))


@ONLY_ALL
def test_few_of_many_files_stay_open(client, tmp_path):
    for step in range(600):
        write(tmp_path / f"{step:03}.tgm", [{"param": "t", "step": step, "_values": elements(step)}])
    found = tgmap.to_dataset(str(tmp_path / "*.tgm"), chunks={"step": 300})["t"]
    assert float(found.astype("f8").sum().compute()) == sum(float(elements(step).sum()) for step in range(600))
    found = client.run(state).values()
    assert max(each["opened"] for each in found) <= 256 and sum(each["opens"] for each in found) >= 600


@ONLY_ALL
def test_threads(path):
    """In one process threads share descriptors."""
    found = OPENED["to_dataset"](path)["t"]
    with dask.config.set(scheduler="threads", num_workers=4):
        begin = time.process_time()
        assert float(found.max().compute()) == MEMBERS * STEPS * LEVELS - 1
    print(f"{time.process_time() - begin:.2f} s of CPU in threads")
