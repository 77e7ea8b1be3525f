# SPDX-License-Identifier: Apache-2.0
"""Metadata of a message, with the lookups of the reference package."""

from __future__ import annotations

from collections.abc import Mapping

from .._core import _shown

WIRE_VERSION = 3
RESERVED = "_reserved_"


def copied(value):
    """Return a copy of nested dicts and lists, so that callers may change it."""
    if type(value) is dict:
        return {key: copied(each) for key, each in value.items()}
    if type(value) is list:
        return [copied(each) for each in value]
    return value


def _sorted(keys: dict) -> dict:
    return {key: keys[key] for key in sorted(keys)}


def _checked(key) -> str:
    if not isinstance(key, str):
        raise TypeError(f"'{type(key).__name__}' object is not an instance of 'str'")
    return key


class Metadata(Mapping):
    """Keys of a message: those of its objects, and ``extra``, those of the whole message.

    As a mapping it has the keys of all objects and the extra ones; the first object that has a key counts.
    """

    __slots__ = ("_base", "_extra", "_reserved", "_version")

    def __init__(self, base: list[dict], extra: dict, reserved: dict, version: int = WIRE_VERSION):
        self._base = [_sorted(each) for each in base]
        self._extra = _sorted(extra)
        self._reserved = _sorted(reserved)
        self._version = version

    @classmethod
    def of(cls, message) -> Metadata:
        """Return the metadata of a message of tgmap."""
        base = [message.base(j).to_dict() for j in range(len(message))]
        return cls(base, message.metadata.to_dict(), message.reserved.to_dict(), message.version)

    @property
    def version(self) -> int:
        """Version of the wire format: WIRE_VERSION, or 2 for older messages, which the reference package refuses."""
        return self._version

    @property
    def num_objects(self) -> int:
        """Number of objects."""
        return len(self._base)

    @property
    def base(self) -> list[dict]:
        """Keys of each object, ``_reserved_`` included."""
        return copied(self._base)

    @property
    def extra(self) -> dict:
        """Keys of the whole message."""
        return copied(self._extra)

    @property
    def reserved(self) -> dict:
        """Keys that say what wrote the message and when."""
        return copied(self._reserved)

    def _entries(self) -> dict:
        out = {}
        for keys in self._base:
            for key, value in keys.items():
                if key != RESERVED:
                    out.setdefault(key, value)
        for key, value in self._extra.items():
            out.setdefault(key, value)
        return out

    def __getitem__(self, key: str):
        if _checked(key) != RESERVED:
            for keys in self._base:
                if key in keys:
                    return copied(keys[key])
        return copied(self._extra[key])

    def __contains__(self, key) -> bool:
        return (_checked(key) != RESERVED and any(key in keys for keys in self._base)) or key in self._extra

    def get(self, key: str, default=None):
        """Return the value of a key, which is not a path; see get_path."""
        return self[key] if key in self else default

    def keys(self) -> list[str]:
        """Return the keys as a list."""
        return list(self._entries())

    def values(self) -> list:
        """Return the values as a list."""
        return [copied(value) for value in self._entries().values()]

    def items(self) -> list[tuple]:
        """Return pairs of key and value as a list."""
        return [(key, copied(value)) for key, value in self._entries().items()]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._entries())

    def get_path(self, path: str, default=None):
        """Return the value at a dotted path, such as ``"mars.class"``: of the first object that has it, else extra."""
        first, *rest = _checked(path).split(".")
        if first in ("_extra_", "extra"):
            return copied(_at(self._extra, rest, default)) if rest else default
        for keys in self._base:
            found = _at_of_object(keys, first, rest)
            if found is not _ABSENT:
                return copied(found)
        return copied(_at(self._extra, [first, *rest], default)) if first else default

    def has_path(self, path: str) -> bool:
        """Return whether a dotted path leads to a value."""
        return self.get_path(path, _ABSENT) is not _ABSENT

    def get_path_at(self, obj: int, path: str, default=None):
        """Return the value at a dotted path of one object."""
        first, *rest = _checked(path).split(".")
        found = _at_of_object(self._base[obj], first, rest) if 0 <= obj < len(self._base) else _ABSENT
        return default if found is _ABSENT else copied(found)

    def has_path_at(self, obj: int, path: str) -> bool:
        """Return whether a dotted path leads to a value of one object."""
        return self.get_path_at(obj, path, _ABSENT) is not _ABSENT

    def __repr__(self) -> str:
        keys = ", ".join(f'"{_shown(key)}"' for key in self._extra)
        return f"Metadata(version={self._version}, base_len={len(self._base)}, extra_keys=[{keys}])"

    __hash__ = object.__hash__

    def __eq__(self, other) -> bool:
        return self is other

    def __reduce__(self):
        return Metadata, (self._base, self._extra, self._reserved, self._version)


_ABSENT = object()


def _at(keys: dict, path: list[str], default):
    value = keys
    for step in path:
        if type(value) is not dict or step not in value:
            return default
        value = value[step]
    return value


def _at_of_object(keys: dict, first: str, rest: list[str]):
    return _ABSENT if first in ("", RESERVED) else _at(keys, [first, *rest], _ABSENT)
