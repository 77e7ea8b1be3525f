# SPDX-License-Identifier: Apache-2.0
"""Archives as datasets of PyTorch."""

from __future__ import annotations

import pickle
import random
import re
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="SKIPPED: datasets of PyTorch (torch is not here)")

from sample_archives import SHAPE, training_set, write  # noqa: E402
from torch.utils.data import BatchSampler, DataLoader, Subset, random_split  # noqa: E402
from torch.utils.data.distributed import DistributedSampler  # noqa: E402
from torch_parts import Counting, fail, halve_in_place, mean_of, open_archives, pair  # noqa: E402

import tgmap  # noqa: E402
import tgmap.torch  # noqa: E402
from tgmap.samples import Samples  # noqa: E402
from tgmap.torch import collate  # noqa: E402

OF_STATE = {"sample": ["mars.date", "mars.time"], "channel": ["mars.param", "mars.levelist"]}
METHODS = ("fork", "spawn", "forkserver")
DATES = tuple(range(20240101, 20240106))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return training_set(tmp_path_factory.mktemp("torch") / "era.tgm", DATES)


@pytest.fixture
def dataset(path):
    return tgmap.torch.Dataset(path, **OF_STATE)


@pytest.fixture(scope="module")
def whole(path):
    """All samples, read by NumPy."""
    return torch.from_numpy(Samples(path, **OF_STATE)[:])


def test_samples_are_tensors_of_their_own(dataset, whole):
    assert isinstance(dataset, torch.utils.data.Dataset) and len(dataset) == 10
    assert repr(dataset) == "<Dataset of 10 samples of torch.float32 (5, 2, 3)>"
    assert dataset.shape == torch.Size((5, *SHAPE)) and dataset.dtype == torch.float32
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # that of tensors of read-only arrays
        sample = dataset[3]
        assert torch.equal(sample, whole[3])
        sample.zero_()
    assert torch.equal(dataset[3], whole[3])
    assert torch.equal(dataset[-1], whole[9]) and torch.equal(dataset[torch.tensor(2)], whole[2])
    assert torch.equal(dataset[[7, 2, 7]], whole[[7, 2, 7]]) and torch.equal(dataset[2:9:3], whole[2:9:3])
    assert dataset[[]].shape == (0, 5, *SHAPE)
    with pytest.raises(IndexError, match="no sample 10; there are 10"):
        dataset[10]
    assert len(list(dataset)) == 10


def test_a_batch_is_one_gather(dataset, whole, monkeypatch):
    from tgmap.samples import _samples

    calls = []
    gather = _samples.gather
    monkeypatch.setattr(
        _samples, "gather", lambda places, **options: calls.append(len(places)) or gather(places, **options)
    )
    batches = list(DataLoader(dataset, batch_size=4, collate_fn=collate))
    assert calls == [20, 20, 10]
    assert torch.equal(torch.cat(batches), whole)


def test_nothing_is_copied_after_reading(dataset):
    batch = dataset.__getitems__([4, 1])
    assert len(batch) == 2 and batch[0].data_ptr() == batch.whole.data_ptr()
    assert collate(batch) is batch.whole
    assert torch.equal(torch.utils.data.default_collate(batch), batch.whole)  # without our collate it is copied
    assert torch.equal(collate([batch[1], batch[0]]), batch.whole.flip(0))  # a list of others


def test_transforms(path, whole):
    halved = tgmap.torch.Dataset(path, **OF_STATE, transform=halve_in_place)
    assert torch.equal(halved[2], whole[2] / 2)
    batch = halved.__getitems__([2, 5])
    assert collate(batch) is batch.whole and torch.equal(batch.whole, whole[[2, 5]] / 2)
    means = tgmap.torch.Dataset(path, **OF_STATE, transform=mean_of)
    (found,) = DataLoader(means, batch_size=10, collate_fn=collate)
    assert torch.equal(found, torch.stack([each.mean() for each in whole]))
    pairs = tgmap.torch.Dataset(path, **OF_STATE, transform=pair)
    (found,) = DataLoader(pairs, batch_size=10, collate_fn=collate)
    assert torch.equal(found["input"], whole[:, :-1]) and torch.equal(found["target"], whole[:, -1])


