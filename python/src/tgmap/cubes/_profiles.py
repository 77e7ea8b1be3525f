# SPDX-License-Identifier: Apache-2.0
"""Names of dimensions and variables, and attributes: those of MARS, of cfgrib 0.9.15 and of earthkit-data 1.3."""

from __future__ import annotations

import re
from typing import Any

_DIMENSIONS: dict[str, dict[str, str]] = {
    "mars": {},
    "cfgrib": {
        "forecast_reference_time": "time",
        "month": "time",
        "direction": "directionNumber",
        "frequency": "frequencyNumber",
    },
    "earthkit": {
        "number": "member",
        "levelist": "level",
        "direction": "wave_direction",
        "frequency": "wave_frequency",
    },
}

# Names of levels in cfgrib: those of typeOfLevel in ecCodes.
_CFGRIB_LEVELS = {
    "pl": "isobaricInhPa",
    "ml": "hybrid",
    "sfc": "surface",
    "sol": "depthBelowLandLayer",
    "hl": "heightAboveGround",
    "pt": "theta",
    "pv": "potentialVorticity",
    "dp": "depthBelowSea",
}

_LEVELS: dict[str, dict[str, Any]] = {
    "pl": {"units": "hPa", "standard_name": "air_pressure", "long_name": "pressure", "positive": "down"},
    "ml": {"units": "1", "standard_name": "model_level_number", "long_name": "model level", "positive": "down"},
    "hl": {"units": "m", "standard_name": "height", "long_name": "height above the surface", "positive": "up"},
    "pt": {"units": "K", "standard_name": "air_potential_temperature", "long_name": "potential temperature"},
    "sol": {"units": "1", "long_name": "soil layer", "positive": "down"},
    "dp": {"units": "m", "standard_name": "depth", "long_name": "depth below sea level", "positive": "down"},
}

_COORDINATES: dict[str, dict[str, Any]] = {
    "number": {"units": "1", "standard_name": "realization", "long_name": "ensemble member"},
    "forecast_reference_time": {
        "standard_name": "forecast_reference_time",
        "long_name": "initial time of the forecast",
    },
    "month": {"standard_name": "time", "long_name": "month"},
    "step": {"standard_name": "forecast_period", "long_name": "time since the initial time of the forecast"},
    "fcmonth": {"units": "1", "long_name": "month of the forecast, from 1"},
    "hdate": {"standard_name": "forecast_reference_time", "long_name": "initial time of the hindcast"},
    "valid_time": {"standard_name": "time", "long_name": "time"},
    "direction": {"units": "1", "long_name": "number of the wave direction"},
    "frequency": {"units": "1", "long_name": "number of the wave frequency"},
    "latitude": {"units": "degrees_north", "standard_name": "latitude", "long_name": "latitude"},
    "longitude": {"units": "degrees_east", "standard_name": "longitude", "long_name": "longitude"},
    "grid_latitude": {
        "units": "degrees",
        "standard_name": "grid_latitude",
        "long_name": "latitude of the rotated grid",
    },
    "grid_longitude": {
        "units": "degrees",
        "standard_name": "grid_longitude",
        "long_name": "longitude of the rotated grid",
    },
}

# Numbers of parameters of ECMWF, with their short names.
_PARAMETERS = {
    31: "ci",
    34: "sst",
    59: "cape",
    60: "pv",
    129: "z",
    130: "t",
    131: "u",
    132: "v",
    133: "q",
    134: "sp",
    135: "w",
    136: "tcw",
    137: "tcwv",
    138: "vo",
    139: "stl1",
    141: "sd",
    142: "lsp",
    143: "cp",
    144: "sf",
    146: "sshf",
    147: "slhf",
    151: "msl",
    152: "lnsp",
    155: "d",
    156: "gh",
    157: "r",
    164: "tcc",
    165: "10u",
    166: "10v",
    167: "2t",
    168: "2d",
    169: "ssrd",
    172: "lsm",
    175: "strd",
    176: "ssr",
    177: "str",
    182: "e",
    205: "ro",
    228: "tp",
    235: "skt",
    140229: "swh",
    140230: "mwd",
    140232: "mwp",
    140251: "2dfd",
    228246: "100u",
    228247: "100v",
}

