# SPDX-License-Identifier: Apache-2.0
"""tgmap.show, and pictures in notebooks."""

from __future__ import annotations

import re
import struct
import zlib

import numpy
import pytest
import tgmap
from tgmap._printing import picture as _picture

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pixels(image):
    """Return the palette entries of a PNG with a palette."""
    assert image[:8] == SIGNATURE
    at, chunks = 8, {}
    while at < len(image):
        (size,) = struct.unpack(">I", image[at : at + 4])
        name, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + size]
        assert struct.unpack(">I", image[at + 8 + size : at + 12 + size]) == (zlib.crc32(name + data),)
        chunks[name] = data
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"] and len(chunks[b"PLTE"]) == 768
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = numpy.frombuffer(zlib.decompress(chunks[b"IDAT"]), numpy.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:]


def test_text(forecast):
    o = tgmap.open(forecast)[1][0]
    text = tgmap.show(o, width=40, height=8)
    assert "float32 [3, 4]" in text and "min 270" in text and "max 281.5" in text
    assert "4 elements" in tgmap.show(o, "[0]")
    assert tgmap.show(tgmap.open(forecast.read_bytes())[1][0], width=40, height=8) == text


def test_image(forecast):
    o = tgmap.open(forecast)[0][1]
    libraries = {each["name"]: each["version"] for each in tgmap.doctor()["libraries"]}
    try:
        image = tgmap.show(o, png=True, size=(320, 240), colour_map="ember", range=(100, 150))
    except ValueError as error:
        if "cairo" not in str(error):
            raise
        pytest.skip(f"SKIPPED: images by the command ({error})")
    assert image[:8] == SIGNATURE and struct.unpack(">II", image[16:24]) == (320, 240), libraries


def test_wrong_uses(forecast):
    o = tgmap.open(forecast)[0][0]
    with pytest.raises(TypeError, match="an object of a message is needed, not ndarray"):
        tgmap.show(o.array)
    with pytest.raises(ValueError, match="slice"):
        tgmap.show(o, "[7]")


def test_html_has_a_small_picture(forecast):
    text = tgmap.open(forecast)[0][0]._repr_html_()
    assert text.startswith("<pre>&lt;Object 0: float32 (3, 4)")
    assert re.search(r'<img [^>]*src="data:image/png;base64,[A-Za-z0-9+/=]+"', text)


def test_shades_go_from_low_to_high():
    image = pixels(_picture.png(_picture.shades(numpy.array([[0.0, 1.0], [numpy.nan, 0.5]]))))
    assert image.shape == (80, 80)
    assert (image[0, 0], image[0, 79], image[79, 0], image[79, 79]) == (1, 255, 0, 128)


def test_values_that_are_all_equal_or_missing():
    assert (_picture.shades(numpy.full((4, 4), 3.0)) == 1).all()
    assert (_picture.shades(numpy.full((4, 4), numpy.inf)) == 0).all()
    assert (_picture.curve(numpy.full(4, numpy.nan)) == 0).all()


def test_a_curve_has_the_value_of_each_column():
    image = _picture.curve(numpy.array([0.0, 63.0, numpy.nan]), height=64)
    assert image[63, 0] == 1 and image[0, 0] == 255  # the lowest value is at the bottom
    assert image[0, 30] == 1 and (image[:, -1] == 0).all()


def test_objects_of_real_files_give_small_pictures(data):
    seen = 0
    for path in sorted(data.glob("*.tgm")):
        for message in tgmap.open(path, damage="skip"):
            try:
                objects = list(message)
            except tgmap.Error:
                continue
            for o in objects:
                text = o._repr_html_()
                seen += "<img" in text
                assert len(text) < 200_000
    assert seen > 50


def test_a_grid_without_coordinates():
    def text(grid):
        keys = {"mars": {"grid": grid, "area": [90, 0, -90, 360]}}
        field = numpy.arange(24, dtype="f4").reshape(3, 8)
        return tgmap.show(tgmap.open(tgmap.encode(tgmap.NewObject(field, keys)))[0][0])

    assert "\nno coordinates: mars.grid is O1280\n" in text("O1280")
    for regular in ("regular_ll", "45/90", [45.0, 90.0]):
        assert "no coordinates" not in text(regular) and re.search("60°?N", text(regular))
