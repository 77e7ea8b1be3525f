# SPDX-License-Identifier: Apache-2.0
"""Pipelines: from the parameters of a descriptor, as the reference package takes them, to keywords of this package."""

from __future__ import annotations

import math

from .._core import _shown
from .._scalars import scalar
from ._descriptor import DataObjectDescriptor


def metadata_error(text: str) -> ValueError:
    """Return the exception for a wrong descriptor."""
    return ValueError(f"MetadataError: {_shown(text)}")


def encoding_error(text: str) -> ValueError:
    """Return the exception for a pipeline that does not exist."""
    return ValueError(f"EncodingError: {_shown(text)}")


_REQUIRED = object()


class _Parameters:
    """The parameters of a descriptor, taken one after another."""

    def __init__(self, params: dict):
        self.left = dict(params)

    def _take(self, name: str, default):
        if name in self.left:
            return self.left.pop(name)
        if default is _REQUIRED:
            raise metadata_error(f"missing required parameter: {name}")
        return default

    def integer(self, name: str, default=_REQUIRED, min=-(2**31), max=2**31 - 1):
        value = scalar(self._take(name, default))
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise metadata_error(f"expected integer for {name}, got {type(value).__name__}")
        if not min <= value <= max:
            raise metadata_error(f"{name} out of range: {value}")
        return int(value)

    def number(self, name: str, default=_REQUIRED):
        value = scalar(self._take(name, default))
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise metadata_error(f"expected number for {name}, got {type(value).__name__}")
        if isinstance(value, int) and abs(value) > 2**53:
            raise metadata_error(f"{name}: the integer {value} is not exact as float64; give a float")
        return float(value)

    def text(self, name: str, default=_REQUIRED) -> str:
        value = self._take(name, default)
        if not isinstance(value, str):
            raise metadata_error(f"expected text for {name}, got {type(value).__name__}")
        return value


def _packing(d: DataObjectDescriptor, params: _Parameters, is_encoded: bool) -> dict:
    if d.dtype != "float64":
        raise encoding_error(f"simple_packing only supports float64 dtype; got {d.dtype}")
    if "sp_bits_per_value" not in params.left:
        raise metadata_error("simple_packing requires sp_bits_per_value, the number of bits of each element")
    reference = params.number("sp_reference_value", _REQUIRED if is_encoded else None)
    scale = params.integer("sp_binary_scale_factor", _REQUIRED if is_encoded else None)
    if (reference is None) != (scale is None):
        given, missing = ("sp_reference_value", "sp_binary_scale_factor")[:: 1 if scale is None else -1]
        raise metadata_error(f"simple_packing: descriptor sets {given} but not {missing}; give both or neither")
    if reference is not None and not math.isfinite(reference):
        raise metadata_error(f"sp_reference_value must be finite, got {reference}")
    out = {
        "encoding": "simple_packing",
        "bits": params.integer("sp_bits_per_value", min=0),
        "decimal_scale": params.integer("sp_decimal_scale_factor", _REQUIRED if is_encoded else 0),
    }
    if reference is not None:
        out.update(reference=reference, binary_scale=scale)
    return out


def _szip(d, params) -> dict:
    return {
        "rsi": params.integer("szip_rsi", min=0),
        "block_size": params.integer("szip_block_size", min=0),
        "flags": params.integer("szip_flags", min=0),
    }


def _zstd(d, params) -> dict:
    level = params.integer("zstd_level", None)
    return {} if level is None else {"level": level}


def _blosc2(d, params) -> dict:
    codec = params.text("blosc2_codec", "lz4")
    if codec not in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        raise encoding_error(f"unknown blosc2 codec: {codec}")
    return {"codec": codec, "level": params.integer("blosc2_clevel", 5)}


def _zfp(d, params) -> dict:
    mode = params.text("zfp_mode")
    if mode == "fixed_rate":
        return {"rate": params.number("zfp_rate")}
    if mode == "fixed_precision":
        return {"precision": params.integer("zfp_precision", min=0)}
    if mode == "fixed_accuracy":
        return {"tolerance": params.number("zfp_tolerance")}
    raise encoding_error(f"unknown zfp_mode: {mode}")


def _sz3(d, params) -> dict:
    modes = {"abs": "absolute", "rel": "relative", "psnr": "psnr"}
    mode = params.text("sz3_error_bound_mode")
    bound = params.number("sz3_error_bound")
    if mode not in modes:
        raise encoding_error(f"unknown sz3_error_bound_mode: {mode}")
    return {"error_mode": modes[mode], "error_bound": bound}


def _of_bits(d, params) -> dict:
    if d.dtype != "bitmask":
        raise encoding_error(f'compression "{d.compression}" only supports dtype=bitmask, got dtype={d.dtype}')
    return {}


_COMPRESSIONS = {
    "none": lambda d, params: {},
    "szip": _szip,
    "zstd": _zstd,
    "lz4": lambda d, params: {},
    "blosc2": _blosc2,
    "zfp": _zfp,
    "sz3": _sz3,
    "rle": _of_bits,
    "roaring": _of_bits,
}


def pipeline_of(d: DataObjectDescriptor, is_encoded: bool = False) -> tuple[dict, dict]:
    """Return the pipeline of a descriptor as keywords of this package, and the parameters that no stage takes.

    Args:
        d: the descriptor.
        is_encoded: the elements are encoded already, so that parameters of packing must be there.

    Raises:
        ValueError: a stage is unknown, or a parameter is missing or of the wrong kind.
    """
    params = _Parameters(d._params)
    out = {}
    if d.encoding == "simple_packing":
        out.update(_packing(d, params, is_encoded))
    elif d.encoding != "none":
        raise encoding_error(f"unknown encoding: {d.encoding}")
    if d.filter == "shuffle":
        out.update(filter="shuffle", shuffle_size=params.integer("shuffle_element_size", min=1))
    elif d.filter != "none":
        raise encoding_error(f"unknown filter: {d.filter}")
    if d.compression not in _COMPRESSIONS:
        raise encoding_error(f"unknown compression: {d.compression}")
    stage = _COMPRESSIONS[d.compression](d, params)
    if d.compression != "none":
        out.update(compression=d.compression, **stage)
    return out, params.left
