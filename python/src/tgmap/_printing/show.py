# SPDX-License-Identifier: Apache-2.0
"""Pictures of objects by the command."""

from __future__ import annotations

from typing import Any, Literal, overload

from .. import _core
from .._command import path
from .._scalars import integer, real, truth


@overload
def show(object: _core.Object, key: str | None = None, *, png: Literal[True], **options: Any) -> bytes: ...


@overload
def show(object: _core.Object, key: str | None = None, *, png: Literal[False] = False, **options: Any) -> str: ...


def show(
    object: _core.Object,
    key: str | None = None,
    *,
    png: bool = False,
    width: int = 80,
    height: int = 24,
    size: tuple[int, int] | None = None,
    colour_map: str | None = None,
    range: tuple[float, float] | None = None,
    log: bool = False,
) -> str | bytes:
    """Return a picture of an object with statistics, made by ``tgmap show``.

    Args:
        object: an object of two dimensions is a map of colours, one of one dimension a curve. For more dimensions give
            a key.
        key: text of a slice, such as ``"[3, ..., 10:20:2]"``.
        png: return an image with axes and a legend as bytes; else characters as str.
        width, height: of the text, in characters.
        size: ``(width, height)`` of the image in pixels.
        colour_map: ``"lagoon"``, ``"ember"``, ``"frost"``, ``"balance"`` or ``"gray"``; ``"lagoon_r"`` is reversed.
        range: ``(low, high)``, the values at the ends of the colour map.
        log: use a logarithmic scale.

    Raises:
        FileNotFoundError: the package was built without the command.
        ValueError: the command cannot draw it; the text says why.

    >>> import tgmap
    >>> print(tgmap.show(tgmap.open("forecast.tgm")[0][0]).splitlines()[2])
    12 elements, none missing
    """
    import subprocess

    if not isinstance(object, _core.Object):
        raise TypeError(f"an object of a message is needed, not {type(object).__name__}")
    call = [path(), "show", f"-:0:{object.index}", "--quiet", "--no-index"]
    call.append(f"--max-decoded={object._opened.max_decoded}")
    if key is not None:
        call.append(f"--slice={key}")
    if colour_map is not None:
        call.append(f"--cmap={colour_map}")
    if range is not None:
        low, high = (real(each, "range") for each in range)
        call.append(f"--range={low!r},{high!r}")
    if truth(log, "log"):
        call.append("--log")
    if truth(png, "png"):
        call.append("--output=-")
        if size is not None:
            call.append("--size=" + "x".join(str(integer(each, "size")) for each in size))
    else:
        call += [f"--width={integer(width, 'width')}", f"--height={integer(height, 'height')}", "--color=never"]
    done = subprocess.run(call, input=object.message.bytes, capture_output=True)
    if done.returncode != 0:
        raise ValueError(done.stderr.decode(errors="replace").strip() or f"tgmap show: exit status {done.returncode}")
    return done.stdout if truth(png, "png") else done.stdout.decode().replace(f"  -:0:{object.index}\n", "\n").rstrip("\n")
