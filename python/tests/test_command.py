# SPDX-License-Identifier: Apache-2.0
"""python -m tgmap."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import tgmap
from tgmap import _command


def run(*arguments, **options):
    call = [sys.executable, "-m", "tgmap", *map(str, arguments)]
    return subprocess.run(call, capture_output=True, **options)


def test_it_is_the_command(forecast):
    assert run("count", forecast).stdout.strip() == b"4"
    assert tgmap.__version__ in run("--version").stdout.decode()


def test_arguments_input_and_exit_status_pass_through(forecast):
    missing = run("ls", forecast.parent / "a b.tgm")
    assert missing.returncode != 0 and b"a b.tgm" in missing.stderr
    done = run("count", "-", input=forecast.read_bytes())
    assert done.stdout.strip() == b"4" and done.returncode == 0


def test_cubes_are_explained_by_the_same_interpreter(forecast, monkeypatch):
    monkeypatch.delenv("TGMAP_PYTHON", raising=False)
    done = run("cube", "--at", "step=6h", "f.tgm", cwd=_renamed(forecast, "f.tgm"))
    assert done.stdout.splitlines()[1:] == [b"fields\t2t\t6h\tf.tgm:1:0", b"fields\t10u\t6h\tf.tgm:1:1"]
    assert (done.returncode, done.stderr) == (0, b"")
    (python,) = [each for each in json.loads(run("doctor", "--json").stdout)["features"] if each["kind"] == "program"]
    assert python["origin"] == f"{sys.executable}, package tgmap {tgmap.__version__}"
    assert python["version"] == sys.version.split()[0]
    monkeypatch.setenv("TGMAP_PYTHON", "/nonexistent/python")  # what is set stays
    assert b"'/nonexistent/python' cannot be started" in run("cube", forecast.parent / "f.tgm").stderr


def _renamed(path, name):
    path.rename(path.parent / name)
    return path.parent


def test_a_package_without_the_command_says_so(monkeypatch):
    monkeypatch.setattr(_command.os, "access", lambda *_: False)
    with pytest.raises(FileNotFoundError, match="built without it"):
        _command.path()
