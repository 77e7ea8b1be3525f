# SPDX-License-Identifier: Apache-2.0
"""What tests share: small archives that they write themselves, and the samples of the repository."""

from __future__ import annotations

import os
import pathlib

import numpy
import pytest
from samples import write_forecast

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def forecast(tmp_path):
    """Path of an archive of four messages of two objects."""
    path = tmp_path / "forecast.tgm"
    write_forecast(path)
    return path


@pytest.fixture(scope="session")
def samples():
    """Folder of the sample archives of the repository."""
    folder = ROOT / "tests" / "data"
    if not folder.is_dir():
        pytest.skip("SKIPPED: the sample archives are not here (a checkout has them)")
    return folder


@pytest.fixture(scope="session")
def shared_files():
    """Folder of the large sample archives, which are not part of the repository."""
    folder = pathlib.Path(os.environ.get("TGMAP_SHARED", ROOT / "shared")) / "data" / "tgm"
    if not folder.is_dir():
        pytest.skip("SKIPPED: the shared archives are not here (TGMAP_SHARED names their folder)")
    return folder


@pytest.fixture(autouse=True)
def in_folder_of_doctest(request, doctest_namespace, tmp_path, monkeypatch):
    """Examples in docstrings open forecast.tgm in the current folder."""
    if isinstance(request.node, pytest.DoctestItem):
        write_forecast(tmp_path / "forecast.tgm")
        monkeypatch.chdir(tmp_path)
        doctest_namespace["numpy"] = numpy
