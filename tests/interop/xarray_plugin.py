#!/usr/bin/env python3
"""Runs the tests of the reference implementation's xarray plugin through tgmap.compat.

usage: tests/interop/xarray_plugin.py FOLDER plugin|engine

FOLDER has the sources of tensogram-xarray. `plugin`: the plugin itself, on top of tgmap.compat. `engine`: the engine that
tgmap.compat brings; tests of the plugin's inner functions, which it does not have, are counted apart.
"""

import collections
import pathlib
import sys
import types

import pytest

# Archives on other machines: compat opens local files only.
REMOTE = ("TestScannerRemote::test_scan_file_remote", "TestMergeRemote::test_open_datasets_remote_and_close",
          "TestXarrayRemoteOpen::")


class Internal:
    """Stands for a function of the plugin that is no part of its interface."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *_, **__):
        pytest.skip(f"internal: {self.name}")

    __getitem__ = __iter__ = __contains__ = __len__ = __call__


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Internal(f"{self.__name__}.{name}")


def install_engine():
    """Make the modules of the plugin give the engine of tgmap.compat."""
    import tensogram_xarray
    from tgmap.compat import engine
    from tgmap.compat.engine import _names

    def dims(shape, *, user_dim_names, coord_dim_sizes, per_object_meta, extra_dim_names_hint):
        return _names.dimensions(shape, user_dim_names, coord_dim_sizes, per_object_meta or {}, extra_dim_names_hint)

    tensogram_xarray.__path__ = []
    known = {
        "backend": {"TensogramBackendEntrypoint": engine.TensogramBackendEntrypoint},
        "merge": {"open_datasets": engine.open_datasets},
        "mapping": {
            "_resolve_dotted": _names.value_at,
            "parse_per_object_dim_names": lambda rank, meta: _names.stored_names(rank, meta or {}),
            "resolve_dims_for_axes": dims,
            "resolve_variable_name": _names.variable_name,
        },
        "coords": {"CANONICAL_DIM": _names.COORDINATES, "KNOWN_COORD_NAMES": frozenset(_names.COORDINATES)},
    }
    for name in ("array", "backend", "coords", "mapping", "merge", "scanner", "store"):
        module = Module(f"tensogram_xarray.{name}")
        module.__dict__.update(known.get(name, {}))
        sys.modules[module.__name__] = module
        setattr(tensogram_xarray, name, module)


class Counter:
    def __init__(self):
        self.outcomes = collections.Counter()

    def pytest_collection_modifyitems(self, items):
        for item in items:
            if any(each in item.nodeid for each in REMOTE):
                item.add_marker(pytest.mark.xfail(raises=OSError, strict=True, reason="needs a remote archive"))

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.outcomes["remote" if hasattr(report, "wasxfail") else report.outcome] += 1


def main():
    folder, mode = pathlib.Path(sys.argv[1]), sys.argv[2]
    import tgmap.compat

    if mode == "plugin":
        sys.path.insert(0, str(folder / "site"))
    tgmap.compat.install()
    if mode == "engine":
        install_engine()
    counter = Counter()
    arguments = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--no-header", "--tb=short", str(folder / "tests")]
    pytest.main([*arguments, *sys.argv[3:]], plugins=[counter])
    found = counter.outcomes
    print(f"xarray plugin, {mode}: {found['passed']} tests pass, {found['failed']} fail, {found['remote']} need a remote archive, "
          f"{found['skipped']} are of inner functions")
    sys.exit(1 if found["failed"] or found["passed"] < 100 else 0)


if __name__ == "__main__":
    main()