def test_numbers_of_samples(path, whole):
    numbered = tgmap.torch.Dataset(path, **OF_STATE, indices=True)
    assert numbered[-1][1] == 9 and torch.equal(numbered[-1][0], whole[9])
    generator = torch.Generator().manual_seed(1)
    seen = []
    for batch_collate in (collate, None):
        for batch, numbers in DataLoader(
            numbered, batch_size=4, shuffle=True, generator=generator, collate_fn=batch_collate
        ):
            assert torch.equal(batch, whole[numbers])
            seen += numbers.tolist()
    assert sorted(seen) == sorted([*range(10)] * 2) and seen[:10] != [*range(10)]
    dates = numbered.samples.labels["mars.date"][seen[:3]]
    assert dates.tolist() == [DATES[i // 2] for i in seen[:3]]


def test_times(path, whole):
    dataset = tgmap.torch.Dataset(path, **OF_STATE, times=("-12h", "0h", "12h"))
    assert dataset.shape == (3, 5, *SHAPE) and len(dataset) == 8
    (batch,) = DataLoader(dataset, batch_size=8, collate_fn=collate)
    assert torch.equal(batch, torch.stack([whole[i : i + 3] for i in range(8)]))


# ---- dtypes ------------------------------------------------------------------------------------------

STORED = "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 c8 c16 >i2 >u4 >f4 >f8 >c8".split()


@pytest.mark.parametrize("stored", STORED)
def test_dtypes(stored):
    values = np.array([[0, 1, 5], [100, 7, 2]]).astype(stored)
    if values.dtype.kind == "u":
        values[1, 1] = np.iinfo(values.dtype).max
    dataset = tgmap.torch.Dataset(tgmap.encode(values))
    native = values.astype(values.dtype.newbyteorder("="))
    assert dataset.dtype == tgmap.torch.torch_dtype(values.dtype) == getattr(torch, native.dtype.name)
    assert np.array_equal(dataset[0].numpy(), native)
    assert np.array_equal(dataset[[0, 0]].numpy(), [native, native])


def test_bits_become_bool(tmp_path):
    bits = np.array([[True, False, True], [False, False, True]])
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(bits, dtype="bitmask")])
    dataset = tgmap.torch.Dataset(tmp_path / "a.tgm")
    assert dataset.dtype == torch.bool and np.array_equal(dataset[0].numpy(), bits)
    assert tgmap.torch.Dataset(tmp_path / "a.tgm", dtype=torch.float32)[0].tolist() == bits.astype("f4").tolist()


def bfloat16_file(path):
    numbers = torch.tensor([[0.0, 1.5], [float("nan"), -3e38]], dtype=torch.bfloat16)
    with tgmap.create(path) as out:
        out.write([tgmap.NewObject(numbers.view(torch.int16).numpy().view("V2"), dtype="bfloat16", allow_nan=True)])
    return numbers


def test_bfloat16(tmp_path):
    numbers = bfloat16_file(tmp_path / "a.tgm")
    found = tgmap.torch.Dataset(tmp_path / "a.tgm")[0]
    assert found.dtype == torch.bfloat16 and torch.equal(found.view(torch.int16), numbers.view(torch.int16))
    wide = tgmap.torch.Dataset(tmp_path / "a.tgm", dtype=torch.float64)[0]
    assert torch.equal(wide.nan_to_num(7), numbers.double().nan_to_num(7))


def test_bfloat16_without_ml_dtypes(tmp_path):
    bfloat16_file(tmp_path / "a.tgm")
    code = """
import sys
sys.modules["ml_dtypes"] = None
import torch, tgmap.torch
found = tgmap.torch.Dataset(sys.argv[1])[0]
print(found.dtype, found[0].tolist(), tgmap.torch.Dataset(sys.argv[1], dtype=torch.float32)[0][0].tolist())
"""
    call = [sys.executable, "-c", code, str(tmp_path / "a.tgm")]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stdout == "torch.bfloat16 [0.0, 1.5] [0.0, 1.5]\n"


