#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets that do not read whole archives, many of them from the samples in tests/data.

usage: fuzz/make_seeds.py    (rewrites fuzz/corpus/TARGET/sample_* of these targets)
"""

import hashlib
import io
import pathlib
import struct
import zipfile

FUZZ = pathlib.Path(__file__).resolve().parent
SAMPLES = FUZZ.parent / "tests" / "data"
MAX_BYTES = 900  # of a seed; libFuzzer is faster with small ones
MAX_BYTES_OF = {"grib": 3000}  # messages with all kinds of packing
MAX_SEEDS = 24  # of a target

METADATA, INDEX, OBJECTS = (1, 7, 8), (2, 6), (4, 9)


def messages(data):
    """Yields (version, bytes between preamble and postamble) of every buffered message of version 2 or 3."""
    at = 0
    while 0 <= (at := data.find(b"TENSOGRM", at)) <= len(data) - 24:
        version, _, _, length = struct.unpack_from(">HHIQ", data, at + 8)
        if version in (2, 3) and 40 <= length <= len(data) - at:
            yield version, data[at + 24:at + length - (24 if version == 3 else 16)]
            at += length
        else:
            at += 1


def frames(body):
    """Yields (type, flags, whole frame) of every frame."""
    at = 0
    while 0 <= (at := body.find(b"FR", at)) <= len(body) - 16:
        kind, _, flags, length = struct.unpack_from(">HHHQ", body, at + 2)
        yield kind, flags, body[at:at + length]
        at += max(length, 2)


def npy(major, descr, order, shape, data):
    text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode() + b"\n"
    return b"\x93NUMPY" + bytes([major, 0]) + len(text).to_bytes(2 if major == 1 else 4, "little") + text + data


def npz(method, files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, contents in files.items():
            archive.writestr(zipfile.ZipInfo(name), contents, method)
    return out.getvalue()


def arrays():
    """The first byte selects .npy or .npz."""
    plain = npy(1, "'<f4'", "False", "(2, 3)", bytes(24))
    others = [npy(2, "'>c16'", "True", "(1, 2)", bytes(32)), npy(3, "'|u1'", "False", "()", b"x"),
              npy(1, "'<V2'", "False", "(0,)", b""), npy(1, "'|b1'", "False", "(3L,)", b"\0\1\0"),
              npy(1, "[('a', '<f4')]", "False", "(1,)", bytes(4))]
    yield from (b"\0" + each for each in [plain, *others])
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield b"\1" + npz(method, {})
        yield b"\1" + npz(method, {"a.npy": plain})
        yield b"\1" + npz(method, {f"x{i}.npy": each for i, each in enumerate(others)})


def constants():
    """Typed binary: tag, cell type, names of mapped dimensions, names and sizes of indexed ones, blocks."""
    text = lambda word: bytes([len(word)]) + word
    one, two = struct.pack(">d", 1), struct.pack(">d", -2)
    yield b"\2\0" + one
    yield b"\1\0\1" + one
    yield b"\0\0"
    yield b"\2\2" + text(b"x") + b"\2" + text(b"y") + b"\1" + one + two
    yield b"\3\0\1" + text(b"x") + b"\2" + one + two
    yield b"\6\1\1" + text(b"x") + b"\3" + struct.pack(">fff", 0.1, float("inf"), float("nan"))
    yield b"\6\2\1" + text(b"x") + b"\x80\0\0\2" + bytes.fromhex("3dcc8000")
    yield b"\5\3\1" + text(b"key") + b"\3" + text(b"b") + b"\xff" + text(b"a\"\n") + b"\x7f" + text(b"\xc3\xa9") + b"\0"
    yield b"\1\2" + text(b"a") + text(b"b") + b"\2" + (text(b"p") + text(b"q")) + one + (text(b"p") + text(b"")) + two
    yield b"\3\1" + text(b"c") + b"\2" + text(b"a") + b"\1" + text(b"d") + b"\2" + b"\1" + text(b"k") + one + two
    yield b"\1\1" + text(b"x") + b"\2" + text(b"a") + one + text(b"a") + two
    yield b"\1\1" + text(b"x") + b"\x80\xbc\x61\x4e" + text(b"a") + one
    yield b"\2\1" + text(b"x") + b"\1" + one + b"\xff"


def json_constants():
    """Yields (options, type, text)."""
    yield 0, "tensor(x[2],y[2])", '{"type":"tensor(x[2],y[2])","values":[[1.5,-2e3],["inf",null]]}'
    yield 0, "tensor<float>(x[3])", '[1,"-nan",0.1]'
    yield 0, "", '{"values":[1,-0.0,12345678.12345678e-5],"type":"tensor<bfloat16>(x[3])"}'
    yield 32, "tensor(x{})", '{"cells":{"a":1,"b\\u00e9\\ud83d\\ude00":2,"\u00e9":"3"}}'
    yield 0, "tensor(x{})", '{"a":1,"type":2,"cells":null}'
    yield 4, "tensor<int8>(x{},y[2])", '{"blocks":{"a":[1,2],"":[3,4]}}'
    yield 0, "tensor(x{},y{},z[2])", '{"blocks":[{"address":{"x":"a","y":"b"},"values":[1,2]},{"values":[3,4],"address":{"y":"a","x":"b"}}]}'
    yield 40, "tensor<bfloat16>(x{},y[2])", '{"cells":[{"address":{"x":"a","y":"1"},"value":1},{"value":"2","address":{"y":"0","x":"a"}}]}'
    yield 0, "tensor()", '{"cells":[{"address":{},"value":5}]}'
    yield 1, "tensor<float>(x[2])", '{"values":"3F8000003f800000"}'
    yield 1, "tensor(x{},y[2])", '{"a":[1,2],"cells":[3,4],"type":[5,6],"values":"0708"}'
    yield 1, "tensor(x{},y[2])", '[{"values":[1,2],"address":{"x":3}}]'
    yield 33, "tensor(x[2],y[2])", '[1,2,3,4]'
    yield 48, "tensor<int8>(x[3])", '{"values":[1,2.5,128],"more":[{"a":[1]}],"values":[]}'
    yield 32, "tensor(x[2])", '{"cells":[{"address":{"x":"9"},"value":1},{"address":{"x":"0"},"value":true,"z":null},5]}'
    yield 0, "tensor(x[40])", "[" + ",".join(str(n / 8) for n in range(40)) + "]"


def grib_inputs():
    """Messages of GRIB, alone and together with others and with damage."""
    files = [file.read_bytes() for file in sorted((SAMPLES / "grib").glob("*.grib"))]
    yield from files
    short = [each for each in files if len(each) < 1400]
    for one, two in zip(short, short[7:]):
        yield b"GRIB junk" + one + b"\0" * 20 + two[:len(two) // 2]
        yield one[:200] + two
        at = len(one) // 2
        yield one[:at] + bytes([one[at] ^ 0x80]) + one[at + 1:] + two


def seeds():
    """Yields (target, contents). Bit 0 of the first byte selects the version, and bit 1 header or footer."""
    for sample in sorted(SAMPLES.glob("*.tgm")):
        for version, body in messages(sample.read_bytes()):
            first = 1 if version == 2 else 0
            yield "frames", bytes([first]) + body
            for kind, flags, frame in frames(body):
                tail = 4 if version == 2 else 12
                if kind in METADATA:
                    yield "metadata", bytes([first]) + frame[16:-tail]
                    yield "address", b"base[0].mars.param\0" + frame[16:-tail]
                    yield "cbor_value", bytes([2, 0, 12, 11, 3, 2, 12, 0, 0]) + frame[16:-tail]
                elif kind in INDEX:
                    yield "index", bytes([first | (2 if kind == 6 else 0)]) + frame[16:-tail]
                elif kind in OBJECTS and flags & 1:
                    (begin,) = struct.unpack_from(">Q", frame, len(frame) - tail - 8)
                    yield "descriptor", bytes([first]) + frame[begin:-tail - 8]
    for address in (b"a:1:2", b"a:1@0x20:-1", b"a@77:0", b"-:3", b"a:1:", b"mars.levelist[0]", b"a[1][2].b.c"):
        yield "address", address + b"\0" + b"\xa1\x61a\x82\x01\x83\x01\x02\xa1\x61b\xa1\x61c\x05"
    keys = bytes.fromhex("a4616101" "616bf93c00" "6173623274" "646d617273a264737465700665636c617373626f64")
    for text in ("a=1", "mars.step=0..24 and s=2t/10u", "not (a<2 or has k), mars.class!=od", "s~^2", "k>=1.0", "@shape[0]=4",
                 "a = \"x y\"/'it''s' or \"b c\"..d", "version=3", "mars", "mars.step", "hash", "a=../x,y", "a==b", "((a=1)"):
        yield "selection", text.encode() + b"\0" + keys
    for contents in arrays():
        yield "npy", contents
    for odd in ("a26162fb3ff0000000000000a06161f7", "bf61629f01ff61617f6178ffff", "a361610161610260f6", "a2c1018261ff1b0000000000000001f97e01",
                "bfbf617a01617900ff02bf617900617a01ff03ff"):
        yield "cbor_value", bytes([3, 0, 1, 0, 0, 1, 2, 0, 0, 3, 4, 2, 9]) + bytes.fromhex(odd)
    for number, contents in enumerate(constants()):
        yield "constant_binary", bytes([number * 37 % 128]) + contents
    for number, (how, declared, text) in enumerate(json_constants()):
        yield "constant_json", bytes([how, number * 7 % 50]) + f"{declared}\n{text}".encode()
    for text in ("tensor(x[3])", "tensor<float>(x[3],key{})", " tensor < bfloat16 > ( b { } , a [ 03 ] ) ", "double", "tensor()",
                 "tensor<int8>(x10{},x2{},X{},_{})", "tensor(x[2147483647],y[2147483647])", "tensor(x[],y{})", "tensor<half>(x{})",
                 "tensor(x{},x[2])", "tensor<float>()", "tensor(x[4294967297])", "tensor(,x[1])"):
        yield "constant_type", text.encode()
    for number, contents in enumerate(grib_inputs()):
        yield "grib", bytes([number * 11 % 256]) + contents
    # Version, hashes and hash frames, then objects and the bytes between them.
    for number in range(8):
        yield "object_lookup", bytes([number & 1, number & 3, number >> 2]) + bytes((n * 7 + number) % 61 for n in range(80))

    # Any bytes describe a message to write.
    for number in range(24):
        yield "write", hashlib.shake_128(bytes([number])).digest(100 + 30 * number)


def main():
    written = {}
    for target, contents in seeds():
        known = written.setdefault(target, {})
        if len(contents) <= MAX_BYTES_OF.get(target, MAX_BYTES):
            known.setdefault(hashlib.sha256(contents).hexdigest()[:8], contents)
    for target, known in written.items():
        folder = FUZZ / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("sample_*"):
            old.unlink()
        chosen = sorted(known.items(), key=lambda item: (len(item[1]), item[0]))
        step = max(1, len(chosen) // MAX_SEEDS)
        for name, contents in chosen[::step][:MAX_SEEDS]:
            (folder / f"sample_{name}").write_bytes(contents)
        print(f"{target}: {min(len(chosen), MAX_SEEDS)} of {len(chosen)}")


if __name__ == "__main__":
    main()
