# SPDX-License-Identifier: Apache-2.0
"""Arguments of ``tgmap cube``. Those that the command has checked are taken as they are."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from ._report import UsageError

_LISTS = ("dims", "ignore", "ensure_dims")
_TEXTS = ("names", "variable_key", "control", "duplicates", "intervals", "join", "time_unit", "mars_time")
_PAIRS = ("fill", "rename")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the arguments; `options` are those of :class:`tgmap.cubes.Options`, `opening` those of ``tgmap.open``.

    Raises:
        UsageError: one of them is wrong.
    """
    parser = _Parser(prog="tgmap cube", add_help=False, allow_abbrev=False)
    for name in _TEXTS:
        parser.add_argument(_option(name))
    for name in (*_LISTS, *_PAIRS, "dim_names", "where", "at", "variable"):
        parser.add_argument(_option(name), action="append", default=[])
    for name in ("no_squeeze", "promote", "cells", "map", "json", "quiet", "index_cache", "terminal", "colored"):
        parser.add_argument(_option(name), action="store_true")
    parser.add_argument("--group")
    parser.add_argument("--io", default="automatic", choices=("automatic", "map", "read"))
    parser.add_argument("--index", default="use", choices=("use", "none"))
    parser.add_argument("--trust-index-of", default="")
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--files-in", type=int)
    parser.add_argument("files", nargs="*")
    given = parser.parse_args(list(arguments))
    given.files += [] if given.files_in is None else _names_in(given.files_in)
    if not given.files:
        raise UsageError("FILE is required")
    given.options = _options(given)
    given.opening = {
        "mode": "auto" if given.io == "automatic" else given.io,
        "damage": "skip",
        "index": given.index,
        "index_cache": given.index_cache,
        "trust_index_of": given.trust_index_of,
    }
    given.labels = {key: value.split("/") for key, value in _pairs(given.at, "at").items()}
    given.variables = _words(given.variable)
    given.where = " and ".join(f"({each})" for each in given.where) or None
    if given.json and given.map:
        raise UsageError("--map is text; leave out --json")
    return given


def _names_in(descriptor: int) -> list[str]:
    """Return names from an open file, each with a NUL behind it."""
    with os.fdopen(descriptor, "rb") as file:
        return [os.fsdecode(each) for each in file.read().split(b"\0")[:-1]]


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _options(given: argparse.Namespace) -> dict[str, Any]:
    out: dict[str, Any] = {name: getattr(given, name) for name in _TEXTS if getattr(given, name) is not None}
    out.update({name: words for name in _LISTS if (words := _words(getattr(given, name)))})
    if given.no_squeeze:
        out["squeeze"] = False
    if given.promote:
        out["promote"] = True
    if given.fill:
        out["fill"] = {key: value_of(text) for key, text in _pairs(given.fill, "fill").items()}
    if given.rename:
        out["rename"] = _pairs(given.rename, "rename")
    if given.dim_names:
        out["dim_names"] = _dim_names(_words(given.dim_names))
    return out


def _words(texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in text.split(",") if word]


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    out = {}
    for word in _words(texts):
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(f"--{option} takes KEY=VALUE, not '{word}'")
        out[key] = value
    return out


def _dim_names(words: Sequence[str]) -> list[str] | dict[int, str]:
    if not any("=" in word for word in words):
        return list(words)
    out = {}
    for size, name in _pairs(words, "dim-names").items():
        if not re.fullmatch(r"[0-9]{1,18}", size):
            raise UsageError(f"--dim-names takes names, or SIZE=NAME, not '{size}={name}'")
        out[int(size)] = name
    return out


def value_of(text: str) -> Any:
    """Return a value of ``--fill``: a number if the text is one, else text. Quotes make text of a number.

    >>> value_of("0"), value_of("0.5"), value_of("od"), value_of('"0001"')
    (0, 0.5, 'od', '0001')
    """
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", text):
        return float(text)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