def test_casts(path, whole):
    dataset = tgmap.torch.Dataset(path, **OF_STATE, dtype=torch.bfloat16)
    assert torch.equal(dataset[:], whole.to(torch.bfloat16))
    assert torch.equal(tgmap.torch.Dataset(path, **OF_STATE, dtype=torch.float64)[:], whole.double())
    swapped = Samples(path, **OF_STATE, dtype=">f8")
    assert torch.equal(tgmap.torch.Dataset(swapped)[:], whole.double())  # tensors have one byte order
    unsigned = tgmap.encode(np.array([0, 65535], "u2"))
    assert tgmap.torch.Dataset(unsigned, dtype=torch.int32)[0].tolist() == [0, 65535]
    assert tgmap.torch.Dataset(unsigned, dtype=torch.float32)[0].tolist() == [0, 65535]
    for source, dtype in ((unsigned, torch.int16), (unsigned, torch.bool), (tgmap.encode(np.zeros(2)), torch.int64)):
        with pytest.raises(TypeError, match=f"cannot be cast to {str(dtype)[6:]} without a change"):
            tgmap.torch.Dataset(source, dtype=dtype)
        with pytest.raises(TypeError, match=f"cannot be cast to {dtype} without a change"):
            tgmap.torch.Dataset(Samples(source), dtype=dtype)
    assert tgmap.torch.Dataset(Samples(unsigned), dtype=torch.int64)[0].tolist() == [0, 65535]
    with pytest.raises(TypeError, match="no elements of torch.qint8"):
        tgmap.torch.Dataset(unsigned, dtype=torch.qint8)
    with pytest.raises(
        TypeError, match="has no tensors of complex256|has no tensors of longdouble|has no tensors of clongdouble"
    ):
        tgmap.torch.torch_dtype(np.dtype(np.clongdouble))


# ---- memory ------------------------------------------------------------------------------------------


def test_reading_into_a_tensor(dataset, whole):
    out = torch.full((2, 5, *SHAPE), -1.0)
    version = out._version
    assert dataset.read([3, 1], out) is out and torch.equal(out, whole[[3, 1]])
    assert out._version > version  # as after any other change in place, so that backward() notices
    with torch.inference_mode():
        made = torch.empty(2, 5, *SHAPE)
        assert torch.equal(dataset.read([3, 1], made), whole[[3, 1]]) and torch.equal(dataset[3], whole[3])
    strided = torch.full((2, 10, *SHAPE), -1.0)
    assert torch.equal(dataset.read([3, 1], strided[:, ::2]), whole[[3, 1]]) and (strided[:, 1::2] == -1).all()
    for wrong in (
        torch.empty(1, 5, *SHAPE),
        torch.empty(2, 5, *SHAPE).double(),
        torch.empty(2, 5, *SHAPE, device="meta"),
    ):
        with pytest.raises(ValueError, match="out must have the shape .* on the CPU"):
            dataset.read([3, 1], wrong)
    negative = torch._neg_view(torch.empty(2, 5, *SHAPE))
    assert torch.equal(dataset.read([3, 1], negative), whole[[3, 1]])
    with pytest.raises(RuntimeError, match="single memory location"):
        dataset.read([3, 1], torch.empty(1, 1, 1, 1).expand(2, 5, *SHAPE))
    leaf = torch.zeros(2, 5, *SHAPE, requires_grad=True)
    with pytest.raises(ValueError, match="requires gradients"):
        dataset.read([3, 1], leaf)
    assert not leaf.any()
    with torch.no_grad():
        assert torch.equal(dataset.read([3, 1], leaf), whole[[3, 1]])
    with pytest.raises(TypeError, match="out must be a tensor, not ndarray"):
        dataset.read([3, 1], np.empty((2, 5, *SHAPE), "f4"))


def test_wrong_numbers(dataset):
    for wrong in (0.5, True, None, "0", torch.tensor(True), np.arange(10) > 3, [[0, 1]], [0.0]):
        with pytest.raises(TypeError, match="integers in one dimension"):
            dataset[wrong]
    with pytest.raises(TypeError, match="must not be masked"):
        dataset[np.ma.array([0, 1], mask=[True, False])]


@pytest.mark.parametrize(
    ("given", "is_in_use", "expected"),
    [(None, True, True), (None, False, False), (False, True, False), (True, False, True)],
)
def test_memory_is_pinned_if_cuda_is_in_use(given, is_in_use, expected, path, monkeypatch):
    asked = []
    made = torch.empty
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: is_in_use)
    monkeypatch.setattr(
        torch, "empty", lambda *size, pin_memory=False, **more: asked.append(pin_memory) or made(*size, **more)
    )
    tgmap.torch.Dataset(path, **OF_STATE, pin_memory=given)[0]
    assert asked == [expected]


