# SPDX-License-Identifier: Apache-2.0
"""Examples run: those in docstrings, those of docs/python.md, and the notebook."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import pathlib
import pkgutil
import re
import warnings

import pytest
import tgmap

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
OPTIONAL = ("tgmap.datasets.", "tgmap.references.", "tgmap.torch", "tgmap.compat.engine")  # need packages that are optional
PACKAGES = ("xarray", "torch", "zarr", "numcodecs", "virtualizarr", "obspec_utils", "obstore")  # that are optional
NEEDED = {"to_dataset": "xarray", "tgmap.torch": "torch"}  # what the blocks of the guide with these words need
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def module_names():
    found = [each.name for each in pkgutil.walk_packages(tgmap.__path__, "tgmap.")]
    return ["tgmap", *(name for name in found if name != "tgmap.__main__")]


def imported(name):
    """Return a module; skip the test if it needs a package that is optional."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package not in PACKAGES:
            raise
        pytest.skip(f"SKIPPED: examples of {name} ({package} is not here)")


def run_all(tests):
    """Run examples and return their number; fail with what differs."""
    runner, report = doctest.DocTestRunner(optionflags=OPTIONS), []
    for test in tests:
        runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return runner.tries


@pytest.mark.parametrize("name", module_names())
def test_docstrings(name, forecast, monkeypatch):
    monkeypatch.chdir(forecast.parent)
    run_all(doctest.DocTestFinder(exclude_empty=True).find(imported(name)))


def test_the_package_has_examples():
    finder = doctest.DocTestFinder()
    modules = [importlib.import_module(name) for name in module_names() if not name.startswith(OPTIONAL)]
    assert sum(len(test.examples) for module in modules for test in finder.find(module)) >= 6


@pytest.mark.parametrize(("name", "count", "needed"), [("python.md", 20, ()), ("clusters.md", 12, ("xarray", "dask"))])
def test_guides(forecast, monkeypatch, name, count, needed):
    page = ROOT / "docs" / name
    if not page.is_file():
        pytest.skip(f"SKIPPED: the examples of docs/{name} (the page is not here)")
    for module in needed:
        pytest.importorskip(module, reason=f"SKIPPED: the examples of docs/{name} ({module} is not here)")
    monkeypatch.chdir(forecast.parent)
    names, parser, tests = {}, doctest.DocTestParser(), []
    text = page.read_text()
    absent = [word for word, name in NEEDED.items() if importlib.util.find_spec(name) is None]
    for block in PYTHON_BLOCK.finditer(text):
        if missing := [NEEDED[word] for word in absent if word in block.group(1)]:
            warnings.warn(f"SKIPPED: an example of docs/python.md ({missing[0]} is not here)", stacklevel=1)
            continue
        line = text.count("\n", 0, block.start()) + 1
        tests.append(parser.get_doctest(block.group(1), names, name, str(page), line))
    for test in tests:
        test.globs = names  # one session
        report = []
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        runner.run(test, out=report.append, clear_globs=False)
        assert runner.failures == 0, "".join(report)
    assert sum(len(test.examples) for test in tests) >= count


@pytest.mark.parametrize(("name", "needs"), [("tutorial", ()), ("cubes", ("xarray", "dask"))])
def test_notebook(name, needs, tmp_path, monkeypatch, capsys):
    """What cells print is as the notebook has it, unless their tag says that the numbers may differ in the last digit."""
    page = ROOT / "docs" / f"{name}.ipynb"
    if not page.is_file():
        pytest.skip(f"SKIPPED: the notebook (docs/{name}.ipynb is not here)")
    for each in needs:
        pytest.importorskip(each, reason=f"SKIPPED: the notebook {name}.ipynb ({each} is not here)")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(page.read_text())
    assert notebook["nbformat"] == 4
    names, cells = {"__name__": "__main__"}, 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(compile(source, f"{name}.ipynb, cell {number}", "exec"), names)
            cells += 1
            stored = "".join(text for each in cell["outputs"] for text in each.get("text", ()))
            printed = capsys.readouterr().out
            if stored and "numbers" not in cell["metadata"].get("tags", ()):
                assert printed == stored, f"cell {number}"
    assert cells >= 8
