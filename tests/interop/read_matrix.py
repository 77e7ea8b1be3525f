#!/usr/bin/env python3
"""Reads all archives of interop_matrix by the reference implementation's package: validates them strictly, decodes them, looks
objects up in every way, and compares every value and key with the expected one.

usage: tests/interop/read_matrix.py FOLDER WIRE_VERSION
Run by a Python that has the package `tensogram`, of a release that reads that version.

Warnings of the package must have a reason in complaints.json.
"""

import collections
import http.server
import importlib.metadata
import json
import pathlib
import re
import sys
import threading

import numpy
import tensogram

from complaints import Complaints


class Server(http.server.BaseHTTPRequestHandler):
    """Serves ranges of the file `data`, like an object store."""

    data = b""

    def do_HEAD(self):
        self.answer(b"", len(self.data))

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            return self.answer(self.data, len(self.data))
        size = len(self.data)
        begin, end = (int(part) if part else None for part in asked.groups())
        if begin is None:
            begin, end = max(0, size - end), size - 1
        end = min(size - 1 if end is None else end, size - 1)
        return self.answer(self.data[begin:end + 1], end + 1 - begin, f"bytes {begin}-{end}/{size}")

    def answer(self, body, length, part=None):
        self.send_response(206 if part else 200)
        self.send_header("Content-Length", str(length))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", f'"{hash(self.data)}"')
        self.send_header("Last-Modified", "Sun, 22 Nov 2026 00:00:00 GMT")
        if part:
            self.send_header("Content-Range", part)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def keys_of(entry):
    """An entry of base without the keys that the library adds."""
    return {key: value for key, value in entry.items() if key != "_reserved_"}


def same_keys(found, expected):
    """Compares values so that 12 and 12.0, and true and 1, differ."""
    return json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


