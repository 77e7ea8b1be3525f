# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/references.md run, as far as what they need is installed; names of codecs lead to classes."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import warnings

import pytest
from conftest import ROOT

import tgmap

PAGE = ROOT / "docs" / "references.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDED = {"ArchiveStore": "zarr", "manifest_store": "kerchunk", "icechunk": "icechunk"}


def missing_for(block):
    needed = {"zarr", "xarray", *(package for word, package in NEEDED.items() if word in block)}
    if needed & {"kerchunk", "icechunk"}:
        needed.add("virtualizarr")
    return sorted(package for package in needed if importlib.util.find_spec(package) is None)


def blocks():
    return BLOCK.findall(PAGE.read_text()) if PAGE.is_file() else []


@pytest.mark.parametrize("number", range(len(blocks())))
def test_page(number, forecast, monkeypatch):
    """Each block runs after those before it that can run."""
    monkeypatch.chdir(forecast.parent)
    missing = missing_for(blocks()[number])
    if missing:
        pytest.skip(f"SKIPPED: an example of docs/references.md ({', '.join(missing)} is not here)")
    names = {}
    for block in [each for each in blocks()[: number + 1] if not missing_for(each)]:
        report = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        test = doctest.DocTestParser().get_doctest(block, names, "references.md", str(PAGE), 0)
        test.globs = names
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runner.run(test, out=report.append, clear_globs=False)
        assert runner.failures == 0, "".join(report)
        assert runner.tries >= 3


def test_the_page_has_examples():
    if not PAGE.is_file():
        pytest.skip("SKIPPED: the examples of docs/references.md (the page is not here)")
    assert len(blocks()) >= 3


def test_entry_points_lead_to_the_codecs():
    tomllib = pytest.importorskip("tomllib", reason="SKIPPED: entry points of codecs (tomllib is not here)")
    project = ROOT / "pyproject.toml"
    if not project.is_file():
        pytest.skip("SKIPPED: entry points of codecs (pyproject.toml is not here)")
    groups = tomllib.loads(project.read_text())["project"]["entry-points"]
    for group, package in (("zarr.codecs", "zarr"), ("numcodecs.codecs", "numcodecs")):
        (name, place), *others = groups[group].items()
        assert name == "tgmap" and not others
        if importlib.util.find_spec(package) is None:
            continue
        module, _, attribute = place.partition(":")
        assert callable(getattr(importlib.import_module(module), attribute))


def test_zarr_and_numcodecs_find_the_codec_of_an_installed_package(tmp_path):
    """Readers import nothing of this package: entry points lead to it."""
    pytest.importorskip("zarr", reason="SKIPPED: entry points of codecs (zarr is not here)")
    tomllib = pytest.importorskip("tomllib", reason="SKIPPED: entry points of codecs (tomllib is not here)")
    project = ROOT / "pyproject.toml"
    if not project.is_file():
        pytest.skip("SKIPPED: entry points of codecs (pyproject.toml is not here)")
    groups = tomllib.loads(project.read_text())["project"]["entry-points"]
    lines = [line for group in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in groups[group].items()))]
    installed = tmp_path / "readers_of_archives-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: readers-of-archives\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("\n".join(lines))
    code = """
import sys, numcodecs, zarr
configuration = {"dtype": "float32", "shape": [3]}
print("tgmap" in sys.modules)
print(zarr.registry.get_codec_class("tgmap").from_dict({"name": "tgmap", "configuration": configuration}).to_dict())
print(numcodecs.get_codec({"id": "tgmap", **configuration}).get_config())
"""
    path = os.pathsep.join([str(tmp_path), str(pathlib.Path(tgmap.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.splitlines() == [
        "False",
        "{'name': 'tgmap', 'configuration': {'dtype': 'float32', 'shape': [3], 'part': 'frame'}}",
        "{'id': 'tgmap', 'dtype': 'float32', 'shape': [3], 'part': 'frame'}",
    ], done.stderr
