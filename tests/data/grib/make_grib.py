#!/usr/bin/env python3
"""Makes the GRIB files of this folder from the samples of ecCodes 2.28, and expected.tsv, what ecCodes reads in them.

usage: tests/data/grib/make_grib.py    (writes beside itself; needs grib_filter, grib_get and codes_info)

Complex packing and PNG are written here, since ecCodes 2.28 writes wrong values and stops; so are messages of several fields, which its tools
do not make.
"""

import math
import pathlib
import struct
import subprocess
import tempfile
import zlib

FOLDER = pathlib.Path(__file__).parent
SAMPLES = pathlib.Path(subprocess.run(["codes_info", "-s"], capture_output=True, text=True, check=True).stdout.strip())
KEYS = ["edition", "packingType", "referenceValue", "binaryScaleFactor", "decimalScaleFactor", "bitsPerValue", "numberOfCodedValues",
        "numberOfDataPoints", "Ni", "Nj", "bitmapPresent", "offsetSection1", "offsetSection2", "offsetSection3", "offsetSection4",
        "offsetSection5", "offsetSection6", "offsetSection7", "totalLength"]
POINTS = 496
MISSING = 9999


def temperatures(count=POINTS):
    return [round(273.15 + 20 * math.sin(i * 0.05) + i * 7919 % 101 / 50, 3) for i in range(count)]


def with_gaps(values):
    return [MISSING if i % 7 == 3 or 100 <= i < 140 else value for i, value in enumerate(values)]


def make(sample, keys, values=None):
    """The bytes of a message from a sample, with these keys in their order, and these values."""
    rules = [f"set {key}={value};" for key, value in keys.items()]
    if values is not None:
        if MISSING in values:
            rules.append(f"set bitmapPresent=1; set missingValue={MISSING};")
        rules.append("set values={" + ",".join(map(str, values)) + "};")
    with tempfile.TemporaryDirectory() as folder:
        out, script = pathlib.Path(folder, "out"), pathlib.Path(folder, "rules")
        script.write_text("\n".join(rules) + "\nwrite;\n")
        subprocess.run(["grib_filter", "-o", out, script, SAMPLES / f"{sample}.tmpl"], check=True)
        return out.read_bytes()


def sections_of(message):
    """The sections of a message of GRIB 2 with one field, by their numbers."""
    out, at = {0: message[:16]}, 16
    while at < len(message) - 4:
        length, number = struct.unpack_from(">IB", message, at)
        out[number] = message[at:at + length]
        at += length
    return out


def join(head, *sections):
    """A message of GRIB 2 from its section 0 and the others."""
    body = b"".join(sections)
    return head[:8] + struct.pack(">Q", 16 + len(body) + 4) + body + b"7777"


class bits:
    def __init__(self):
        self.text = ""

    def add(self, value, width):
        if width:
            self.text += format(value, f"0{width}b")

    def pad(self):
        self.text += "0" * (-len(self.text) % 8)

    def bytes(self):
        self.pad()
        return bytes(int(self.text[i:i + 8], 2) for i in range(0, len(self.text), 8))


