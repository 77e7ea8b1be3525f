# SPDX-License-Identifier: Apache-2.0
"""Keys of any text, and keys that were made to be slow."""

from __future__ import annotations

import random
import time
import warnings

import numpy as np
import pytest
from archives import with_values

import tgmap

ODD = ["a\0b", "a\0c", "\0", "a\0", "", "ä", "\U0001f600", "a.b", "a", "a[0]", "[0]", ".", "a..b", "x" * 300, "a\x1b[31m",
       "\u202e", "a\nb", "\ufffd", "'", '"', "@shape"]  # fmt: skip
ABSENT = ["\udc80", "a\udc80", "\ud800\udc00", "\udfff.b", "a[\udc80]", "a\0d", "\0\0", "a\0b.c"]


def one(keys):
    return tgmap.open(tgmap.encode(np.zeros(1), keys))[0]


def test_every_text_is_a_key():
    keys = {key: number for number, key in enumerate(ODD)}
    found = one(keys).metadata
    assert dict(found) == keys == {key: found[key] for key in found} == dict(found.items())
    for key in ODD:
        assert found[key] == keys[key] == found.get(key) and key in found
    for key in ABSENT:
        assert key not in found and found.get(key) is None and found.get(key, 7) == 7
        with pytest.raises(KeyError) as raised:
            found[key]
        assert raised.value.args == (key,)
    for key in (3, None, b"a", 1.5, ("a",)):
        assert key not in found and found.get(key, 7) == 7
        with pytest.raises(KeyError):
            found[key]


def test_every_text_is_a_key_of_a_descriptor():
    o = one({})[0]
    for key in [*ABSENT, "shape\0", "\0"]:
        with pytest.raises(KeyError):
            o.descriptor[key]
    assert o.descriptor["shape"] == [1]


def test_a_key_comes_before_a_path():
    keys = {"a.b": 1, "a": {"b": 2, "c": 3, "d.e": 5, "d": {"e": 6}}, "l[0]": 7, "l": [8, 9]}
    found = one(keys).metadata
    assert found["a.b"] == found.get("a.b") == 1 and found["l[0]"] == 7
    assert found["a.c"] == 3 and found["l[1]"] == 9 and "a.c" in found and "a.x" not in found
    assert found["a"]["b"] == 2
    assert dict(found) == keys == found.to_dict() == {**found}
    assert one(found).metadata.to_dict() == keys  # written again
    many = {**{f"k{i}.x": i for i in range(40)}, **{f"k{i}": {"x": -i} for i in range(40)}}
    found = one(many).metadata
    assert {key: found[key] for key in many} == many
    assert dict(found) == many and found["k7.x"] == 7 and found["k7"] == {"x": -7}


def test_ill_formed_keys_are_found_as_they_print():
    message = tgmap.encode(np.zeros(1), {"a\u00e9": 1, "b": 2}, hashes=False, hash_list="none")
    found = tgmap.open(message.replace("a\u00e9".encode(), b"a\xe9\xe9"))[0].metadata
    assert dict(found) == found.to_dict() == {"a\ufffd\ufffd": 1, "b": 2}
    assert "a\ufffd\ufffd" in found and "a\udce9\udce9" not in found
    assert len(found) == 2


def test_ill_formed_keys_that_become_one_count_once():
    message = tgmap.encode(np.zeros(1), {"a\u00e9": 1, "a\u00e8": 2, "b": 3}, hashes=False, hash_list="none")
    for name, wrong in (("a\u00e9", b"a\xe9\xe9"), ("a\u00e8", b"a\xe8\xe8")):
        message = message.replace(name.encode(), wrong)
    found = tgmap.open(message)[0].metadata
    assert len(found) == len(dict(found)) == len(list(found)) == len(found.to_dict()) == 2


