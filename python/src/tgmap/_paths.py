# SPDX-License-Identifier: Apache-2.0
"""Paths: text, bytes and ``os.PathLike``. Names of files are bytes; those that are no UTF-8 become lone surrogates."""

from __future__ import annotations

import os


def as_text(path) -> str:
    """Return a path as text, as ``os.fsdecode`` does. Raise ValueError for a NUL, TypeError for what is no path."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"a path has no byte 0: {text!r}")
    return text


def as_bytes(path) -> bytes:
    """Return a path as the operating system has it. Raises as :func:`as_text` does."""
    return os.fsencode(as_text(path))


def printable(path: str) -> str:
    """Return a path as one line that every stream takes: bytes that are no UTF-8 become ``\\xff``, controls ``\\n``."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
