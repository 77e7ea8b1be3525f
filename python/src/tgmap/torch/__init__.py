# SPDX-License-Identifier: Apache-2.0
"""Archives as datasets of PyTorch. Needs PyTorch 2.3 or newer, which is imported only here.

import tgmap.torch
from torch.utils.data import DataLoader

dataset = tgmap.torch.Dataset("era5.tgm", sample="mars.date", channel=["mars.param", "mars.levelist"])
loader = DataLoader(dataset, batch_size=16, shuffle=True, num_workers=4, collate_fn=tgmap.torch.collate)
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    text = "tgmap.torch needs PyTorch, which is not installed: pip install 'tgmap[torch]'"
    raise ModuleNotFoundError(text, name="torch") from None

from ..samples import SampleError, Samples, SampleWarning
from ._collate import collate
from ._dataset import Dataset
from ._tensors import torch_dtype

__all__ = ["Dataset", "SampleError", "SampleWarning", "Samples", "collate", "torch_dtype"]