def test_pinned_memory(path, whole):
    if not torch.cuda.is_available():
        pytest.skip("SKIPPED: pinned memory (CUDA is not here)")
    batch = tgmap.torch.Dataset(path, **OF_STATE, pin_memory=True)[:]
    assert batch.is_pinned() and torch.equal(batch, whole)


# ---- samplers ----------------------------------------------------------------------------------------


def test_samplers(dataset, whole):
    loader = DataLoader(dataset, sampler=BatchSampler(range(9, -1, -1), 3, drop_last=False), batch_size=None)
    assert torch.equal(torch.cat(list(loader)), whole.flip(0))  # a batch is what a list of numbers gives
    part = Subset(dataset, [8, 2, 4])
    assert torch.equal(torch.cat(list(DataLoader(part, batch_size=2, collate_fn=collate))), whole[[8, 2, 4]])
    parts = random_split(dataset, [7, 3], torch.Generator().manual_seed(3))
    for each in parts:
        assert torch.equal(torch.cat(list(DataLoader(each, batch_size=2, collate_fn=collate))), whole[each.indices])
    both = torch.utils.data.ConcatDataset([dataset, part])
    assert torch.equal(
        torch.cat(list(DataLoader(both, batch_size=6, collate_fn=collate))), torch.cat([whole, whole[[8, 2, 4]]])
    )


def test_distributed_samplers_and_epochs(path):
    dataset = tgmap.torch.Dataset(path, **OF_STATE, indices=True)
    orders = []
    for epoch in range(2):
        of_ranks = []
        for rank in range(2):
            sampler = DistributedSampler(dataset, num_replicas=2, rank=rank, seed=5)
            sampler.set_epoch(epoch)
            loader = DataLoader(dataset, batch_size=2, sampler=sampler, collate_fn=collate)
            of_ranks.append([i for _, numbers in loader for i in numbers.tolist()])
        assert sorted([*of_ranks[0], *of_ranks[1]]) == list(range(10))
        orders.append(of_ranks)
    assert orders[0] != orders[1]


# ---- workers -----------------------------------------------------------------------------------------


def loader_of(dataset, method, **options):
    options = {"batch_size": 3, "num_workers": 2, "collate_fn": collate, **options}
    return DataLoader(dataset, multiprocessing_context=method, timeout=100, **options)


@pytest.mark.parametrize("method", METHODS)
def test_workers(method, tmp_path):
    """Workers read what they need, hold each file open once, and give batches in shared memory."""
    dates = [20240101 + 100 * month + day for month in range(6) for day in range(28)]
    paths = [training_set(tmp_path / f"{i}.tgm", dates[i::3], shape=(30, 40)) for i in range(3)]
    dataset = tgmap.torch.Dataset(paths, **OF_STATE)
    whole = dataset[:]
    order = random.Random(1).choices(range(len(dataset)), k=8)
    loader = loader_of(dataset, method, sampler=order, persistent_workers=True, num_workers=1)
    for _ in range(2):  # epochs
        batches = list(loader)
        assert [each.is_shared() for each in batches] == [True] * 3
        assert torch.equal(torch.cat(batches), whole[order])
    batches[0].zero_()  # it is the receiver's own
    del loader
    (found,) = loader_of(Counting(dataset), method, sampler=order, num_workers=1, batch_size=8)
    read, opened, is_shared, worker = found[0].tolist()
    inherited = open_archives() if method == "fork" else 0
    assert is_shared and worker == 0 and opened <= inherited + 3
    assert batches[0].nbytes < read < sum(each.stat().st_size for each in paths) / 20


def test_workers_of_fork_and_parents_share_nothing_that_moves(dataset, whole):
    """The parent reads before, while and after its children do."""
    assert torch.equal(dataset[0], whole[0])
    loader = iter(loader_of(dataset, "fork", batch_size=2, persistent_workers=True))
    for i, batch in enumerate(loader):
        assert torch.equal(batch, whole[2 * i : 2 * i + 2]) and torch.equal(dataset[9 - i], whole[9 - i])


def test_default_collate_in_workers(dataset, whole):
    assert torch.equal(torch.cat(list(loader_of(dataset, "fork", collate_fn=None))), whole)


