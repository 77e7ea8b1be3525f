# SPDX-License-Identifier: Apache-2.0
"""Diagnostics, in the form of the reference package."""

from __future__ import annotations

import numpy as np

from .. import _core
from ._decode import decode, decode_metadata, scan
from ._encode import encode
from ._metadata import WIRE_VERSION

_CODECS = ("szip", "zstd", "lz4", "blosc2", "zfp", "sz3")
_FLOATS = {"type": "ntensor", "dtype": "float64", "shape": [256]}
_PIPELINES = {
    "simple_packing+szip": {
        "encoding": "simple_packing",
        "sp_bits_per_value": 24,
        "compression": "szip",
        "szip_rsi": 128,
        "szip_block_size": 16,
        "szip_flags": 8,
    },
    "shuffle+zstd": {"filter": "shuffle", "shuffle_element_size": 8, "compression": "zstd"},
    "lz4": {"compression": "lz4"},
    "blosc2": {"compression": "blosc2"},
    "zfp (fixed-rate)": {"compression": "zfp", "zfp_mode": "fixed_rate", "zfp_rate": 32.0},
    "sz3 (absolute error)": {"compression": "sz3", "sz3_error_bound_mode": "abs", "sz3_error_bound": 1e-6},
}


def _features() -> list[dict]:
    about = _core.doctor()
    codecs = {each["name"]: each for each in about["codecs"]}
    out = []
    for name in _CODECS:
        codec = codecs[name]
        row = {"name": name, "kind": "compression", "state": "on" if codec["is_available"] else "off"}
        if codec["is_available"]:
            row.update(backend=codec["library"] or "tgmap", linkage="ffi", version=codec["version"])
        out.append(row)
        if name in ("szip", "zstd"):
            out.append({"name": f"{name}-pure", "kind": "compression", "state": "off"})
    built_in = {"state": "on", "backend": "tgmap", "linkage": "ffi", "version": about["version"]}
    out.append({"name": "threads", "kind": "threading", **built_in})
    out.append({"name": "remote", "kind": "io", "state": "off"})
    out.append({"name": "mmap", "kind": "io", **built_in})
    out.append({"name": "async", "kind": "io", **built_in, "backend": "asyncio"})
    return out


def _check(label: str, check) -> dict:
    try:
        problem = check()
    except Exception as error:  # a broken build is what this reports
        problem = str(error)
    return {"label": label, "outcome": "failed", "error": problem} if problem else {"label": label, "outcome": "ok"}


def _encoded(pipeline: dict | None = None) -> tuple[np.ndarray, bytes]:
    values = 250.0 + np.sin(np.arange(256) / 16.0)
    return values, encode({"check": 1}, [({**_FLOATS, **(pipeline or {})}, values)])


def _round_trip(pipeline: dict | None = None, tolerance: float = 0.0) -> str | None:
    values, message = _encoded(pipeline)
    decoded = decode(message).objects[0][1]
    return None if np.allclose(decoded, values, rtol=0, atol=tolerance) else "the decoded elements differ"


def _metadata() -> str | None:
    return None if decode_metadata(_encoded()[1])["check"] == 1 else "the decoded metadata differ"


def _scan() -> str | None:
    message = _encoded()[1]
    return None if scan(message * 3) == [(i * len(message), len(message)) for i in range(3)] else "messages are missing"


def _hash() -> str | None:
    decode(_encoded()[1], verify_hash=True)
    return None


def doctor() -> dict:
    """Return a report of this build: ``build``, ``features``, and ``self_test``, the results of short checks.

    >>> [row["label"] for row in doctor()["self_test"] if row["outcome"] == "failed"]
    []
    """
    about = _core.doctor()
    features = _features()
    build = {
        "version": about["version"],
        "wire_version": WIRE_VERSION,
        "target": about["target"],
        "profile": "debug" if about["build_type"] == "Debug" else "release",
    }
    checks = [
        _check("encode/decode  none/none/none", _round_trip),
        _check("decode_metadata round-trip", _metadata),
        _check("scan multi-message buffer", _scan),
        _check("hash xxh3 verify", _hash),
    ]
    is_on = {row["name"]: row["state"] == "on" for row in features}
    for name, pipeline in _PIPELINES.items():
        label = f"pipeline       {name}"
        if not is_on[pipeline["compression"]]:
            reason = f"this build has no {pipeline['compression']}"
            checks.append({"label": label, "outcome": "skipped", "reason": reason})
        else:
            checks.append(_check(label, lambda chosen=pipeline: _round_trip(chosen, tolerance=1e-4)))
    return {"build": build, "features": features, "self_test": checks}