class Checker:
    def __init__(self, folder, wire):
        self.folder, self.wire = folder, wire
        self.values = (folder / "values.bin").read_bytes()
        self.file = folder / f"wire{wire}.tgm"
        self.data = self.file.read_bytes()
        self.messages = [m for m in json.loads((folder / "manifest.json").read_text()) if m["wire"] == wire]
        self.complaints = Complaints()
        self.faults, self.seen = [], collections.Counter()

    def fault(self, message, text):
        self.faults.append(f"{message['layout']}, {message['group']}: {text}")

    def bytes_of(self, message):
        at, size = message["bytes"]
        return self.data[at:at + size]

    def compare(self, message, described, array, expected):
        """Compares one decoded object."""
        name = expected["name"]
        at, size = expected["values"]
        values = self.values[at:at + size]
        for key in ("dtype", "encoding", "filter", "compression"):
            if getattr(described, key) != expected[key]:
                self.fault(message, f"{name}: {key} is {getattr(described, key)}")
        if list(described.shape) != expected["shape"]:
            self.fault(message, f"{name}: shape {described.shape}")
        if numpy.asarray(array).tobytes() != values:
            self.fault(message, f"{name} {expected['shape']}: other values, {numpy.asarray(array).ravel()[:4]}")
        self.seen.update(f"{key} {expected[key]}" for key in ("dtype", "encoding", "filter", "compression", "order"))
        self.seen.update(f"mask {kind} {method}" for kind, method in expected["masks"])

    def metadata(self, message, found, of_stream_header=False):
        if not same_keys(found.extra, message["extra"]):
            self.fault(message, f"extra is {found.extra}")
        if of_stream_header:
            return  # the keys of objects follow later in the stream
        for j, entry in enumerate(found.base):
            if not same_keys(keys_of(entry), dict(message["extra"], n=j)):
                self.fault(message, f"base[{j}] is {entry}")

    def message(self, message):
        data = self.bytes_of(message)
        report = tensogram.validate(data, level="full", check_canonical=True)
        for issue in report["issues"]:
            self.complaints.add(message["layout"], message["group"], issue["code"], issue["description"])
        if report["object_count"] != len(message["objects"]):
            self.fault(message, f"{report['object_count']} objects validated")
        if report["hash_verified"] != (message["hashes"] and bool(message["objects"])):
            self.fault(message, f"hash_verified is {report['hash_verified']}")

        decoded = tensogram.decode(data, verify_hash=message["hashes"])
        self.metadata(message, decoded.metadata)
        self.metadata(message, tensogram.decode_metadata(data), message["metadata_in_footer"])
        if len(decoded.objects) != len(message["objects"]):
            self.fault(message, f"{len(decoded.objects)} objects")
        for (described, array), expected in zip(decoded.objects, message["objects"]):
            self.compare(message, described, array, expected)
        _, all_described = tensogram.decode_descriptors(data)
        if [d.dtype for d in all_described] != [o["dtype"] for o in message["objects"]]:
            self.fault(message, "other descriptors")
        if message["objects"]:
            last = len(message["objects"]) - 1
            self.compare(message, *tensogram.decode_object(data, last)[1:], message["objects"][last])
        if tensogram.scan(data) != [(0, len(data))]:
            self.fault(message, f"scanned as {tensogram.scan(data)}")
        self.seen[f"layout {message['layout']}"] += 1

    def whole_file(self):
        places = [tuple(message["bytes"]) for message in self.messages]
        if tensogram.scan(self.data) != places:
            self.faults.append("scanning finds other messages")
        with tensogram.TensogramFile.open(str(self.file)) as file:
            if len(file) != len(self.messages):
                self.faults.append(f"the file has {len(file)} messages")
            for i, message in enumerate(self.messages):
                if message["objects"]:
                    result = file.file_decode_object(i, 0)
                    self.compare(message, result["descriptor"], result["data"], message["objects"][0])
        found = tensogram.validate_file(str(self.file), level="quick")
        for issue in found["file_issues"]:
            self.complaints.add("file", "", "file_issue", issue["description"])

    def remote(self):
        """Reads one message of each layout over the network, where the index and the flags are trusted."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            for n, message in enumerate(m for m in self.messages if m["group"] == "none"):
                Server.data = self.bytes_of(message)
                at = f"http://127.0.0.1:{server.server_address[1]}/{n}.tgm"
                try:
                    self.remote_message(message, tensogram.TensogramFile.open_remote(at, {"allow_http": "true"}))
                except (OSError, ValueError, RuntimeError) as error:
                    self.complaints.add(message["layout"], message["group"], "remote", str(error))
        finally:
            server.shutdown()

    def remote_message(self, message, file):
        if len(file) != 1:
            self.fault(message, f"{len(file)} messages over the network")
        self.metadata(message, file.file_decode_metadata(0), message["metadata_in_footer"])
        described = file.file_decode_descriptors(0)
        if [d.dtype for d in described["descriptors"]] != [o["dtype"] for o in message["objects"]]:
            self.fault(message, "other descriptors over the network")
        for j in (0, len(message["objects"]) // 2, len(message["objects"]) - 1):
            result = file.file_decode_object(0, j)
            self.compare(message, result["descriptor"], result["data"], message["objects"][j])
        self.seen["remote"] += 1

    def missing(self):
        """Checks that nothing expected was missing."""
        wanted = [f"dtype {d}" for d in ("float16 bfloat16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 "
                                         "uint16 uint32 uint64 bitmask").split()]
        wanted += [f"compression {c}" for c in "none szip zstd lz4 blosc2 zfp sz3".split()]
        wanted += ["encoding none", "encoding simple_packing", "filter none", "filter shuffle", "order big", "order little"]
        if self.wire == 3:
            wanted += ["compression rle", "compression roaring"]
            wanted += [f"mask {kind} {method}" for kind in ("nan", "inf+", "inf-")
                       for method in "none rle roaring lz4 zstd blosc2".split()]
        return [each for each in wanted if not self.seen[each]]

    def run(self):
        for message in self.messages:
            try:
                self.message(message)
            except Exception as error:  # of any kind: the package has its own
                self.complaints.add(message["layout"], message["group"], type(error).__name__, str(error))
        self.whole_file()
        self.remote()
        self.faults += [f"nothing was written of: {each}" for each in self.missing()]
        unexplained = self.complaints.tell()
        for fault in self.faults[:40]:
            print(f"WRONG: {fault}")
        objects = sum(len(message["objects"]) for message in self.messages)
        print(f"package {importlib.metadata.version('tensogram')} reads "
              f"{len(self.messages)} messages, {objects} objects of wire version {self.wire}: {len(self.faults)} wrong, "
              f"{unexplained} complaints without a reason")
        return 1 if self.faults or unexplained or not self.messages else 0


if __name__ == "__main__":
    sys.exit(Checker(pathlib.Path(sys.argv[1]), int(sys.argv[2])).run())
