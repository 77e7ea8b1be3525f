# SPDX-License-Identifier: Apache-2.0
"""Everything that writes files: verbs of the command, and functions of the Python package."""

# Arguments of the command, in a folder that has the files of make_folder().
VERBS = {
    "append": "append old.tgm in.tgm",
    "append new": "append new.tgm in.tgm",
    "constant export": "constant export -f --form tbf table.json -o old.tbf",
    "constant import": "constant import -f table.json -o old.tgm",
    "constant sample": "constant sample -f -t 'tensor(key{})' -o old.json",
    "convert": "convert -f --compression lz4 in.tgm old.tgm",
    "copy": "copy -f in.tgm old.tgm",
    "copy by keys": "copy -f in.tgm 'part_[@message].tgm'",
    "copy new": "copy in.tgm new.tgm",
    "copy objects": "copy -f in.tgm:0:0 old.tgm",
    "copy onto itself": "copy -f old.tgm:1.. old.tgm",
    "copy with index": "copy -f --write-index in.tgm old.tgm",
    "create": "create -f old.tgm array.npy",
    "extract": "extract -f in.tgm -o old.npz",
    "extract csv": "extract -f in.tgm:0:0 --format csv -o old.csv",
    "index check": "index check in.tgm",
    "index create": "index create in.tgm",
    "index create cache": "index create --cache old.tgm",
    "index update": "index update in.tgm",
    "merge": "merge -f in.tgm -o old.tgm",
    "rehash": "rehash -f in.tgm old.tgm",
    "reindex": "reindex -f --index footer in.tgm old.tgm",
    "reshuffle": "reshuffle -f in.tgm -o old.tgm",
    "set": "set -f -s a=1 in.tgm old.tgm",
    "set in place": "set -f -s a=1 old.tgm old.tgm",
    "show": "show -f in.tgm:0:0 -o old.png",
    "split": "split -f in.tgm -o 'part_[index].tgm'",
    "tens export": "tens export -f in.tgm:0 -o old.frame",
    "tens import": "tens import -f in.frame -o old.tgm",
    "tens keys": "tens keys pair",
    "upgrade": "upgrade -f in2.tgm old.tgm",
}

# Verbs that write no file. `recv` writes as `append` does, and needs a partner. `import` and `export` write as `create` does;
# ecCodes, which they load, has calls of its own.
READERS = {"info", "ls", "get", "count", "stats", "diff", "dump", "du", "validate", "explain", "cube", "doctor", "completion",
           "help", "send", "recv", "import", "export"}

# Cases and calls of libraries that end the process themselves: libsodium does without random numbers.
ABORTS = {("tens keys", "getrandom")}

# A destructor cannot raise: it warns.
ONLY_WARN = {"create, left open"}

# Statements of Python. `tgmap`, `compat` and `array` are there; calls are refused from here on.
PYTHON = {
    "create": """
with tgmap.create("old.tgm") as out:
    for step in range(3):
        out.write(array, {"step": step})""",
    "create new": """
with tgmap.create("new.tgm", sync=True) as out:
    out.write(array)""",
    "create, left open": """
out = tgmap.create("old.tgm", sync=True)
out.write(array)
del out""",
    "stream": """
with tgmap.stream("old.tgm", {"a": 1}) as out:
    out.write([array, array])""",
    "append": """
with tgmap.append("old.tgm", sync=True) as out:
    out.write(array)""",
    "append new": """
with tgmap.append("new.tgm") as out:
    out.write(array)""",
    "compat append": """
file = compat.TensogramFile.open("old.tgm")
file.append({}, [({"type": "ntensor", "shape": [600], "dtype": "float64", "byte_order": "little"}, array)])""",
    "compat create": """
compat.TensogramFile.create("old.tgm")""",
    "index": """
tgmap.open("in.tgm", index="create")""",
}
