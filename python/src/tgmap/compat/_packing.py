# SPDX-License-Identifier: Apache-2.0
"""Parameters of simple_packing."""

from __future__ import annotations

import numpy as np

from .. import _core
from .._scalars import integer
from ._errors import translates_errors


def compute_packing_params(values, bits_per_value, decimal_scale_factor) -> dict:
    """Return the parameters of simple_packing that encode would compute for float64 values of one dimension.

    >>> import numpy
    >>> compute_packing_params(numpy.array([1.0, 2.0, 4.0]), 8, 0)["sp_reference_value"]
    1.0
    """
    if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.ndim != 1:
        raise TypeError("values must be an array of float64 with one dimension")
    bits_per_value = integer(bits_per_value, "bits_per_value")
    if not 0 <= bits_per_value <= 64:
        raise ValueError(f"bits_per_value {bits_per_value} exceeds maximum of 64")
    finite = np.isfinite(values)
    if not finite.all():
        first = int(np.argmin(finite))
        kind = "NaN value" if np.isnan(values[first]) else "infinite value"
        raise ValueError(f"{kind} encountered at index {first}")
    return _packing_params(values, bits_per_value, decimal_scale_factor)


@translates_errors
def _packing_params(values: np.ndarray, bits: int, decimal_scale: int) -> dict:
    found = _core.compute_packing(values, bits=bits, decimal_scale=decimal_scale)
    return {
        "sp_reference_value": found["reference"],
        "sp_binary_scale_factor": found["binary_scale"],
        "sp_decimal_scale_factor": found["decimal_scale"],
        "sp_bits_per_value": found["bits"],
    }
