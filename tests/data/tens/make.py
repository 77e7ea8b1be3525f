#!/usr/bin/env python3
"""Writes the frames beside it, single frames of ZIO messages, sound and otherwise."""

import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent


def spelled(part, long=False):
    length = len(part)
    return (bytes([length]) if length < 255 and not long else b"\xff" + struct.pack(">I", length)) + part


def frame(label, *payload, level=b"0", form=b"TENS", coordinates=(0, 0, 0), long=()):
    if not isinstance(label, bytes):
        label = json.dumps(label, separators=(",", ":"), sort_keys=True).encode()
    parts = [b"ZIO" + level + form + label, struct.pack("<QQQ", *coordinates), *payload]
    return b"".join(spelled(part, i in long) for i, part in enumerate(parts))


def tensor(dtype, word, part, shape, **more):
    return {"dtype": dtype, "word": word, "part": part, "shape": shape, **more}


def tens(*tensors, **more):
    return {"TENS": {"tensors": list(tensors), **more}}


FLOATS = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
FRAMES = {
    "plain": frame(tens(tensor("f", 4, 0, [2, 3], metadata={"gain": 1.5, "unit": "mV"}), tensor("u", 1, 2, [4]),
                        metadata={"run": 123}), FLOATS, b"beside", b"abcd", level=b"5", coordinates=(1, 2, 3)),
    "ordered": frame(tens(tensor("f", 4, 0, [2, 3], order=[0, 1], ascend=[True, False]), tensor("i", 8, 0, [3])), FLOATS),
    "spaced": frame(b'{"TENS": {"tensors": [{"shape": [4], "word": 1.0, "dtype": "u"}], "metadata": null}}\n', b"abcd",
                    long=(1, 2)),
    "flow": frame({"credit": 2, "direction": "extract", "flow": "BOT"}, form=b"FLOW"),
    "escapes": frame(b"\x1b[31m \xff \xe2\x80\xae", b"", form=b"T\x1b\xffT"),
    "no_json": frame(b"hello", b"abcd"),
    "wrong_size": frame(tens(tensor("u", 1, 0, [4]), tensor("f", 8, 0, [4]), tensor("u", 1, 7, [4])), b"abcd"),
}
FRAMES["cut"] = FRAMES["plain"][:-1]
FRAMES["no_prefix"] = spelled(bytes(24)) + spelled(b"ZIO0TENS")

for name, contents in FRAMES.items():
    (HERE / f"{name}.frame").write_bytes(contents)
