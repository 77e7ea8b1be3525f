# SPDX-License-Identifier: Apache-2.0
"""python -m tgmap."""

from __future__ import annotations

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


def test_a_package_without_the_command_says_so(monkeypatch):
    monkeypatch.setattr(_command.os, "access", lambda *_: False)
    with pytest.raises(FileNotFoundError, match="built without it"):
        _command.path()
