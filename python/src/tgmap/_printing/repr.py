# SPDX-License-Identifier: Apache-2.0
"""How handles print, in a terminal and in a notebook."""

from __future__ import annotations

import base64
import html

from .._core import _shown


def message(m) -> str:
    try:
        objects = len(m)
    except Exception as error:  # a message that cannot be read prints, too
        return f"<Message at {m.offset}, {m.length} bytes: {_shown(str(error))}>"
    number = "" if m.index is None else f" {m.index}"
    return f"<Message{number} at {m.offset}: {objects} object{'' if objects == 1 else 's'}, {m.length} bytes>"


def _stages(descriptor) -> str:
    names = [n for n in (descriptor.encoding, descriptor.filter, descriptor.compression) if n not in ("", "none")]
    return _shown(" + ".join(names)) or "plain"


def object(o) -> str:  # noqa: A001: named after what it prints
    try:
        d = o.descriptor
    except Exception as error:
        return f"<Object {o.index}: {_shown(str(error))}>"
    return f"<Object {o.index}: {d.dtype} {d.shape}, {_stages(d)}, {o.stored_nbytes} bytes>"


def metadata(keys: dict) -> str:
    try:
        return f"Metadata({keys!r})"
    except ValueError:  # an integer of more digits than Python prints
        return f"Metadata({_with_short_integers(keys)!r})"


class _Hexadecimal(int):
    """An integer of any size, which prints fast."""

    def __repr__(self) -> str:
        return hex(self)


def _with_short_integers(value):
    if isinstance(value, dict):
        return {key: _with_short_integers(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_short_integers(each) for each in value]
    return _Hexadecimal(value) if type(value) is int and value.bit_length() > 64 else value


def descriptor(d) -> str:
    return f"<Descriptor: {d.dtype} {d.shape}, {_stages(d)}>"


def object_html(o) -> str:
    """Return the line of an object, and a small picture of it."""
    line = f"<pre>{html.escape(object(o))}</pre>"
    try:
        from . import picture as _picture

        image = _picture.picture_of(o)
    except Exception as error:  # an object that cannot be decoded prints, too
        return f"{line}<pre>no picture: {html.escape(_shown(str(error)))}</pre>"
    if image is None:
        return line
    data = base64.b64encode(image).decode()
    style = "image-rendering: pixelated"
    return f'{line}<img alt="picture of the elements" src="data:image/png;base64,{data}" style="{style}">'
