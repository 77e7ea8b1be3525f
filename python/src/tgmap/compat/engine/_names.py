# SPDX-License-Identifier: Apache-2.0
"""Names of variables, coordinates and dimensions."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

_log = logging.getLogger(__name__)

VARIABLE_KEYS = ("name", "mars.param", "param", "mars.shortName", "shortName")

COORDINATES = {
    "lat": "latitude",
    "latitude": "latitude",
    "lon": "longitude",
    "longitude": "longitude",
    **{each: each for each in ("x", "y", "time", "level", "pressure", "height", "depth", "frequency", "step")},
}
"""Objects with these names, in lower or upper case, are coordinates."""


def value_at(metadata: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path such as ``mars.param``, or None."""
    found: Any = metadata
    for part in path.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return None
        found = found[part]
    return found


def variable_name(number: int, metadata: Mapping[str, Any], variable_key: str | None) -> str:
    """Return the name of the variable that an object is: the value of the first key that it has.

    >>> variable_name(3, {"mars": {"param": "2t"}}, None), variable_name(3, {}, None)
    ('2t', 'object_3')
    """
    for key in (*([variable_key] if variable_key else []), *VARIABLE_KEYS):
        value = value_at(metadata, key)
        if value is not None:
            return str(value)
    return f"object_{number}"


def coordinate_name(metadata: Mapping[str, Any]) -> str | None:
    """Return the name of the coordinate that an object is, or None for a variable."""
    for key in ("name", "param", "mars.param"):
        value = value_at(metadata, key)
        if value is not None:
            return COORDINATES.get(str(value).lower())
    return None


def without_structure(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata without the names of dimensions, which are no attribute."""
    return {key: value for key, value in metadata.items() if key != "dim_names"}


def stored_names(rank: int, metadata: Mapping[str, Any]) -> list[str] | None:
    """Return the names of dimensions that an object has in ``dim_names``, if they are as many, and different."""
    found = metadata.get("dim_names")
    if not isinstance(found, Sequence) or isinstance(found, (str, bytes, bytearray)):
        return None
    names = list(found)
    is_valid = len(names) == rank and all(isinstance(each, str) and each for each in names)
    return names if is_valid and len(set(names)) == rank else None


def _hinted_names(shape: Sequence[int], hint: Any) -> list[str | None]:
    """Return the names that a message has for all of its objects: a list, or a map of sizes to names."""
    try:
        if isinstance(hint, list) and len(hint) == len(shape):
            return [str(each) for each in hint]
        if isinstance(hint, Mapping):
            by_size = {int(size): str(name) for size, name in hint.items()}
            return [by_size.get(size) for size in shape]
    except (TypeError, ValueError):
        pass
    return [None] * len(shape)


def dimensions(
    shape: Sequence[int],
    given: Sequence[str] | None,
    coordinates: Mapping[str, int],
    metadata: Mapping[str, Any],
    hint: Any,
) -> list[tuple[str, bool]]:
    """Return the name of each dimension of an object, and whether it is only ``dim_N``.

    The caller's names come first, then those of coordinates with as many labels, of the object, and of the message.

    Args:
        coordinates: the lengths of the coordinates.
        hint: ``dim_names`` of the message.

    Raises:
        ValueError: `given` has another number of names.
    """
    if given is not None:
        names = list(given)
        if len(names) != len(shape):
            raise ValueError(
                f"dim_names has {len(names)} entries but tensor has {len(shape)} dimensions. "
                f"Provide exactly {len(names)} names."
            )
        return [(name, False) for name in names]
    own = stored_names(len(shape), metadata)
    of_message = _hinted_names(shape, hint)
    out: list[tuple[str, bool]] = []
    used: set[str] = set()
    for axis, size in enumerate(shape):
        candidates: list[str | None] = [name for name, length in coordinates.items() if length == size]
        candidates += [own[axis] if own else None, of_message[axis]]
        name = next((each for each in candidates if each is not None and each not in used), None)
        if name is None:
            out.append((f"dim_{axis}", True))
        else:
            used.add(name)
            out.append((name, False))
    return out


def without_conflicts(
    found: Sequence[tuple[int, Sequence[int], Sequence[tuple[str, bool]]]], coordinates: Mapping[str, int]
) -> list[tuple[str, ...]]:
    """Return the names of dimensions of several objects, in which one name has one length.

    An axis whose name has other lengths elsewhere is called ``obj_N_dim_AXIS``, unless it fits a coordinate.

    Args:
        found: number, shape and dimensions of each object.
        coordinates: the lengths of the coordinates.
    """
    sizes: dict[str, set[int]] = {name: {size} for name, size in coordinates.items()}
    for _, shape, dims in found:
        for size, (name, _is_generic) in zip(shape, dims):
            sizes.setdefault(name, set()).add(size)
    warned: set[str] = set()
    out = []
    for number, shape, dims in found:
        names = []
        for axis, (size, (name, is_generic)) in enumerate(zip(shape, dims)):
            if len(sizes[name]) > 1 and coordinates.get(name) != size:
                if not is_generic and name not in warned:
                    warned.add(name)
                    text = "dimension name %r claimed at conflicting sizes %s across objects%s; axes are called obj_N_dim_AXIS"
                    of = f", conflicts with coord {name!r}" if name in coordinates else ""
                    _log.warning(text, name, sorted(sizes[name]), of)
                name = f"obj_{number}_dim_{axis}"
            names.append(name)
        out.append(tuple(names))
    return out
