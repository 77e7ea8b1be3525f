# SPDX-License-Identifier: Apache-2.0
"""Files that the tests read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from samples import write_forecast

import tgmap

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"

KINDS = ("golden", "reference", "synthetic")


def described_files():
    """Return (path, description) of all files whose content is known: those of the repository, and the shared ones."""
    folders = [DATA]
    shared = os.environ.get("TGMAP_SHARED", "")
    if shared:
        folders += [Path(shared) / "data" / "tgm" / kind for kind in KINDS]
    out = []
    for folder in folders:
        manifest = folder / "MANIFEST.json"
        if manifest.exists():
            out += [(folder / d["file"], d) for d in json.loads(manifest.read_text()) if (folder / d["file"]).exists()]
    return out


@pytest.fixture(autouse=True)
def closed_files():
    """Tests find as many descriptors as if they were alone."""
    yield
    tgmap.close_files()


def pytest_report_header():
    shared = os.environ.get("TGMAP_SHARED", "")
    return "shared files: " + (shared or "SKIPPED, TGMAP_SHARED is not set")


@pytest.fixture
def data() -> Path:
    """The folder of small real files."""
    return DATA


@pytest.fixture
def plain(data) -> Path:
    """One message with one plain object of float32."""
    return data / "w0.16.1_one_float32.tgm"


@pytest.fixture
def several(data) -> Path:
    """Several messages of several objects, with codecs."""
    return data / "mixed_0.tgm"


@pytest.fixture
def forecast(tmp_path) -> Path:
    """An archive of four messages of two objects."""
    path = tmp_path / "forecast.tgm"
    write_forecast(path)
    return path