def test_selections_and_tables_take_every_text():
    archive = with_values([1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tgmap.KeyWarning)
        for key in [*ODD[:-1], *ABSENT]:
            for where in ({key: 1}, f"{tgmap.quote(key)}=1", {"k": 5, key: None}, {key: key}):
                assert list(archive.find(where)) == list(archive.find_objects(where)) == [], key
                assert len(archive.table("k", where=where)) == 0
            if key not in ("", "a..b", "."):
                assert archive.table(key)[key].tolist() == [None, None]
                assert repr(archive.table(key)).count("\n") == 3
        assert [m.index for m in archive.find({"k": 2, "\udc80": None})] == [1]
    mixed = with_values(["a\0b", "\ufffd", None])
    assert [m.index for m in mixed.find({"k": "a\0b"})] == [0] and list(mixed.find({"k": "a\0c"})) == []
    assert list(mixed.find({"k": "\udc80"})) == []
    assert one({"a\0b": 3})._opened is not None
    source = tgmap.open(tgmap.encode(np.zeros(1), {"a\0b": 3, "a\0c": 4}))
    assert source.table(["a\0b", "a\0c"])["a\0c"].tolist() == [4]
    assert [m.index for m in source.find({"a\0c": 4})] == [0] and list(source.find({"a\0c": 3})) == []


@pytest.mark.parametrize("write", [lambda keys: tgmap.encode(np.zeros(1), keys),
                                   lambda keys: tgmap.NewObject(np.zeros(1), keys),
                                   lambda keys: tgmap.encode(tgmap.StoredObject({"type": keys}, b""))])  # fmt: skip
def test_what_is_no_text_is_not_written(write):
    with pytest.raises(ValueError, match=r"the key 'a\\udc80' of .*lone surrogate"):
        write({"a\udc80": 1})
    with pytest.raises(ValueError, match=r"\.b\[1\] cannot be stored: it has a lone surrogate"):
        write({"b": [1, "\udc80"]})
    with pytest.raises(TypeError, match=r"\.a\\x00b\.c of type set"):
        write({"a\0b": {"c": set()}})


def test_keywords_of_any_text():
    for name in ("\udc80", "a\0b"):
        with pytest.raises(TypeError, match="unexpected keyword"):
            tgmap.encode(np.zeros(1), **{name: 1})
    with pytest.raises(ValueError, match=r"encoder cannot be stored: it has a lone surrogate"):
        tgmap.encode(np.zeros(1), encoder="\udc80")
    with pytest.raises(ValueError, match=r"not 'a\\x00\\x1b'"):
        tgmap.encode(np.zeros(1), compression="a\0\x1b")


def test_arrow_names_have_no_end():
    pyarrow = pytest.importorskip("pyarrow")
    source = tgmap.open(tgmap.encode(np.zeros(1), {"a\0b": 3, "a\0c": 4}))
    assert pyarrow.table(source.table(["a\0b", "a\0c"])).column_names[2:] == ["a\\x00b", "a\\x00c"]


# Keys of maps that are not text: as CBOR, since Python writes none.


def head(major, n):
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 24:
            return bytes([major << 5 | n])
        if n < 1 << 8 * size:
            return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def bignum(n):
    size = (n.bit_length() + 7) // 8
    return b"\xc2" + head(2, size) + n.to_bytes(size, "big")


def filler(size):
    """Return an item of bytes that takes exactly this size."""
    return next(head(2, n) + b"\0" * n for n in range(size - 9, size) if len(head(2, n)) + n == size)


def with_item(encoded):
    """Return metadata with an encoded item at the path item[0]: a list of it and a filler in the place of bytes."""
    size = len(encoded) + 20
    out = tgmap.encode(np.zeros(1), {"item": b"\0" * size}, hashes=False, hash_list="none")
    begin, end = out.index(b"\x64item") + 5, out.index(b"\0" * size) + size
    made = b"\x82" + encoded + filler(end - begin - 1 - len(encoded))
    return tgmap.open(out[:begin] + made + out[end:])[0].metadata


def test_keys_that_are_no_text():
    entries = [head(0, 1), head(1, 0), bignum(2**64 - 1), bignum(2**64), b"\xc3" + head(2, 9) + b"\1" + b"\0" * 8,
               b"\x82\1\2", b"\xd8\x20\x82\1\3", b"\xa1\xa1\xa1\1\2\3\4", b"\x41x", b"\xf6",
               b"\xfb" + np.array(0.5, ">f8").tobytes(), b"\x81" + bignum(2**70)]  # fmt: skip
    found = with_item(head(5, len(entries)) + b"".join(each + b"\0" for each in entries))["item[0]"]
    assert list(found) == [1, -1, 2**64 - 1, "0x10000000000000000", "-0x10000000000000001", "[1, 2]", "[1, 3]",
                           "{'0xa1a1010203': 4}", b"x", None, 0.5, "['0x400000000000000000']"]  # fmt: skip


def seconds_of(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def test_keys_of_one_hash_are_read_in_linear_time():
    prime = 2**61 - 1
    chosen = [bignum(prime * (2**64 + i)) for i in range(20_000)]
    assert len({hash(prime * (2**64 + i)) for i in range(100)}) == 1
    keys = with_item(head(5, len(chosen)) + b"".join(each + b"\0" for each in chosen))
    assert seconds_of(lambda: keys["item[0]"]) < 1  # 5 s as int
    assert len(keys["item[0]"]) == len(chosen)


def test_floats_of_one_hash_are_few():
    chosen = list(dict.fromkeys(m * 2.0**e for m in range(1, 2001, 2) for e in range(-1000, 960, 61)))
    assert len({hash(2.0**e) for e in range(-1000, 960, 61)}) == 1
    entries = (b"\xfb" + np.array(each, ">f8").tobytes() + b"\0" for each in chosen)
    keys = with_item(head(5, len(chosen)) + b"".join(entries))
    assert seconds_of(lambda: keys["item[0]"]) < 1 and list(keys["item[0]"]) == chosen


def test_nested_keys_are_read_in_linear_time():
    nested = b"\1"
    for _ in range(60):
        nested = b"\xa2" + nested + b"\1" + b"\x61'" + b'\x61"'
    keys = with_item(b"\xa1" + nested + b"\1")
    assert len(next(iter(keys["item[0]"]))) < 3 * len(nested)  # doubles with each level as text in text
    large = with_item(bignum(2 ** (8 * 20_000)))
    assert large["item[0]"] == 2 ** (8 * 20_000) and repr(large).startswith("Metadata({'item': [0x1000")


def test_random_keys():
    """A seeded loop: keys and paths of any text, in every function that takes a key. Nothing crashes, dicts agree."""
    pick = random.Random(7)
    pieces = ["a", "b", ".", "[0]", "[1]", "[", "]", "\0", "ä", "\udc80", "\ud83d", "\U0001f600", "\n", "'", "@", ""]
    value = lambda depth: pick.choice([1, "t", None, [1, {"a": 2}], *([table(depth + 1)] if depth < 3 else [])])  # noqa: E731

    def text():
        return "".join(pick.choices(pieces, k=pick.randint(0, 4)))

    def table(depth=0):
        return {key: value(depth) for key in (text() for _ in range(pick.randint(0, 6))) if is_text(key)}

    def is_text(key):
        return not any("\ud800" <= each <= "\udfff" for each in key)

    begin, rounds = time.perf_counter(), 0
    while rounds < 300 and time.perf_counter() - begin < 2:
        rounds += 1
        keys = {key: each for key, each in table().items() if key not in ("base", "_reserved_", "_extra_")}
        archive = tgmap.open(tgmap.encode(np.zeros(1), keys))
        found = archive[0].metadata
        assert dict(found) == keys == found.to_dict() and one(found).metadata.to_dict() == keys
        for key in (text() for _ in range(20)):
            if key in keys:
                assert found[key] == keys[key]
            elif not is_text(key):
                assert key not in found
            assert (key in found) == (found.get(key, text) is not text)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", tgmap.KeyWarning)
                try:
                    assert len(list(archive.find({key: 1}))) <= 1
                    assert len(archive.table(key)) == 1
                except (ValueError, TypeError) as error:
                    assert isinstance(error, tgmap.Error) or "column" in str(error), key
