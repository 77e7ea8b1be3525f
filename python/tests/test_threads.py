# SPDX-License-Identifier: Apache-2.0
"""Threads, and processes that are forked after threads have run."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from archives import field, write_fields

import tgmap

COUNT = 400


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_fields(tmp_path_factory.mktemp("threads") / "a.tgm", COUNT, filter="shuffle", compression="zstd")


def work(archive, seed):
    """Read the archive in several ways, in an order that depends on the seed. Return what is wrong."""
    random = np.random.default_rng(seed)
    numbers = random.permutation(COUNT)
    wrong = 0
    for i in numbers[:100].tolist():
        wrong += not np.array_equal(archive[i][0].decode(threads=2), field(i))
    out = archive.gather(numbers, threads=2)
    wrong += not np.array_equal(out[:, 0, 0], 100.0 * numbers)
    table = archive.table(["mars.param", "x"], where=f"x<{seed + 10}")
    wrong += len(table) != 2 * (seed + 10)
    wrong += table["x"].tolist() != [i / 2 for i in range(len(table))]
    return wrong


def test_eight_threads_share_an_archive(path):
    archive = tgmap.open(path, index="none")
    barrier = threading.Barrier(8)

    def run(seed):
        barrier.wait()
        return work(archive, seed)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(8))) == [0] * 8


def test_eight_threads_make_one_table(path):
    table = tgmap.open(path).table(["mars.param", "x"])
    with ThreadPoolExecutor(8) as pool:
        columns = list(pool.map(lambda _: table["mars.param"].tolist(), range(32)))
    assert all(each == columns[0] for each in columns) and len(columns[0]) == COUNT


def in_child(run):
    """Return the exit status of a forked process that runs this and has a minute."""
    pid = os.fork()
    if pid == 0:
        status = 99
        try:
            import signal

            signal.alarm(60)
            status = run()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    return status


def test_fork_after_threads_have_run(path):
    archive = tgmap.open(path)
    assert work(archive, 1) == 0
    assert in_child(lambda: work(archive, 2) + work(tgmap.open(path), 3)) == 0
    assert work(archive, 4) == 0


def test_fork_while_threads_run(path):
    archive = tgmap.open(path)
    stop = threading.Event()

    def loop():
        while not stop.is_set():
            work(archive, 5)

    threads = [threading.Thread(target=loop) for _ in range(2)]
    for each in threads:
        each.start()
    try:
        assert [in_child(lambda: work(tgmap.open(path), 6)) for _ in range(3)] == [0, 0, 0]
    finally:
        stop.set()
        for each in threads:
            each.join()
