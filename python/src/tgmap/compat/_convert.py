# SPDX-License-Identifier: Apache-2.0
"""Conversions that the reference package has as options of its build. This package has none of them."""

from __future__ import annotations

HAS_GRIB = False
HAS_NETCDF = False


def _absent(kind: str) -> RuntimeError:
    return RuntimeError(f"tensogram was built without {kind} support: tgmap does not convert {kind} files")


def convert_grib(
    path,
    *,
    grouping="merge_all",
    preserve_all_keys=False,
    encoding="none",
    bits=None,
    filter="none",
    compression="none",
    compression_level=None,
    threads=0,
    hash="xxh3",
):
    """Raise RuntimeError: this package does not convert GRIB."""
    raise _absent("GRIB")


def convert_grib_buffer(
    buffer,
    *,
    grouping="merge_all",
    preserve_all_keys=False,
    encoding="none",
    bits=None,
    filter="none",
    compression="none",
    compression_level=None,
    threads=0,
    hash="xxh3",
):
    """Raise RuntimeError: this package does not convert GRIB."""
    raise _absent("GRIB")


def convert_netcdf(
    path,
    *,
    split_by="file",
    cf=False,
    encoding="none",
    bits=None,
    filter="none",
    compression="none",
    compression_level=None,
    threads=0,
    hash="xxh3",
):
    """Raise RuntimeError: this package does not convert NetCDF."""
    raise _absent("NetCDF")


def to_grib(messages):
    """Raise RuntimeError: this package does not convert GRIB."""
    raise _absent("GRIB")


def to_netcdf(messages, path):
    """Raise RuntimeError: this package does not convert NetCDF."""
    raise _absent("NetCDF")