def test_worker_init(dataset, whole, tmp_path):
    def init(number):
        (tmp_path / str(number)).write_text(f"{torch.initial_seed()} {tgmap.__version__}")

    batches = list(loader_of(dataset, "fork", worker_init_fn=init))
    assert torch.equal(torch.cat(batches), whole)
    seeds = {(tmp_path / str(i)).read_text() for i in range(2)}
    assert len(seeds) == 2


def error_of_worker(kind, dataset, **options):
    """Return the text of the error that a worker gives its parent."""
    try:
        list(loader_of(dataset, "fork", num_workers=1, **options))
    except kind as error:
        traceback.clear_frames(error.__traceback__)  # they keep the loader; later it would wait for seconds to end
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


def test_errors_of_workers_say_what_is_wrong(tmp_path, dataset):
    path = training_set(tmp_path / "gone.tgm")
    changed = tgmap.torch.Dataset(path, **OF_STATE)
    training_set(path, (20250101, 20250102))

    assert re.search("gone.tgm.*has changed", error_of_worker(tgmap.ChangedFileError, changed))
    failing = tgmap.torch.Dataset(dataset.samples, transform=fail)
    assert "the transform has failed" in error_of_worker(LookupError, failing)
    assert "no sample 10; there are 10" in error_of_worker(IndexError, dataset, sampler=[3, 10])
    path.unlink()
    with pytest.raises(FileNotFoundError, match="gone.tgm"):
        changed[0]


def test_damage_is_named(tmp_path):
    """A payload that cannot be decoded: the error has the place of its object."""
    path = tmp_path / "damaged.tgm"
    with tgmap.create(path) as out:
        for i in range(3):
            out.write([tgmap.NewObject(np.arange(5000.0) % 7 + i, {"n": i}, compression="zstd")])
    data = bytearray(path.read_bytes())
    archive = tgmap.open(bytes(data))
    begin = archive[1][0].payload_offset
    data[begin : begin + 8] = bytes(8)
    path.write_bytes(data)
    dataset = tgmap.torch.Dataset(path)
    assert dataset[0][1] == 1 and dataset[2][1] == 3
    assert "damaged.tgm" in error_of_worker(tgmap.Error, dataset)


# ---- the rest ----------------------------------------------------------------------------------------


def test_pickles(path, whole):
    dataset = tgmap.torch.Dataset(path, **OF_STATE, transform=halve_in_place, dtype=torch.float64, indices=True)
    again = pickle.loads(pickle.dumps(dataset))
    assert torch.equal(again[4][0], whole[4].double() / 2) and again.dtype == torch.float64
    assert len(pickle.dumps(dataset)) < 5000


def test_samples_that_are_made_already(path, whole):
    samples = Samples(path, **OF_STATE)
    assert tgmap.torch.Dataset(samples).samples is samples
    with pytest.raises(TypeError, match="the samples are made; pass where to Samples"):
        tgmap.torch.Dataset(samples, where="mars.param=z")


def test_a_model_learns(tmp_path):
    """A whole training: shuffled batches of workers, and a loss that falls."""
    rng = np.random.default_rng(0)
    objects = []
    for day in range(40):
        x = rng.normal(size=16).astype("f4")
        for param, values in (("x", x), ("y", 2 * x + 1)):
            keys = {"mars": {"date": 20240101 + day % 28 + day // 28 * 100, "param": param}}
            objects.append(tgmap.NewObject(values, keys))
    dataset = tgmap.torch.Dataset(write(tmp_path / "a.tgm", objects), sample="mars.date", channel="mars.param")
    torch.manual_seed(0)
    model = torch.nn.Linear(1, 1)
    losses = []
    loader = loader_of(dataset, "fork", batch_size=8, shuffle=True, persistent_workers=True)
    for _ in range(10):
        for batch in loader:
            loss = torch.nn.functional.mse_loss(model(batch[:, 0, :, None])[..., 0], batch[:, 1])
            model.zero_grad()
            loss.backward()
            with torch.no_grad():  # what an optimizer does; importing those takes seconds
                for each in model.parameters():
                    each -= 0.1 * each.grad
            losses.append(loss.item())
    assert losses[-1] < 1e-3 < losses[0]
    assert model.weight.item() == pytest.approx(2, abs=0.05) and model.bias.item() == pytest.approx(1, abs=0.05)
