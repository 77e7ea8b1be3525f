#!/usr/bin/env python3
"""Writes values.tsv: the values that ecCodes decodes in the files of this folder.

usage: tests/data/grib/make_values.py    (writes beside itself; needs libeccodes.so.0)

A row has the file, the number of the field in it, the number of points, of missing ones, and the CRC-32 of all values as
big-endian doubles, where missing ones are the NaN 7ff8000000000000.
"""

import array
import ctypes
import pathlib
import zlib

FOLDER = pathlib.Path(__file__).parent
MISSING = 1e300
library = ctypes.CDLL("libeccodes.so.0")
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
libc.fclose.argtypes = [ctypes.c_void_p]
for name in ("codes_context_get_default", "codes_handle_new_from_file"):
    getattr(library, name).restype = ctypes.c_void_p
library.codes_grib_multi_support_on.argtypes = [ctypes.c_void_p]
library.codes_handle_new_from_file.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
library.codes_set_double.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double]
library.codes_get_size.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)]
library.codes_get_double_array.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]
library.codes_handle_delete.argtypes = [ctypes.c_void_p]
PRODUCT_GRIB = 1


def fields_of(path):
    file, context, error = libc.fopen(str(path).encode(), b"rb"), library.codes_context_get_default(), ctypes.c_int(0)
    library.codes_grib_multi_support_on(context)
    while handle := library.codes_handle_new_from_file(context, file, PRODUCT_GRIB, ctypes.byref(error)):
        library.codes_set_double(handle, b"missingValue", MISSING)
        size = ctypes.c_size_t()
        values = None
        if library.codes_get_size(handle, b"values", ctypes.byref(size)) == 0:
            values = array.array("d", bytes(8 * size.value))
            if library.codes_get_double_array(handle, b"values", values.buffer_info()[0], ctypes.byref(size)) != 0:
                values = None
        yield values
        library.codes_handle_delete(handle)
    libc.fclose(file)


def main():
    rows = ["file\tnumber\tpoints\tmissing\tcrc32"]
    for path in sorted(FOLDER.glob("*.grib")):
        for number, values in enumerate(fields_of(path)):
            if values is None:
                continue
            missing = sum(value == MISSING for value in values)
            stored = array.array("d", (float("nan") if value == MISSING else value for value in values))
            stored.byteswap()
            rows.append(f"{path.stem}\t{number}\t{len(values)}\t{missing}\t{zlib.crc32(stored.tobytes()):08x}")
    (FOLDER / "values.tsv").write_text("\n".join(rows) + "\n")


main()
