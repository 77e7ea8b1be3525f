# SPDX-License-Identifier: Apache-2.0
"""Small pictures of objects as PNG, for notebooks: no other package than NumPy is needed."""

from __future__ import annotations

import functools
import struct
import zlib

import numpy

MAX_PIXELS = 240  # of a side
MAX_DECODED = 64 << 20  # bytes that are decoded for a picture; above it there is none
MISSING = 0  # the palette entry of NaN and infinities, a light gray

# Lightness, chroma and hue (OKLCH) of the colour map "lagoon" of the command.
ANCHORS = ((0.26, 0.12, 305.0), (0.43, 0.11, 268.0), (0.60, 0.098, 212.0), (0.77, 0.15, 150.0), (0.94, 0.17, 106.0))


def picture_of(o) -> bytes | None:
    """Return a picture of an object, or None if it has no element, no axis, or costs too much to decode."""
    if o.ndim == 0 or o.size == 0:
        return None
    shape = o.shape[-2:]
    steps = [max(1, -(-extent // MAX_PIXELS)) for extent in shape]
    key = (0,) * (o.ndim - len(shape)) + tuple(slice(None, None, step) for step in steps)
    if o.cost(key).bytes_decoded > MAX_DECODED:
        return None
    values = _to_float(numpy.asarray(o[key]))
    if values is None:
        return None
    return png(curve(values) if values.ndim == 1 else shades(values))


def _to_float(values):
    if values.dtype.kind == "c":
        values = abs(values)
    if values.dtype.kind == "V":  # bfloat16 of ml_dtypes, or opaque bytes
        if values.dtype.name != "bfloat16":
            return None
    return values.astype(numpy.float64)


def shades(values):
    """Return the palette entries of an array of two dimensions."""
    finite = numpy.isfinite(values)
    out = numpy.full(values.shape, MISSING, numpy.uint8)
    if finite.any():
        low, high = float(values[finite].min()), float(values[finite].max())
        scale = 254 / (high - low) if high > low else 0.0
        out[finite] = 1 + ((values[finite] - low) * scale).astype(numpy.uint8)
    factor = max(1, 80 // max(values.shape))  # few elements become squares
    return out.repeat(factor, 0).repeat(factor, 1)


def curve(values, height=64):
    """Return the palette entries of a curve; a column for each value."""
    values = values.repeat(max(1, 80 // len(values)))
    finite = numpy.isfinite(values)
    out = numpy.full((height, len(values)), 255, numpy.uint8)
    out[:, ~finite] = MISSING
    if finite.any():
        low, high = float(values[finite].min()), float(values[finite].max())
        scale = (height - 1) / (high - low) if high > low else 0.0
        rows = (height - 1) - ((values[finite] - low) * scale).astype(int)
        columns = numpy.flatnonzero(finite)
        before = numpy.concatenate([rows[:1], rows[:-1]])
        for column, row, other in zip(columns.tolist(), rows.tolist(), before.tolist(), strict=True):
            out[min(row, other) : max(row, other) + 1, column] = 1
    return out


def png(entries) -> bytes:
    """Return palette entries of 8 bits as a PNG."""
    height, width = entries.shape
    rows = numpy.zeros((height, width + 1), numpy.uint8)  # each row begins with its filter, 0
    rows[:, 1:] = entries
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette()), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


@functools.cache
def palette() -> bytes:
    """Return 256 colours of three bytes: that of missing values, then the colour map from low to high."""
    anchors = numpy.array(ANCHORS)
    at = numpy.linspace(0, len(anchors) - 1, 255)
    light, chroma, hue = (numpy.interp(at, range(len(anchors)), anchors[:, i]) for i in range(3))
    a, b = chroma * numpy.cos(numpy.radians(hue)), chroma * numpy.sin(numpy.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = numpy.stack(
        [
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        ],
        axis=1,
    ).clip(0, 1)
    encoded = numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return bytes([216, 216, 216]) + (encoded * 255 + 0.5).astype(numpy.uint8).tobytes()
