#!/usr/bin/env python3
"""Prints the findings of the independent walker as JSON: dump.py WALKER.py FILE... prints one array for all files.

The walker (`tools/tgm_dump.py` of the shared data) is loaded from the path given; it shares no code with the library.
"""

import contextlib
import hashlib
import importlib.util
import io
import json
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("walker", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module




def message_of(walker, data, offset, length):
    message = data[offset:offset + length]
    version = walker.sniff(data, offset)
    out = {"offset": offset, "length": length, "version": version}
    if version == 1:
        return out
    out["streamed"] = walker.u64(message, 16) == 0
    out["flags"] = walker.u16(message, 10)
    out["frames"], out["objects"] = [], []
    metadata = None
    for at, kind, frame_version, flags, total in walker.walk_frames(message, version, length):
        if kind is None:
            break
        out["frames"].append([at, kind, frame_version, flags, total])
        tail = walker.footer_size(version, kind)
        if kind in (1, 7):
            metadata, _ = walker.cbor_loads(message[at + 16:at + total - tail])
        if kind not in (4, 9):
            continue
        frame = message[at:at + total]
        cbor_at = walker.u64(frame, total - tail)
        reader = walker.Cbor(frame, cbor_at)
        descriptor = reader.item()
        region = frame[16:cbor_at] if flags & 1 else frame[reader.p:total - tail]
        masks = descriptor.get("masks") or {}
        payload = min((m["offset"] for m in masks.values()), default=len(region))
        out["objects"].append({
            "frame": at, "dtype": descriptor["dtype"], "shape": descriptor["shape"], "strides": descriptor["strides"],
            "byte_order": descriptor.get("byte_order", "little"),
            "pipeline": [descriptor["encoding"], descriptor["filter"], descriptor["compression"]],
            "keys": sorted(descriptor), "region": len(region), "payload": payload,
            "sha256": hashlib.sha256(region).hexdigest()})
    out["keys"] = sorted(metadata)
    return out


def main():
    walker = load(sys.argv[1])
    files = []
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            data = file.read()
        with contextlib.redirect_stdout(io.StringIO()):  # the walker prints the bytes that it skips
            found = walker.scan(data)
        files.append({"file": path, "messages": [message_of(walker, data, *place) for place in found]})
    json.dump(files, sys.stdout)


if __name__ == "__main__":
    main()
