# SPDX-License-Identifier: Apache-2.0
"""The Python interface of the reference implementation, ``tensogram`` 0.24, on this package.

Programs that import ``tensogram`` run unchanged after ``install()``:

>>> import sys
>>> import tgmap.compat
>>> tgmap.compat.install()
>>> import tensogram
>>> tensogram.is_remote_url("s3://bucket/forecast.tgm")
True

Differences: arrays of any strides, byte order and dtype are stored right; parts of objects are decoded for every
pipeline; integers of 64 bits, bytes and tuples in metadata are kept; paths may be ``os.PathLike``. Remote files, GRIB
and NetCDF raise, as builds of the reference package without these parts do.
"""

from __future__ import annotations

import sys

from ._async import AsyncTensogramFile, AsyncTensogramFileIter
from ._convert import HAS_GRIB, HAS_NETCDF, convert_grib, convert_grib_buffer, convert_netcdf, to_grib, to_netcdf
from ._decode import (
    Message,
    MessageIter,
    compute_hash,
    decode,
    decode_descriptors,
    decode_metadata,
    decode_object,
    decode_range,
    decode_with_masks,
    iter_messages,
    scan,
)
from ._descriptor import DataObjectDescriptor
from ._doctor import doctor
from ._encode import encode, encode_pre_encoded
from ._errors import HashMismatchError, IntegrityError, MissingHashError
from ._file import TensogramFile, TensogramFileIter, is_remote_url
from ._metadata import WIRE_VERSION, Metadata
from ._packing import compute_packing_params
from ._streaming import StreamingEncoder
from ._validate import validate, validate_file

__version__ = "0.24.0"
__has_grib__ = HAS_GRIB
__has_netcdf__ = HAS_NETCDF

__all__ = [
    "AsyncTensogramFile",
    "AsyncTensogramFileIter",
    "DataObjectDescriptor",
    "HashMismatchError",
    "IntegrityError",
    "Message",
    "MessageIter",
    "Metadata",
    "MissingHashError",
    "StreamingEncoder",
    "TensogramFile",
    "TensogramFileIter",
    "WIRE_VERSION",
    "compute_hash",
    "compute_packing_params",
    "convert_grib",
    "convert_grib_buffer",
    "convert_netcdf",
    "decode",
    "decode_descriptors",
    "decode_metadata",
    "decode_object",
    "decode_range",
    "decode_with_masks",
    "doctor",
    "encode",
    "encode_pre_encoded",
    "install",
    "is_remote_url",
    "iter_messages",
    "scan",
    "to_grib",
    "to_netcdf",
    "validate",
    "validate_file",
]


def install() -> None:
    """Make ``import tensogram`` give this module, and the engine ``tensogram`` of xarray that of this package.

    Where the plugin ``tensogram-xarray`` is installed, it stays the engine, and uses this module.

    Raises:
        ImportError: the reference package itself was imported before.
    """
    known = sys.modules.setdefault("tensogram", sys.modules[__name__])
    if known is not sys.modules[__name__]:
        raise ImportError("the module tensogram was imported before; call install() first")
    from ._plugins import install_engine

    install_engine()
