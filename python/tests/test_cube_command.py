# SPDX-License-Identifier: Apache-2.0
"""What ``tgmap cube`` prints, and cells and pictures of explanations. None of it needs xarray."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from cube_archives import forecast, model_output, write
from cube_rows import product

import tgmap
from tgmap.cube_command import _run
from tgmap.cube_command._arguments import parse
from tgmap.cube_command._report import Report, with_options
from tgmap.cubes import CubeError

ENSEMBLE = product(param="t", number=list(range(50)), step=[0, 6, 12], levelist=[850, 500], _shape=[(2,)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    write(folder / "f.tgm", forecast())
    write(folder / "h.tgm", [row for i, row in enumerate(forecast()) if i not in (14, 17)])
    write(folder / "e.tgm", [row for row in ENSEMBLE if row["number"] < 40 or row["step"] < 12])
    write(folder / "m.tgm", model_output())
    return folder


@pytest.fixture
def cube(folder, monkeypatch, capsys):
    """Call the command: its exit status, and the text of both outputs."""
    monkeypatch.chdir(folder)

    def call(*arguments):
        report = Report()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.showwarning", report.warn)
            text = _run(arguments, report)
        return report.status, text, capsys.readouterr().err

    return call


def test_text(cube, folder):
    status, text, errors = cube("h.tgm")
    assert (status, errors) == (0, "") and text == f"{tgmap.explain_cube(folder / 'h.tgm')}\n"
    assert "variable t (step: 3, levelist: 2, y: 3, x: 4) float32, 1 of 6 cells empty" in text


def test_text_of_a_part(cube):
    _, text, _ = cube("f.tgm", "--group", "pl", "--variable=z")
    assert "variable z " in text and "variable t " not in text and "sfc" not in text
    assert cube("f.tgm", "--group=x")[::2] == (
        1,
        "tgmap: there is no group 'x'; the groups are: pl, sfc, sfc_lsm, sfc_tp\n",
    )
    assert cube("f.tgm", "--variable=x")[2].startswith("tgmap: there is no variable 'x'; there are 10u, ")


def test_text_at_a_terminal(cube):
    _, text, _ = cube("f.tgm", "--terminal", "--colored", "--width=60")
    lines = text.splitlines()
    assert max(len(line) for line in lines if "\x1b" not in line) <= 60
    assert [line for line in lines if "\x1b" in line][0] == "\x1b[1mpl  (where: mars.levtype=pl)\x1b[0m"
    words = [word for line in lines for word in line.replace("\x1b[1m", "").replace("\x1b[0m", "").split()]
    assert words == cube("f.tgm")[1].split()  # nothing is cut off


def test_cells(cube):
    status, text, _ = cube("h.tgm", "--at=step=6h,levelist=500/1000")
    assert status == 0
    assert text.splitlines() == [
        "group\tvariable\tstep\tlevelist\tobject",
        "pl\tt\t6h\t500\th.tgm:17:0",
        "pl\tt\t6h\t1000\t-",
        "pl\tz\t6h\t500\th.tgm:18:0",
        "pl\tz\t6h\t1000\th.tgm:16:0",
    ]
    _, text, _ = cube("./f.tgm", "--at", "step=3h", "--variable=2t,tp", "--terminal")
    assert text.splitlines() == [
        "group   variable  step  object",
        "sfc     2t        3h    ./f.tgm:2:0",
        "sfc_tp  tp        3h    ./f.tgm:6:0",
    ]
    _, text, _ = cube("e.tgm", "--cells", "--where=mars.number=7")
    assert text.count("e.tgm:") == 6


def test_addresses_are_those_of_the_objects(cube, folder):
    archive = tgmap.open(folder / "f.tgm")
    for line in cube("f.tgm", "--cells", "--group=pl")[1].splitlines()[1:]:
        _, variable, step, level, address = line.split("\t")
        mars = archive[int(address.split(":")[1])][0].metadata["mars"]
        assert (mars["param"], f"{mars['step']}h", str(mars["levelist"])) == (variable, step, level)


def test_cells_that_are_not_there(cube):
    assert cube("f.tgm", "--at=step=7h")[::2] == (1, "tgmap: step has no label 7h; there are 0h, 3h, 6h\n")
    status, _, errors = cube("f.tgm", "--at=stpe=7h")
    assert status == 1 and errors.endswith(
        "there are forecast_reference_time, levelist, step, valid_time; did you mean 'step'?\n"
    )
    status, _, errors = cube("f.tgm", "--at=step")
    assert (status, errors) == (2, "tgmap: --at takes KEY=VALUE, not 'step'; run `tgmap cube --help`\n")


def test_labels_of_all_kinds(folder):
    found = tgmap.explain_cube(folder / "f.tgm")
    one = [("pl", "t", {"step": np.timedelta64(6, "h"), "levelist": 500}, "f.tgm:19:0")]
    for step in ("6h", "6", "360m", np.timedelta64(6, "h")):
        for level in ("500", 500, 500.0):
            assert list(found.cells("t", step=step, levelist=level)) == one
    for time in ("2024-01-01", "20240101", "2024-01-01T00:00", np.datetime64("2024-01-01")):
        assert len(list(found.cells("t", forecast_reference_time=time))) == 6
    with pytest.raises(CubeError, match="no label 2024-01-02"):
        list(found.cells(forecast_reference_time="2024-01-02"))
    assert len(list(found.cells("t", step=["0h", "6h"], group="pl"))) == 4


def test_maps(cube, folder):
    _, text, _ = cube("e.tgm", "--map", "--width=40")
    head, steps, numbers, others, *rows = text.splitlines()
    assert head == "t: 20 of 300 cells empty" and steps == "  step from left to right: 0h to 12h"
    assert numbers == "  number downwards, 2 each" and others == "  each cell is 2 of levelist"
    assert rows == [f"  {number:2} |{'###' if number < 40 else '##.'}|" for number in range(0, 50, 2)]
    assert cube("f.tgm", "--map")[1] == "no variable has a cell without an object\n"
    _, text, _ = cube("f.tgm", "--map", "--variable=tp", "--join=outer")
    assert text == "tp of sfc: 1 of 3 cells empty\n  step from left to right: 0h to 6h\n   |.##|\n"
    assert cube("m.tgm", "--map", "--variable=2t", "--where=mars.step=6")[1] == "2t: no cell is empty\n  |#|\n"


def test_maps_of_many_labels(tmp_path):
    rows = product(param="t", step=list(range(200)), _shape=[(1,)])
    path = write(tmp_path / "long.tgm", [row for row in rows if not 40 <= row["step"] < 50])
    assert tgmap.explain_cube(path).map() == "no variable has a cell without an object"  # no label without an object
    path = write(
        tmp_path / "two.tgm",
        [
            r
            for r in product(param=["t"], number=[1, 2], step=list(range(200)), _shape=[(1,)])
            if r["number"] == 1 or not 40 <= r["step"] < 50
        ],
    )
    lines = tgmap.explain_cube(path).map(width=46).splitlines()
    assert lines[1] == "  step from left to right: 0h to 199h, 5 each"
    assert lines[3:] == ["  1 |" + "#" * 40 + "|", "  2 |" + "#" * 8 + ".." + "#" * 30 + "|"]


@pytest.mark.parametrize(
    "arguments", [["f.tgm"], ["h.tgm", "--join=outer"], ["m.tgm"], ["e.tgm", "--rename=tt=x", "--where=mars.number=45"]]
)
def test_json_has_its_schema(cube, arguments):
    jsonschema = pytest.importorskip("jsonschema", reason="SKIPPED: the schema of cube (jsonschema is not here)")
    _, text, _ = cube(*arguments, "--json")
    (line,) = text.splitlines()
    jsonschema.validate(json.loads(line), json.loads((ROOT / "docs" / "schema" / "cube.json").read_text()))
    schema = json.loads((ROOT / "docs" / "schema" / "cube_cells.json").read_text())
    lines = cube(*arguments, "--json", "--cells")[1].splitlines()
    assert lines
    validator = jsonschema.Draft202012Validator(schema)
    for line in lines:
        validator.validate(json.loads(line))


def test_json(cube):
    found = json.loads(cube("f.tgm", "--json", "--group=pl", "--variable=t")[1])
    (group,) = found["groups"]
    assert (found["files"], found["objects"], group["name"], group["where"]) == (["f.tgm"], 21, "pl", "mars.levtype=pl")
    values = {each["name"]: each["values"] for each in group["coordinates"]}
    assert values["step"] == [0, 10800, 21600] and values["forecast_reference_time"] == "2024-01-01T00:00:00"
    (variable,) = group["variables"]
    assert variable["shape"] == [3, 2, 3, 4] and variable["dims_between_objects"] == 2 and variable["holes"] == 0
    assert {"key": "step", "role": "dimension", "text": "3 values: it varies"} in variable["reasons"]
    cell = json.loads(cube("f.tgm", "--json", "--at=step=6h,levelist=500", "--variable=t")[1])
    assert cell == {
        "group": "pl",
        "variable": "t",
        "labels": {"step": 21600, "levelist": 500},
        "object": {"file": "f.tgm", "message": 19, "object": 0},
    }


@pytest.mark.skipif(sys.platform == "darwin", reason="SKIPPED: a name that is no UTF-8 (the file system has none)")
def test_names_that_are_no_utf8(cube, folder):
    name = os.fsdecode(b"\xff.tgm")
    write(folder / name, product(param="t"))
    assert json.loads(cube(name, "--json", "--cells")[1])["object"]["file_hex"] == "ff2e74676d"
    assert cube(name, "--cells")[1].endswith("\\xff.tgm:0:0\n")


def test_options(cube):
    given = parse(
        "--names=cfgrib --variable-key=k --dims=a,b --ignore=c --ensure-dims=step --no-squeeze --fill=number=0,x=od "
        "--dim-names=3=lat,4=lon --control=separate --duplicates=last --intervals=mixed --join=outer --promote "
        "--time-unit=s --mars-time=HHMM --rename=t=u --where=a=1 --where=b=2 f.tgm".split()
    )
    assert given.where == "(a=1) and (b=2)" and given.files == ["f.tgm"]
    assert given.options == {
        "names": "cfgrib",
        "variable_key": "k",
        "dims": ["a", "b"],
        "ignore": ["c"],
        "ensure_dims": ["step"],
        "squeeze": False,
        "fill": {"number": 0, "x": "od"},
        "dim_names": {3: "lat", 4: "lon"},
        "control": "separate",
        "duplicates": "last",
        "intervals": "mixed",
        "join": "outer",
        "promote": True,
        "time_unit": "s",
        "mars_time": "HHMM",
        "rename": {"t": "u"},
    }
    assert "coordinate isobaricInhPa" in cube("f.tgm", "--names=cfgrib")[1]
    assert "variable t (step: 3, levelist: 2, lat: 3, lon: 4)" in cube("f.tgm", "--dim-names=lat,lon")[1]


def test_every_option_of_to_dataset_is_one_of_the_command():
    import dataclasses

    from tgmap.cube_command._arguments import _LISTS, _PAIRS, _TEXTS

    known = {*_LISTS, *_PAIRS, *_TEXTS, "squeeze", "promote", "dim_names"}
    # A dry run shows holes, and prints no attributes.
    assert {each.name for each in dataclasses.fields(tgmap.cubes.Options)} == known | {"allow_holes", "attrs"}


def test_errors(cube, tmp_path):
    status, text, errors = cube("f.tgm", "f.tgm")
    assert (status, text) == (1, "")
    assert errors.startswith(
        "tgmap: the variable '2t' has several objects for 3 cells:\n  step=0h: f.tgm:0:0, f.tgm:0:0\n"
    )
    assert errors.endswith(
        "\nTake --duplicates first, last or stack, add a key that tells them apart by --dims, or select " "by --where\n"
    )
    assert cube("absent.tgm")[::2] == (1, "tgmap: absent.tgm: No such file or directory\n")
    assert cube("f.tgm", "--where=mars.step=7")[2].endswith(
        "tgmap: there are no objects; a selection that matches some is " "needed\n"
    )
    assert cube("f.tgm", "--where=a==")[0] == 1
    assert cube("f.tgm", "--map", "--json")[0] == 2
    _, _, errors = cube("f.tgm", "--rename=tpp=rain")
    assert errors == ("tgmap: rename names 'tpp', which is no variable, dimension or coordinate; did you mean 'tp'?\n")
    assert cube("f.tgm", "--rename=tpp=rain", "--quiet")[2] == ""


def test_damage_is_the_exit_status(cube, folder):
    whole = (folder / "f.tgm").read_bytes()
    (folder / "gap.tgm").write_bytes(whole + bytes(100) + (folder / "e.tgm").read_bytes())
    status, text, errors = cube("gap.tgm")
    assert status == 3 and text.startswith("301 objects")
    assert errors == (
        "tgmap: gap.tgm: the file is damaged; message numbers skip the damaged parts; run `tgmap info gap.tgm` to see them\n"
    )
    assert cube("gap.tgm", "--quiet")[::2] == (3, "")
    (folder / "cut.tgm").write_bytes(whole[:-10])
    status, text, errors = cube("cut.tgm")
    assert status == 3 and text.startswith("20 objects") and errors.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("leave it out by ignore=['mars.time']", "leave it out by --ignore mars.time"),
        ("fill={'number': VALUE} gives them one", "--fill number=VALUE gives them one"),
        ("rename one by rename={'a': 'other'}, or names=", "rename one by --rename a=other, or --names"),
        ("mars_time='hours' or mars_time='HHMM'", "--mars-time hours or --mars-time HHMM"),
        ("Take allow_holes=True, or where=", "Take --allow-holes, or --where"),
        ("dim_names=['latitude', 'longitude']", "--dim-names latitude,longitude"),
        ("the names are a, b", "the names are a, b"),
    ],
)
def test_errors_name_options_of_the_command(text, expected):
    assert with_options(text) == expected


def run_main(folder, arguments, **options):
    code = "from tgmap.cube_command import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, stderr=subprocess.PIPE, **options)


def test_a_program(folder):
    with open(folder / "f.tgm", "rb") as file:
        done = run_main(folder, ["--cells", "--", "-"], stdin=file, stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"") and b"\t-:19:0\n" in done.stdout
    with open("/dev/full", "wb") as full:
        done = run_main(folder, ["f.tgm"], stdout=full)
    assert done.returncode == 1 and done.stderr.startswith(b"tgmap: standard output: No space left on device")
    reading, writing = os.pipe()
    os.close(reading)
    done = run_main(folder, ["f.tgm"], stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
