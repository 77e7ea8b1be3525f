# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: what importing it loads, its names, its types."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import numpy
import pytest
import tgmap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(tgmap.__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}


def modules_after(*imports):
    code = "import sys\n" + "".join(f"import {each}\n" for each in imports) + "print(*sys.modules)"
    call = [sys.executable, "-c", code]
    return set(subprocess.run(call, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout.split())


def test_import_loads_few_modules_beyond_numpy():
    """Each module costs time at every start of a program. The bar is 20 ms beyond NumPy's own import."""
    beyond = modules_after("numpy", "tgmap") - modules_after("numpy")
    # NumPy 1.23 does not import typing itself.
    allowed = {"__future__", "atexit", "html", "html.entities", "typing", "typing.io", "typing.re"}
    others = {name for name in beyond if name.partition(".")[0] not in {"tgmap", "nanobind_backend"}}
    assert others <= allowed, sorted(others)
    assert not {name for name in beyond if name.startswith("tgmap.compat")}


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", tgmap.__version__)
    assert tgmap.__version__ == tgmap.doctor()["version"]
    listed = ROOT / "CMakeLists.txt"
    if listed.is_file():
        assert f"VERSION {tgmap.__version__}" in listed.read_text()


def test_every_public_name_exists_and_has_a_docstring():
    assert len(set(tgmap.__all__)) == len(tgmap.__all__) > 10
    for name in tgmap.__all__:
        assert getattr(tgmap, name).__doc__, name


def test_the_stub_is_up_to_date(tmp_path):
    """`./dev stubs` writes it again."""
    pytest.importorskip("nanobind", reason="SKIPPED: the stub of _core (nanobind is not here)")
    patterns = ROOT / "python" / "cpp" / "stub_patterns.txt"
    if not patterns.is_file():
        pytest.skip("SKIPPED: the stub of _core (the sources of the extension module are not here)")
    made = tmp_path / "_core.pyi"
    call = [sys.executable, "-m", "nanobind.stubgen", "-q", "-P", "-m", "tgmap._core", "-p", patterns, "-o", made]
    subprocess.run(call, check=True, env=ENVIRONMENT)
    stored = PACKAGE / "_core.pyi"
    assert stored.read_text() == made.read_text(), "run ./dev stubs"


def test_a_typed_program(tmp_path):
    pytest.importorskip("mypy", reason="SKIPPED: types of a program (mypy is not here)")
    program = pathlib.Path(__file__).parent / "typed_program.py"
    cache = ROOT / "build" / "mypy_cache" if (ROOT / "build").is_dir() else tmp_path  # a second run takes a tenth
    call = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "--python-version", "3.10", program]
    done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_numpy_is_at_least_the_version_that_is_required():
    assert tuple(map(int, numpy.__version__.split(".")[:2])) >= (1, 23)


def printed(code):
    call = [sys.executable, "-c", code]
    return subprocess.run(call, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout.split()


def test_a_second_import_does_not_break_the_first():
    code = """
import sys, tgmap, numpy
archive = tgmap.open(tgmap.encode(numpy.arange(3)))
def remove(part):
    for name in [name for name in sys.modules if part in name]: del sys.modules[name]
remove("tgmap")
import tgmap as second
print(second is tgmap, second._core is tgmap._core, len(archive), second.encode(archive[0][0]) != b"")
try:
    archive[5]
except IndexError:
    print("IndexError")
"""
    assert printed(code) == ["False", "True", "1", "True", "IndexError"]


def test_another_interpreter_is_refused():
    code = """
import tgmap, numpy
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
data = tgmap.encode(numpy.arange(3))
program = "try:\\n import tgmap\\nexcept ImportError as error:\\n print('main interpreter' in str(error), flush=True)"
getattr(interpreters, "run_string")(interpreters.create("legacy") if hasattr(interpreters, "exec") else interpreters.create(), program)
print(len(tgmap.open(data)), flush=True)
"""
    assert printed(code) == ["True", "1"]
