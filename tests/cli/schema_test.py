#!/usr/bin/env python3
"""Checks the JSON output of the command against the schemas in docs/schema.

usage: tests/cli/schema_test.py COMMAND [--all]        (exit status 77: no jsonschema here)

Every fourth archive of tests/data is enough to see each form; --all takes all of them.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIPPED: JSON against its schemas (python3-jsonschema is not installed)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"
ARCHIVES = sorted(DATA.glob("*.tgm"))[:: 1 if "--all" in sys.argv else 4]

# Arguments after the verb, the schema, and the form of a document: a line, a whole output, or one of several.
FILES = [
    (["info", "--json"], "info", "line"),
    (["info", "--json", "--codecs"], "info", "line"),
    (["stats", "--json"], "stats", "line"),
    (["ls", "--json"], "ls", "line"),
    (["ls", "--json", "--objects"], "ls", "line"),
    (["ls", "--json", "-p", "version,name,mars.step,shape,@offset"], "keys", "line"),
    (["ls", "--json", "--objects", "-p", "name,shape,@stored:s,name:i,@stored:d"], "keys", "line"),
    (["get", "--json", "-p", "@offset,@length"], "keys", "line"),
    (["count", "--json"], "count", "line"),
    (["explain", "--json", "-w", "mars.param=2t"], "explain_selection", "line"),
    (["explain", "--json", "--objects", "-w", "not name=a"], "explain_selection", "line"),
    (["du", "--json"], "du", "line"),
    (["du", "--json", "--by", "version"], "du", "line"),
    (["dump", "--json"], "dump", "documents"),
    (["dump", "--json", "--frames"], "frames", "line"),
    (["validate", "--json"], "validate", "whole"),
    (["validate", "--json", "--full", "--canonical", "--offsets"], "validate", "whole"),
]
OF_ZIO = {"recv", "send", "tens"}
ALONE = [(["doctor", "--json"], "doctor", "line")]
OBJECTS = [
    (["show", "--json"], "show", "line"),
    (["explain", "--json"], "explain", "line"),
    (["extract", "--format", "json"], "extract_values", "line"),
]


def documents(text, form):
    if form == "line":
        return [json.loads(line) for line in text.splitlines()]
    if form == "whole":
        return [json.loads(text)]
    decoder, at, out = json.JSONDecoder(), 0, []
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        document, at = decoder.raw_decode(text, at)
        out.append(document)
    return out


class Schemas:
    def __init__(self):
        self.known = {}
        for path in sorted((ROOT / "docs" / "schema").glob("*.json")):
            schema = json.loads(path.read_text(encoding="utf-8"))
            jsonschema.Draft202012Validator.check_schema(schema)
            self.known[path.stem] = jsonschema.Draft202012Validator(schema)
        self.held = dict.fromkeys(self.known, 0)

    def forget(self, begin):
        self.held = {name: held for name, held in self.held.items() if not name.startswith(begin)}

    def hold(self, name, document, call):
        for problem in self.known[name].iter_errors(document):
            sys.exit(f"{' '.join(call)}: {problem.json_path}: {problem.message}\n{json.dumps(document)[:2000]}")
        self.held[name] += 1


def main():
    command, schemas = str(pathlib.Path(sys.argv[1]).resolve()), Schemas()

    # Builds without ZeroMQ have no such verbs.
    speaks_zio = b"no ZeroMQ" not in subprocess.run([command, "recv"], capture_output=True, check=False).stderr

    def call(arguments, name, form):
        done = subprocess.run([command, *arguments], capture_output=True, cwd=DATA, check=False)
        if done.returncode not in (0, 1, 3, 4):
            sys.exit(f"{' '.join(arguments)}: exit status {done.returncode}\n{done.stderr.decode()}")
        text = done.stdout.decode("utf-8")
        for document in documents(text, form):
            schemas.hold(name, document, arguments)

    with tempfile.TemporaryDirectory() as directory:
        for file in ARCHIVES:
            call(["extract", "--json", "--stored", f"{file.name}:0:0", "-o", f"{directory}/out"], "extract", "line")
            call(["extract", "--json", f"{file.name}:..", "-o", f"{directory}/all.npz"], "extract", "line")
            call(["extract", "--json", f"{file.name}:0:0[...]", "-o", f"{directory}/"], "extract", "line")
            call(["create", "--json", "--dtype", "uint8", "--shape", str(file.stat().st_size), f"{directory}/made.tgm",
                  file.name], "create", "line")
            call(["split", "--json", "--count", "2", file.name, "-o", f"{directory}/part.tgm"], "copy", "line")
            call(["diff", "--json", file.name, "mixed_0.tgm"], "diff", "line")
            call(["diff", "--json", "-k", "version", file.name, "w0.24.0_scalars.tgm"], "diff", "line")
            call(["diff", "--json", "--objects", file.name, "w0.24.0_scalars.tgm"], "diff", "line")
            call(["copy", "--json", file.name, f"{directory}/[@message]_[version].tgm"], "copy", "line")
            call(["copy", "--json", "--objects", file.name, f"{directory}/[dtype].tgm"], "copy", "line")
            out = f"{directory}/out.tgm"
            call(["set", "--json", "-s", "zz:i=5", file.name, out], "set", "line")
            for verb in (["rehash"], ["reindex", "--index", "footer"]):
                call([*verb, "--json", file.name, out], verb[0], "line")
            call(["upgrade", "--json", "--verify", file.name, out], "upgrade", "line")
            call(["convert", "--json", "--allow-nan", "--allow-inf", "--compression", "lz4", file.name, out], "convert",
                 "line")
            call(["convert", "--json", "--widen", "--encoding", "simple_packing", "--bits", "3", "-w", "dtype=float32",
                  file.name, out], "convert", "line")
            for verb in ("reshuffle", "merge"):
                call([verb, "--json", file.name, "-o", out], verb, "line")
            call(["append", "--json", f"{directory}/all.tgm", file.name], "append", "line")
            for verb in ("create", "update", "check", "show", "drop"):
                call(["index", verb, "--json", "--index", f"{directory}/x.tgx", file.name], f"index_{verb}", "line")
        if speaks_zio:
            nobody = f"ipc://{directory}/nobody"
            call(["send", "--json", "--timeout", "0", "--to", nobody, "mixed_0.tgm"], "send", "line")
            out = f"{directory}/none.tgm"
            call(["recv", "--json", "--timeout", "0", "--from", nobody, "-o", out], "recv", "line")
    for file in ARCHIVES:
        for arguments, name, form in FILES:
            call([*arguments, file.name], name, form)
        for arguments, name, form in OBJECTS:
            call([*arguments, f"{file.name}:0:0"], name, form)
    with tempfile.TemporaryDirectory() as directory:
        archive = f"{directory}/grib.tgm"
        made = subprocess.run([command, "import", "grib", str(DATA / "grib" / "simple_16.grib"), archive],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            print(f"SKIPPED: JSON of import grib and export grib: {made.stderr}")
            schemas.forget("import_")
            schemas.forget("export_")
        for path in sorted((DATA / "grib").glob("*.grib")) if made.returncode == 0 else []:
            call(["import", "grib", "--json", "-f", "--grib-keys", "ls,time", str(path), archive], "import_grib", "line")
            call(["export", "grib", "--json", "-f", archive, f"{directory}/out.grib"], "export_grib", "line")
        broken = pathlib.Path(directory) / "broken.grib"
        if made.returncode == 0:
            broken.write_bytes((DATA / "grib" / "simple_16.grib").read_bytes()[:300])
            call(["import", "grib", "--json", "-f", str(broken), archive], "import_grib", "line")
    frames = [str(path.relative_to(DATA)) for path in sorted((DATA / "tens").glob("*.frame"))]
    if "no ZeroMQ" in subprocess.run([command, "tens"], capture_output=True, text=True, check=False).stderr:
        print("SKIPPED: JSON of tens (built without ZeroMQ)")
        schemas.forget("tens_")
        frames = []
    with tempfile.TemporaryDirectory() as directory:
        for frame in frames:
            call(["tens", "show", "--json", frame], "tens_show", "line")
            call(["tens", "import", "--json", frame, "-o", f"{directory}/f.tgm"], "tens_import", "line")
            call(["tens", "export", "--json", f"{directory}/f.tgm", "-o", f"{directory}/[index]"], "tens_export", "line")
    knows_constants = "no simdjson" not in subprocess.run([command, "constant"], capture_output=True, text=True,
                                                          check=False).stderr
    if not knows_constants:
        print("SKIPPED: JSON of constant (built without simdjson)")
        schemas.forget("constant_")
    with tempfile.TemporaryDirectory() as directory:
        for file in sorted((DATA / "constants").glob("*.*")) if knows_constants else []:
            named = f"constants/{file.name}"
            call(["constant", "check", "--all", "--json", named], "constant_check", "line")
            call(["constant", "cells", "--json", named], "constant_cells", "line")
            call(["constant", "import", "--json", named, "-o", f"{directory}/c.tgm"], "constant_import", "line")
            call(["constant", "get", "--json", named, "key=abc"], "constant_get", "line")
            call(["constant", "get", "--json", named, "key=abc", "x=1"], "constant_get", "line")
    for arguments, name, form in ALONE:
        call(arguments, name, form)
    page = json.loads(subprocess.run([command, "doctor", "--json"], capture_output=True, check=True).stdout)
    if any(part["name"] == "Python" and part["state"] == "on" for part in page["features"]):
        for file in ARCHIVES[:: 1 if "--all" in sys.argv else 8]:
            call(["cube", "--json", "--duplicates", "stack", file.name], "cube", "line")
            call(["cube", "--json", "--cells", "--duplicates", "stack", file.name], "cube_cells", "line")
    else:
        print("SKIPPED: JSON of cube (the package of Python is not here)")
        schemas.forget("cube")
    unheld = [name for name, held in schemas.held.items() if held == 0 and (speaks_zio or name not in OF_ZIO)]
    if unheld:
        sys.exit(f"nothing was held against {', '.join(unheld)}")
    print(f"{sum(schemas.held.values())} documents held: " + ", ".join(f"{n} {h}" for n, h in schemas.held.items()))


if __name__ == "__main__":
    main()
