# SPDX-License-Identifier: Apache-2.0
"""Random cubes read through Zarr: each value is that of its label."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tgmap

pytest.importorskip("zarr", reason="SKIPPED: random cubes read through Zarr (zarr is not here)")
xarray = pytest.importorskip("xarray", reason="SKIPPED: random cubes read through Zarr (xarray is not here)")

from tgmap.references import ArchiveStore  # noqa: E402

PIPELINES = (
    {},
    {"byte_order": "big"},
    {"compression": "zstd"},
    {"filter": "shuffle", "compression": "lz4"},
    {"encoding": "simple_packing", "bits": 24},
)


def value_of(labels):
    """Return a number that says which labels an object has, and is packed without a loss."""
    number, step, level = labels
    return 10000 * number + 100 * step + level


def random_cube(random, folder):
    """Write objects of random labels in random order into some archives, and return paths and labels."""
    numbers = sorted(random.choice(9, random.integers(1, 4), replace=False).tolist())
    steps = sorted(random.choice(30, random.integers(1, 5), replace=False).tolist())
    levels = sorted((1 + random.choice(50, random.integers(1, 5), replace=False)).tolist())
    labels = list(itertools.product(numbers, steps, levels))
    kept = [each for each in labels if random.random() > 0.1 * (random.random() > 0.5)] or labels
    random.shuffle(kept)
    paths = [folder / f"{i}.tgm" for i in range(random.integers(1, 4))]
    shape = tuple(random.integers(1, 5, 2).tolist())
    for path, part in zip(paths, np.array_split(np.arange(len(kept)), len(paths))):
        with tgmap.create(path) as out:
            for i in part.tolist():
                number, step, level = kept[i]
                keys = {"date": 20240101, "time": "0000", "levtype": "pl", "param": "q", "type": "pf"}
                keys |= {"number": number, "step": step, "levelist": level}
                array = value_of(kept[i]) + np.arange(np.prod(shape), dtype="f8").reshape(shape) / 16
                pipeline = PIPELINES[random.integers(len(PIPELINES))]
                out.write([tgmap.NewObject(array, {"mars": keys}, **pipeline)])
    return [path for path in paths if len(tgmap.open(path))], set(kept), shape


def check_labels(found, kept, shape):
    """Compare each value with its labels, and count those that are missing."""
    array = found["q"].transpose("number", "step", "levelist", ...)
    hours = (array["step"].values / np.timedelta64(1, "h")).astype(int).tolist()
    missing = 0
    for i, number in enumerate(array["number"].values.tolist()):
        for j, step in enumerate(hours):
            for k, level in enumerate(array["levelist"].values.tolist()):
                values = array.values[i, j, k]
                if (number, step, level) in kept:
                    expected = value_of((number, step, level)) + np.arange(np.prod(shape)).reshape(shape) / 16
                    assert np.abs(values - expected).max() < 0.01
                else:
                    assert np.isnan(values).all()
                    missing += 1
    assert missing == int(np.prod(array.shape[:3])) - len(kept)


@pytest.mark.parametrize("seed", range(12))
def test_random_cubes(tmp_path, seed):
    random = np.random.default_rng(seed)
    paths, kept, shape = random_cube(random, tmp_path)
    options = {"allow_holes": True, "ensure_dims": ["number", "step", "levelist"]}
    sizes = {dim: int(random.integers(1, 4)) for dim in ("number", "step", "levelist", "y") if random.random() < 0.5}
    store = ArchiveStore(paths, chunks=sizes, **options)
    check_labels(xarray.open_zarr(store, chunks=None), kept, shape)
    check_labels(xarray.open_zarr(ArchiveStore(paths, **options), chunks=None), kept, shape)
    try:
        from tgmap.references import manifest_store
    except ModuleNotFoundError as error:
        print(f"SKIPPED: random cubes read by references ({error.name} is not here)")
        return
    references = manifest_store(paths, native=bool(seed % 2), **options)
    found = xarray.open_dataset(references, engine="zarr", consolidated=False, zarr_format=3)
    check_labels(found, kept, shape)