_VARIABLES: dict[str, tuple[str, str]] = {
    "2t": ("K", ""),
    "2d": ("K", ""),
    "t": ("K", "air_temperature"),
    "u": ("m s**-1", "eastward_wind"),
    "v": ("m s**-1", "northward_wind"),
    "w": ("Pa s**-1", "lagrangian_tendency_of_air_pressure"),
    "q": ("kg kg**-1", "specific_humidity"),
    "r": ("%", "relative_humidity"),
    "z": ("m**2 s**-2", "geopotential"),
    "gh": ("gpm", "geopotential_height"),
    "vo": ("s**-1", "atmosphere_relative_vorticity"),
    "d": ("s**-1", "divergence_of_wind"),
    "msl": ("Pa", "air_pressure_at_mean_sea_level"),
    "sp": ("Pa", "surface_air_pressure"),
    "10u": ("m s**-1", ""),
    "10v": ("m s**-1", ""),
    "100u": ("m s**-1", ""),
    "100v": ("m s**-1", ""),
    "lsm": ("(0 - 1)", "land_binary_mask"),
    "sst": ("K", "sea_surface_temperature"),
    "skt": ("K", ""),
    "tp": ("m", ""),
    "lsp": ("m", ""),
    "cp": ("m", ""),
    "tcc": ("(0 - 1)", "cloud_area_fraction"),
    "tcwv": ("kg m**-2", ""),
    "ssrd": ("J m**-2", "surface_downwelling_shortwave_flux_in_air"),
    "strd": ("J m**-2", ""),
    "cape": ("J kg**-1", ""),
    "swh": ("m", "sea_surface_wave_significant_height"),
}


def dimension_name(role: str, profile: str, levtype: Any = None) -> str:
    """Return the name of a dimension in a profile.

    >>> dimension_name("levelist", "cfgrib", "pl"), dimension_name("number", "earthkit")
    ('isobaricInhPa', 'member')
    """
    if role == "levelist" and profile == "cfgrib":
        return _CFGRIB_LEVELS.get(levtype, "level")
    return _DIMENSIONS[profile].get(role, role.rpartition(".")[2])


def dimension_names() -> dict[str, str]:
    """Return the roles of the names of dimensions in all profiles. ``time`` is that of cfgrib.

    >>> dimension_names()["isobaricInhPa"], dimension_names()["member"]
    ('levelist', 'number')
    """
    from ._roles import CANDIDATES

    out = {role: role for role in CANDIDATES}
    for names in _DIMENSIONS.values():
        out.update({name: role for role, name in names.items() if role != "month"})
    out.update({name: "levelist" for name in (*_CFGRIB_LEVELS.values(), "level")})
    return out


def is_decreasing(role: str, profile: str, levtype: Any) -> bool:
    """Return whether labels go down: those of pressure, as cfgrib has it."""
    return role == "levelist" and profile == "cfgrib" and levtype == "pl"


def variable_name(value: Any, profile: str) -> str:
    """Return the name of a variable by the value of its key.

    >>> variable_name("2t", "cfgrib"), variable_name(167, "mars")
    ('t2m', '2t')
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif isinstance(value, str) and re.fullmatch(r"\d+\.128", value):  # a parameter of table 128 in GRIB 1
        value = int(value[:-4])
    name = _PARAMETERS.get(value, f"param{value}") if isinstance(value, int) else str(value)
    return _cfgrib_variable(name) if profile == "cfgrib" else name


def _cfgrib_variable(name: str) -> str:
    known = {"2t": "t2m", "2d": "d2m", "ci": "siconc"}
    if name in known:
        return known[name]
    match = re.fullmatch(r"(\d+)([a-z]+)", name)
    return match[2] + match[1] if match else name


def variable_attrs(value: Any) -> dict[str, Any]:
    """Return units and standard name of a parameter, as far as the table has them."""
    units, standard_name = _VARIABLES.get(variable_name(value, "mars"), ("", ""))
    return {key: text for key, text in (("units", units), ("standard_name", standard_name)) if text}


def coordinate_attrs(role: str, levtype: Any = None) -> dict[str, Any]:
    """Return the attributes of a coordinate by its role or its name."""
    if role == "levelist":
        return dict(_LEVELS.get(levtype, {"long_name": "level"}))
    return dict(_COORDINATES.get(role, {}))
