# SPDX-License-Identifier: Apache-2.0
"""What callers give beside the objects: options and metadata."""

from __future__ import annotations

from .._core import _shown
from ._decode import checked_algorithm, thread_count
from ._metadata import RESERVED
from ._pipeline import encoding_error, metadata_error

_MASK_METHODS = ("none", "rle", "roaring", "lz4", "zstd", "blosc2")


class EncodeOptions:
    """Options of encode, checked."""

    def __init__(
        self,
        hash,
        threads,
        allow_nan=False,
        allow_inf=False,
        nan=None,
        positive=None,
        negative=None,
        small_mask=None,
        aggregate_hash=None,
    ):
        thread_count(threads)
        self.hashes = hash is not None and checked_algorithm(hash)
        if aggregate_hash not in (None, "auto", "none", "header", "footer", "both"):
            raise ValueError(
                f'unknown aggregate_hash policy "{_shown(str(aggregate_hash))}"; '
                "expected one of: 'auto', 'none', 'header', 'footer', 'both'"
            )
        self.aggregate_hash = aggregate_hash or "auto"
        methods = {"nan": nan, "positive_infinity": positive, "negative_infinity": negative}
        for method in methods.values():
            if method is not None and method not in _MASK_METHODS:
                names = ", ".join(f'"{name}"' for name in _MASK_METHODS)
                raise ValueError(f'unknown mask method "{_shown(str(method))}", expected one of: {names}')
        self.missing = {}
        if allow_nan or allow_inf:
            self.missing = {
                "allow_nan": bool(allow_nan),
                "allow_infinity": bool(allow_inf),
                "mask_method": {kind: method or "roaring" for kind, method in methods.items()},
            }
            if small_mask is not None:
                self.missing["small_mask_bytes"] = small_mask

    def of_message(self) -> dict:
        """Return the keywords of a message that is written as a whole."""
        place = "header" if self.aggregate_hash == "auto" else self.aggregate_hash
        return {"hashes": self.hashes, "hash_list": place if self.hashes else "none"}

    def of_stream(self) -> dict:
        """Return the keywords of a stream. Raise ValueError for lists in the header, which comes first."""
        if self.aggregate_hash in ("header", "both"):
            raise encoding_error(
                f"aggregate_hash='{self.aggregate_hash}' is not supported in streaming mode: the header is written "
                "before the objects; use 'footer'"
            )
        place = "none" if self.aggregate_hash == "none" or not self.hashes else "footer"
        return {"hashes": self.hashes, "hash_list": place}


def split_metadata(given: dict) -> tuple[list[dict], dict]:
    """Return the keys of each object and those of the whole message.

    Raises:
        TypeError: ``given`` is not a dict.
        ValueError: ``base`` is no list of dicts, or a key is one that the library writes.
    """
    if not isinstance(given, dict):
        raise TypeError(f"'{type(given).__name__}' object is not an instance of 'dict'")
    base = given.get("base", [])
    if not isinstance(base, list):
        raise ValueError("'base' must be a list of dicts")
    for keys in base:
        if not isinstance(keys, dict):
            raise ValueError("expected a dict")
        if RESERVED in keys:
            raise ValueError(f"base entries must not contain '{RESERVED}' key: the encoder writes it")
    name = "_extra_" if "_extra_" in given else "extra"
    extra = given.get(name, {})
    if not isinstance(extra, dict):
        alias = "" if name == "_extra_" else " when provided as a convenience alias for '_extra_'"
        raise ValueError(f"'{name}' must be a dict{alias}")
    if RESERVED in given:
        raise ValueError(f"'{RESERVED}' must not be set by client code: the encoder writes it")
    out = {key: value for key, value in given.items() if key not in ("base", "_extra_", "extra")}
    out.update(extra)
    return base, out


def keys_of(base: list[dict], j: int) -> dict:
    """Return the keys of object ``j``; none if the caller gives fewer."""
    return base[j] if j < len(base) else {}


def check_counts(base: list[dict], objects: list) -> None:
    if len(base) > len(objects):
        raise metadata_error(
            f"metadata base has {len(base)} entries but only {len(objects)} descriptors provided; "
            "extra base entries would be discarded"
        )
