# SPDX-License-Identifier: Apache-2.0
"""What the rules say: cubes as plain data, and the options that they follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numpy.typing import NDArray

from .._core import _shown
from ._columns import Numbers
from ._texts import listed, quoted, short

_CHOICES = {
    "names": ("mars", "cfgrib", "earthkit"),
    "control": ("member", "separate"),
    "duplicates": ("error", "first", "last", "stack"),
    "intervals": ("split", "mixed"),
    "join": ("exact", "outer"),
    "time_unit": (None, "ns", "us", "ms", "s"),
    "mars_time": (None, "hours", "HHMM"),
}


_SHOWN_GROUPS = 40
_SHOWN_WHERE = 400  # characters


class CubeError(ValueError):
    """Objects are no cube by the rules that were asked for. The text says which, and what to do.

    Names in the text are escaped, so that those of a forged file are safe to print, and make no lines of their own.
    """

    def __init__(self, text: str, *lines: str):
        super().__init__(*map(_shown, (text, *lines)))  # escaped again without a change when it is unpickled

    def __str__(self) -> str:
        return "\n".join(self.args)


class CubeWarning(UserWarning):
    """What is left out: an incomplete message of a cube, or what an archive has no place for. The text lists it."""


class Reason(NamedTuple):
    """Why a key has its place in a cube.

    Attributes:
        variable: the name of the variable, or empty text for all.
        key: the key or the dimension.
        role: such as ``"dimension"``, ``"scalar"``, ``"auxiliary"``, ``"split"`` or ``"not used"``.
        text: the reason.
    """

    variable: str
    key: str
    role: str
    text: str


@dataclass(frozen=True)
class Options:
    """How cubes are made.

    Attributes:
        names: the names of dimensions and variables: ``"mars"``, ``"cfgrib"`` or ``"earthkit"``.
        variable_key: the key whose values are the variables. Default: the first of `VARIABLE_KEYS` that an object has.
        dims: further keys that may be dimensions, after those of `CANDIDATES`.
        ignore: keys that are not read, such as a ``time`` that is something else.
        ensure_dims: names of dimensions that stay if they have one value only.
        squeeze: dimensions of one value become scalar coordinates.
        fill: values of keys where they are absent, such as ``{"number": 0}``.
        dim_names: names of the dimensions of objects: a list, or a map of sizes to names.
        control: ``"member"``: the control forecast beside an ensemble is member 0; ``"separate"``: it is apart.
        duplicates: what is taken of several objects for one cell: ``"first"``, ``"last"``, ``"stack"`` for a dimension,
            or ``"error"``.
        allow_holes: cells without an object are missing values.
        intervals: ``"split"``: a variable has intervals of one start or of one length; ``"mixed"``: of any.
        join: ``"exact"``: variables of other coordinates are in other groups; ``"outer"``: they get all coordinates.
        promote: objects of different dtypes are one variable if the larger dtype holds all of their values.
        time_unit: of dates and steps. Default: ``"ns"`` if all fit, else ``"s"``.
        mars_time: what integers below 100 in ``mars.time`` are: ``"hours"`` or ``"HHMM"``.
        rename: new names of variables, dimensions and coordinates.
        attrs: attributes of variables and coordinates by their names, which replace those of the tables.
    """

    names: str = "mars"
    variable_key: str | None = None
    dims: Sequence[str] = ()
    ignore: Sequence[str] = ()
    ensure_dims: Sequence[str] = ()
    squeeze: bool = True
    fill: Mapping[str, Any] = field(default_factory=dict)
    dim_names: Sequence[str] | Mapping[int, str] | None = None
    control: str = "member"
    duplicates: str = "error"
    allow_holes: bool = False
    intervals: str = "split"
    join: str = "exact"
    promote: bool = False
    time_unit: str | None = None
    mars_time: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    attrs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                shown = ", ".join(repr(each) for each in choices)
                raise ValueError(f"{name} must be one of {shown}, not {quoted(value)}")
        for name in ("dims", "ignore", "ensure_dims"):
            if isinstance(getattr(self, name), str):
                object.__setattr__(self, name, (getattr(self, name),))


@dataclass(frozen=True)
class Coordinate:
    """A coordinate.

    Attributes:
        dims: the dimensions of its values.
        values: its labels; None if they are the elements of an object.
        row: the row of that object.
        attrs, encoding: for xarray.
    """

    name: str
    dims: tuple[str, ...]
    values: NDArray[Any] | None
    attrs: Mapping[str, Any] = field(default_factory=dict)
    encoding: Mapping[str, Any] = field(default_factory=dict)
    row: int | None = None


@dataclass(frozen=True)
class Variable:
    """A variable of a cube.

    Attributes:
        dims: the dimensions between objects, then those inside of objects.
        cells: the row of the object of each cell, -1 for a hole; its shape is that of the dimensions between objects.
        inner_shape: the shape of an object.
        dtype: the dtype, as the format names it.
        attrs: keys that all objects have, and units.
    """

    name: str
    dims: tuple[str, ...]
    cells: Numbers
    inner_shape: tuple[int, ...]
    dtype: str
    attrs: Mapping[str, Any]

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.cells.shape, *self.inner_shape)

    @property
    def holes(self) -> int:
        """Number of cells without an object."""
        return int((self.cells < 0).sum())


@dataclass(frozen=True)
class Group:
    """Variables with the same coordinates: a Dataset of xarray.

    Attributes:
        name: of the node in a tree.
        where: a selection of its objects, or empty text if there is none.
        reasons: why the keys of its variables have their places.
    """

    name: str
    where: str
    variables: Mapping[str, Variable]
    coordinates: Mapping[str, Coordinate]
    attrs: Mapping[str, Any]
    reasons: tuple[Reason, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """The length of each dimension."""
        out: dict[str, int] = {}
        for each in self.variables.values():
            out.update(zip(each.dims, each.shape))
        return out


@dataclass(frozen=True)
class Plan:
    """Cubes of some objects, and why they are so. See :func:`plan`.

    Attributes:
        row_count: number of objects.
        can_join: fewer groups are left with ``join="outer"``.
    """

    groups: tuple[Group, ...]
    reasons: tuple[Reason, ...]
    row_count: int
    can_join: bool = False

    def only(self) -> Group:
        """Return the one group that there is.

        Raises:
            CubeError: there are several; the text lists how to choose one.
        """
        if len(self.groups) == 1:
            return self.groups[0]
        if not self.groups:
            if self.row_count:
                raise CubeError("all objects are latitudes or longitudes by their names; there are no fields")
            raise CubeError("there are no objects; a selection that matches some is needed")
        text = f"the objects are {len(self.groups)} cubes, not one; choose one by group= or where=, or use to_datatree:"
        lines = []
        for each in self.groups[:_SHOWN_GROUPS]:
            of = listed(each.variables, 6)
            sizes = ", ".join(f"{name}: {size}" for name, size in each.sizes.items())
            where = f" or where='{each.where}'" if 0 < len(each.where) <= _SHOWN_WHERE else ""
            lines.append(f"  group='{each.name}'{where}: {of} ({sizes})")
        if len(self.groups) > _SHOWN_GROUPS:
            lines.append(f"  and {len(self.groups) - _SHOWN_GROUPS} more, which tgmap.explain_cube lists")
        if self.can_join:
            lines.append("or join='outer' to fill variables whose coordinates differ with missing values")
        raise CubeError(text, *lines)

    def group(self, name: str) -> Group:
        """Return the group of a name. Raises CubeError, with the names that there are, if there is none."""
        for each in self.groups:
            if each.name == name.strip("/"):
                return each
        names = listed([each.name for each in self.groups], _SHOWN_GROUPS)
        raise CubeError(f"there is no group '{short(name)}'; the groups are: {names}")

    def explain(self) -> str:
        """Return what the dimensions are, and why, for people."""
        from ._explain import explain

        return explain(self)
