# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: validation, the module as a whole, warnings, and what it does not have."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from compat_messages import describe, encoded, temperature
from tgmap import compat


@pytest.mark.parametrize("level", ["quick", "default", "checksum", "full"])
def test_validate(level):
    message = encoded(temperature(), np.arange(3))
    verified = level != "quick"
    assert compat.validate(message, level) == {"issues": [], "object_count": 2, "hash_verified": verified}
    assert compat.validate(message + b"more", level, check_canonical=True)["issues"] == []


def test_validate_damage():
    message = encoded(temperature())
    payload = message.index(temperature().tobytes())
    damaged = message[:payload] + b"\xff" + message[payload + 1 :]
    report = compat.validate(damaged, "checksum")
    issue = next(each for each in report["issues"] if each["code"] == "hash_mismatch")
    assert (issue["level"], issue["severity"], issue["object_index"]) == ("integrity", "error", 0)
    assert issue["byte_offset"] <= payload and issue["description"]
    assert not report["hash_verified"]
    codes = {
        b"": "buffer_too_short",
        b"WRONGMAG" + message[8:]: "invalid_magic",
        message[:-100]: "total_length_exceeds_buffer",
        message[:-8] + bytes(8): "postamble_invalid",
    }
    for data, code in codes.items():
        assert compat.validate(data)["issues"][0]["code"] == code
    report = compat.validate(encoded(temperature(), hash=None))
    assert [(each["code"], each["severity"]) for each in report["issues"]] == [("no_hash_available", "warning")]
    with pytest.raises(ValueError, match="unknown validation level: 'deep'"):
        compat.validate(message, "deep")


def test_validate_file(tmp_path):
    path = tmp_path / "f.tgm"
    message = encoded(temperature())
    path.write_bytes(message + b"gap" + message + b"end")
    report = compat.validate_file(str(path))
    assert [each["issues"] for each in report["messages"]] == [[], []]
    places = [(each["byte_offset"], each["length"]) for each in report["file_issues"]]
    assert places == [(len(message), 3), (2 * len(message) + 3, 3)]
    with pytest.raises(OSError):
        compat.validate_file(str(tmp_path / "none.tgm"))
    with pytest.raises(ValueError, match="unknown validation level"):
        compat.validate_file(path, "deep")


def test_doctor():
    report = compat.doctor()
    assert set(report) == {"build", "features", "self_test"}
    assert report["build"]["wire_version"] == 3 and report["build"]["profile"] in ("release", "debug")
    assert [row for row in report["self_test"] if row["outcome"] == "failed"] == []
    for row in report["features"]:
        assert set(row) == (
            {"name", "kind", "state"} | ({"backend", "linkage", "version"} if row["state"] == "on" else set())
        )


def test_what_is_absent():
    assert (compat.__has_grib__, compat.__has_netcdf__) == (False, False)
    for call in (
        lambda: compat.convert_grib("f.grib"),
        lambda: compat.convert_grib_buffer(b""),
        lambda: compat.to_grib([]),
    ):
        with pytest.raises(RuntimeError, match="built without GRIB support"):
            call()
    for call in (lambda: compat.convert_netcdf("f.nc"), lambda: compat.to_netcdf([], "f.nc")):
        with pytest.raises(RuntimeError, match="built without NetCDF support"):
            call()
    assert compat.is_remote_url("gs://bucket/f.tgm") and not compat.is_remote_url("f.tgm")


def test_warnings_name_the_line_of_the_caller(tmp_path):
    values = np.zeros(2)
    misplaced = describe(values, name="t", units="K")
    stream = compat.StreamingEncoder({})
    calls = [
        lambda: compat.encode({}, [(misplaced, values)]),
        lambda: compat.encode_pre_encoded({}, [(misplaced, values.tobytes())]),
        lambda: compat.TensogramFile.create(tmp_path / "f.tgm").append({}, [(misplaced, values)]),
        lambda: stream.write_object(misplaced, values),
        lambda: stream.write_object_pre_encoded(misplaced, values.tobytes()),
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert len(caught) == 1 and caught[0].category is UserWarning
        assert "('name', 'units')" in str(caught[0].message) and caught[0].filename == __file__


def run(code: str) -> str:
    """Return what a Python process of its own prints."""
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=paths, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_install():
    code = "import tgmap.compat as c; c.install(); c.install(); import tensogram; print(tensogram is c)"
    assert run(code) == "True"
    code = (
        "import sys, types; sys.modules['tensogram'] = types.ModuleType('tensogram'); import tgmap.compat\n"
        "try: tgmap.compat.install()\nexcept ImportError as error: print(error)"
    )
    assert "imported before" in run(code)


def test_the_package_does_not_import_it():
    assert run("import sys, tgmap; print('tgmap.compat' in sys.modules, 'asyncio' in sys.modules)") == "False False"


def test_all_names_exist():
    assert all(hasattr(compat, name) for name in compat.__all__) and sorted(compat.__all__)[0] == "AsyncTensogramFile"
