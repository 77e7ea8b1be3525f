# SPDX-License-Identifier: Apache-2.0
"""python -m tgmap."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tgmap
from tgmap import _command


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "tgmap", *map(str, arguments)], capture_output=True, text=True, **options)


def test_it_is_the_command(forecast):
    assert run("count", forecast).stdout.strip() == "4"
    assert tgmap.__version__ in run("--version").stdout


def test_arguments_input_and_exit_status_pass_through(forecast):
    assert run("count", "-", input="").returncode == run("count", "-", input="").returncode
    missing = run("ls", forecast.parent / "a b.tgm")
    assert missing.returncode != 0 and "a b.tgm" in missing.stderr
    done = subprocess.run([sys.executable, "-m", "tgmap", "count", "-"], input=forecast.read_bytes(), capture_output=True)
    assert done.stdout.strip() == b"4" and done.returncode == 0


def test_a_package_without_the_command_says_so(monkeypatch):
    monkeypatch.setattr(_command.os, "access", lambda *_: False)
    with pytest.raises(FileNotFoundError, match="built without it"):
        _command.path()