def complex_message(simple, order, missing=0):
    """The field of a message in simple packing of 16 bits, packed in groups of 10 values; `order` of the differences.
    `missing`: every 7th value is missing, and with 2 every 11th is missing for the second reason."""
    sections = sections_of(simple)
    data = sections[7][5:]
    integers = [struct.unpack_from(">H", data, 2 * i)[0] for i in range(len(data) // 2)]
    gone = [1 if missing and i % 7 == 3 else 2 if missing == 2 and i % 11 == 5 else 0 for i in range(len(integers))]
    left = [x for x, g in zip(integers, gone) if not g]
    first, lowest = left[:order], 0
    if order == 1:
        coded = [0] + [b - a for a, b in zip(left, left[1:])]
    elif order == 2:
        coded = [0, 0] + [c - 2 * b + a for a, b, c in zip(left, left[1:], left[2:])]
    else:
        coded = left
    if order:
        lowest = min(coded[order:])
        coded = [0] * order + [x - lowest for x in coded[order:]]
    numbers = iter(coded)
    coded = [next(numbers) if not g else g for g in gone]  # 1 and 2 stand for missing values

    groups, width = [], 16
    for start in range(0, len(coded), 10):
        part, kinds = coded[start:start + 10], gone[start:start + 10]
        there = [x for x, g in zip(part, kinds) if not g]
        low = min(there) if there else 0
        room = max(there) - low + missing if there else 0
        size = room.bit_length()
        if missing and not there and len(set(kinds)) == 1:  # a whole group
            groups.append((2 ** width - kinds[0], 0, [0] * len(part)))
            continue
        if missing:
            size = max(size, missing.bit_length() + 1)
        groups.append((low, size, [2 ** size - g if g else x - low for x, g in zip(part, kinds)]))
    out = bits()
    if order:
        for each in first:
            out.add(each, 24)
        out.add(abs(lowest) | (1 << 23 if lowest < 0 else 0), 24)
    for low, _, _ in groups:
        out.add(low, width)
    out.pad()
    narrowest = min(size for _, size, _ in groups)
    for _, size, _ in groups:
        out.add(size - narrowest, 5)
    out.pad()
    for index, (_, _, part) in enumerate(groups):
        out.add(0 if index + 1 == len(groups) else 10 - 4, 4)  # of the last group the true length counts
    out.pad()
    for _, size, part in groups:
        for each in part:
            out.add(each, size)
    packed = out.bytes()

    old = sections[5]
    template = old[11:19] + bytes([width, 0])
    template += struct.pack(">BBIIIBBIBIB", 1, missing, 0x7F800000, 0xFF800000, len(groups), narrowest, 5, 4, 1, len(groups[-1][2]), 4)
    if order:
        template += bytes([order, 3])
    body = old[4:9] + struct.pack(">H", 3 if order else 2) + template
    sections[5] = struct.pack(">I", 4 + len(body)) + body
    sections[7] = struct.pack(">IB", 5 + len(packed), 7) + packed
    return join(sections[0], *(sections[number] for number in sorted(sections) if number))


def png_message(simple, columns):
    """The field of a message in simple packing of 16 bits, as an image of 16 bits."""
    sections = sections_of(simple)
    data = sections[7][5:]

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + data[at:at + 2 * columns] for at in range(0, len(data), 2 * columns))
    image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, len(data) // 2 // columns, 16, 0, 0, 0, 0))
    image += chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    sections[5] = sections[5][:9] + struct.pack(">H", 41) + sections[5][11:]
    sections[7] = struct.pack(">IB", 5 + len(image), 7) + image
    return join(sections[0], *(sections[number] for number in sorted(sections) if number))


def several_fields(first, second, third):
    """A message of four fields: another product, then another grid and bitmap, then the bitmap of the first again."""
    a, b, c = (sections_of(each) for each in (first, second, third))
    same_bitmap = struct.pack(">IBB", 6, 6, 254)
    return join(a[0], a[1], a[3], a[4], a[5], a[6], a[7], b[4], a[5], same_bitmap, a[7], c[3], c[4], c[5], c[6], c[7],
                c[2], a[3], b[4], a[5], a[6], a[7])


def files():
    ll2, ll1 = "regular_ll_sfc_grib2", "regular_ll_sfc_grib1"
    values, gaps = temperatures(), with_gaps(temperatures())
    simple = make(ll2, {"bitsPerValue": 16}, values)
    yield "simple_16", simple
    for width in (1, 12, 24):
        yield f"simple_{width}", make(ll2, {"bitsPerValue": width}, values)
    yield "simple_decimal", make(ll2, {"decimalPrecision": 2}, values)
    yield "simple_bitmap", make(ll2, {"bitsPerValue": 16}, gaps)
    yield "simple_all_missing", make(ll2, {"bitsPerValue": 16}, [MISSING] * POINTS)
    yield "simple_constant", make(ll2, {"bitsPerValue": 16}, [280.25] * POINTS)
    yield "simple_matrix", make(ll2, {"packingType": '"grid_simple_matrix"'}, values)
    for width in (8, 12, 16, 24):
        yield f"ccsds_{width}", make(ll2, {"packingType": '"grid_ccsds"', "bitsPerValue": width}, values)
    yield "ccsds_bitmap", make(ll2, {"packingType": '"grid_ccsds"', "bitsPerValue": 16}, gaps)
    yield "ccsds_constant", make("ccsds_grib2", {}, None)
    yield "ieee_32", make(ll2, {"packingType": '"grid_ieee"', "precision": 1}, values)
    yield "ieee_64", make(ll2, {"packingType": '"grid_ieee"', "precision": 2}, gaps)
    yield "complex", complex_message(simple, 0)
    yield "complex_spatial_1", complex_message(simple, 1)
    yield "complex_spatial_2", complex_message(simple, 2)
    yield "complex_missing_1", complex_message(simple, 0, 1)
    yield "complex_missing_2", complex_message(simple, 2, 2)
    yield "jpeg", make(ll2, {"packingType": '"grid_jpeg"', "bitsPerValue": 12}, values)
    yield "png", png_message(simple, 16)
    yield "second_order", make(ll2, {"packingType": '"grid_second_order"'}, values)
    yield "logarithm", make(ll2, {"packingType": '"grid_simple_log_preprocessing"', "bitsPerValue": 16}, values)
    yield "spectral", make("sh_ml_grib2", {"J": 10, "K": 10, "M": 10, "JS": 5, "KS": 5, "MS": 5}, temperatures(132))
    yield "rotated", make("rotated_ll_sfc_grib2", {"bitsPerValue": 16}, values)
    yield "columns", make(ll2, {"bitsPerValue": 12, "jPointsAreConsecutive": 1, "jScansPositively": 1}, values)
    yield "reduced_gaussian", make("reduced_gg_pl_32_grib2", {}, None)
    yield "reduced_latitudes", make("reduced_ll_sfc_grib2", {}, None)
    yield "polar", make("polar_stereographic_sfc_grib2", {"bitsPerValue": 12}, values)
    yield "unstructured", make("regular_ll_sfc_grib2", {"gridDefinitionTemplateNumber": 101, "numberOfDataPoints": 40}, temperatures(40))
    yield "several_fields", several_fields(make(ll2, {"bitsPerValue": 12}, gaps), make(ll2, {"shortName": '"2d"'}, values),
                                           make("polar_stereographic_sfc_grib2", {"bitsPerValue": 8, "setLocalDefinition": 1}, values))
    yield "edition_1_16", make(ll1, {"bitsPerValue": 16}, values)
    yield "edition_1_12", make(ll1, {"bitsPerValue": 12, "decimalScaleFactor": 1}, values)
    yield "edition_1_3", make(ll1, {"bitsPerValue": 3}, values)
    yield "edition_1_bitmap", make(ll1, {"bitsPerValue": 16}, gaps)
    yield "edition_1_all_missing", make(ll1, {"bitsPerValue": 16}, [MISSING] * POINTS)
    yield "edition_1_constant", make(ll1, {"bitsPerValue": 16}, [280.25] * POINTS)
    yield "edition_1_ieee", make(ll1, {"packingType": '"grid_ieee"'}, values)
    yield "edition_1_second_order", make(ll1, {"packingType": '"grid_second_order"'}, values)
    yield "edition_1_matrix", make(ll1, {"packingType": '"grid_simple_matrix"'}, values)
    yield "edition_1_spectral", make("sh_ml_grib1", {"J": 10, "K": 10, "M": 10, "JS": 5, "KS": 5, "MS": 5}, temperatures(132))
    yield "edition_1_reduced", make("reduced_gg_pl_32_grib1", {}, None)
    yield "edition_1_levels", make("reduced_gg_ml_grib1", {}, None)
    yield "edition_1_rotated", make("rotated_ll_sfc_grib1", {"bitsPerValue": 12}, values)
    yield "edition_1_polar", make("polar_stereographic_sfc_grib1", {"bitsPerValue": 12}, values)


def main():
    rows = [["file", "number"] + KEYS]
    for name, content in files():
        file = FOLDER / f"{name}.grib"
        file.write_bytes(content)
        text = subprocess.run(["grib_get", "-f", "-F", "%.17g", "-p", ",".join(KEYS), file], capture_output=True, text=True,
                              check=True).stdout
        for number, line in enumerate(text.splitlines()):
            rows.append([name, str(number)] + line.split())
    (FOLDER / "expected.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
